//go:build !(cgo && linux)

package cuda

// bindNVRTC fails as bind does.
func bindNVRTC(names []string) (*nvrtc, error) {
	_, err := bind(names)
	return nil, err
}
