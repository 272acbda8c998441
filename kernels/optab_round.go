package kernels

// Rounding, and the parts of a float.
var roundRows = map[Op]Row{}
