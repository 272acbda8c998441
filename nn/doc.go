// Package nn has the losses, normalisations and masks of neural networks, each
// one operation composed of those of package tensor: they run on every device
// and are as exact as what they are made of.
//
// Vocabulary: a loss compares a prediction with a target of the same shape; a
// channel axis has one scale and one bias for each of its places; a mask is a
// bool tensor, false where an element does not count.
//
//	h = nn.LayerNorm(h, nn.LayerNormOpts{Scale: gamma, Bias: beta})
//	scores := nn.MaskedSoftmax(q.MatMul(k.T()), nn.LengthMask(lengths, n, nn.PadRight).Unsqueeze(1), -1)
//	loss := nn.CrossEntropy(logits, labels, nn.ClassOpts{})
//	v, err := tensor.Item[float32](loss) // one check at the end of the chain
//	if err != nil {
//		return err // "crossentropy: the target (4, 1) ...: Squeeze(1) ... (main.go:12)"
//	}
//	fmt.Println(v)
//
// All compute in float32 (float64 where an operand is) and round once at the
// end; integers become float32. Operands promote as everywhere. Errors stay
// with the result, as in package tensor.
package nn

// To add a layer, compose it with one (compose.go) from operations of package
// tensor, and give it a golden in internal/goldens.
