package kernels

// Activation functions.
var activateRows = map[Op]Row{}
