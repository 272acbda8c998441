package kernels

// Error and gamma functions.
var specialRows = map[Op]Row{}
