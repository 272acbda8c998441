package conform

// normalizations holds what brings the elements along an axis to one scale.
var normalizations = table{}
