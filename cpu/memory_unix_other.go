//go:build unix && !linux

package cpu

// adviseHuge does nothing: only Linux takes the advice.
func adviseHuge([]byte) {}
