package opencl

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// child names what TestMain does instead of testing, in another process:
// OpenCL's loader reads its environment once.
const child = "STRIDE0_OPENCL_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(child) {
	case "list":
		for _, l := range device.List() {
			fmt.Println(l.Name, l.Err)
		}
	case "two":
		if err := twoDevices(); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("both devices agree")
		}
	default:
		os.Exit(m.Run())
	}
}

// inChild runs this test binary again as a child with more environment.
func inChild(t *testing.T, what string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), child+"="+what), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestNoDriverInstalled(t *testing.T) {
	needDevice(t)
	out := inChild(t, "list", "OCL_ICD_VENDORS=/nonexistent")
	assert.Contains(t, out, "opencl opencl: Open: device unavailable: the OpenCL loader found no driver; install")
}

func TestTwoDevices(t *testing.T) {
	if d := needDevice(t); !strings.Contains(d.Info().Driver, "Portable Computing Language") {
		t.Skip("needs PoCL, which can be told to have two devices")
	}
	assert.Equal(t, "both devices agree\n", inChild(t, "two", "POCL_DEVICES=pthread basic"))
}

// twoDevices runs the same launch on two devices of one platform, and tries to
// mix them.
func twoDevices() error {
	var bufs []device.Buffer
	for i, name := range []string{"opencl:0", "opencl:1"} {
		dev, err := device.Open(name)
		if err != nil {
			return err
		}
		b, err := dev.Alloc(8)
		if err != nil {
			return err
		}
		if err := dev.Write(b, 0, []byte{1, 2, 3, 4, 5, 6, 7, 8}); err != nil {
			return err
		}
		bufs = append(bufs, b)
		p, err := kernels.Single(kernels.Neg, kernels.Signature{Args: [3]dtype.DType{dtype.Int32}, Result: dtype.Int32}, dtype.Int32,
			kernels.Leaf{Kind: kernels.OpInput, DType: dtype.Int32})
		if err != nil {
			return err
		}
		plan := task{kernels.Neg, dtype.Int32, broadcast.Shape{2}, 0}.plan(p)
		l := &device.Launch{Program: p, Plan: plan, Inputs: []device.Operand{{Buffer: b}}, Outputs: []device.Operand{{Buffer: b}}, Label: "neg"}
		if err := dev.Run(l); err != nil {
			return err
		}
		got := make([]byte, 8)
		if err := dev.Read(got, b, 0); err != nil {
			return err
		}
		if want := []byte{0xff, 0xfd, 0xfc, 0xfb, 0xfb, 0xf9, 0xf8, 0xf7}; string(got) != string(want) {
			return fmt.Errorf("%s gives %x, want %x", name, got, want)
		}
		if i == 1 {
			l.Inputs[0].Buffer = bufs[0]
			if err := dev.Run(l); err == nil {
				return errors.New("a launch took a buffer of the other device")
			}
		}
	}
	return nil
}
