package kernels

// Trigonometric functions.
var trigRows = map[Op]Row{}
