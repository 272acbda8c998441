package kernels

// Integer division, bits and truth values.
var intRows = map[Op]Row{}
