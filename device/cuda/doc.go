// Package cuda runs Programs on NVIDIA GPUs.
package cuda
