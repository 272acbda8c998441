package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func open(t *testing.T) device.Device {
	t.Helper()
	dev, err := device.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

// full reports whether the long tests are wanted too.
func full() bool { return os.Getenv("STRIDE0_FULL") == "1" }

func load(t *testing.T) (train, heldOut set) {
	t.Helper()
	digits, err := loadDigits()
	if err != nil {
		t.Fatal(err)
	}
	return split(digits)
}

// weights returns the bits of every parameter.
func weights(t *testing.T, p params) (bits [parameters][]uint32) {
	t.Helper()
	for i := range p {
		v, err := tensor.Data[float32](p[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range v {
			bits[i] = append(bits[i], math.Float32bits(x))
		}
	}
	return bits
}

func trainFor(t *testing.T, dev device.Device, train set, hidden int, seed uint64, epochs int) *trainer {
	t.Helper()
	tr := newTrainer(dev, train, hidden, seed)
	for range epochs {
		if _, err := tr.epoch(); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

// TestAccuracy trains as the program does without flags; with STRIDE0_FULL=1
// also from other seeds.
func TestAccuracy(t *testing.T) {
	opts, err := parse(nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	seeds := []uint64{opts.seed}
	if full() {
		seeds = append(seeds, 2, 3, 4, 5)
	}
	train, heldOut := load(t)
	for _, seed := range seeds {
		tr := trainFor(t, open(t), train, opts.hidden, seed, opts.epochs)
		misread, _, err := tr.judge(heldOut)
		if err != nil {
			t.Fatal(err)
		}
		if got := accuracy(misread, heldOut); got < 96 {
			t.Errorf("seed %d: held-out accuracy %.2f %%, want at least 96 %%", seed, got)
		}
	}
}

// TestSameWeightsOnALaggingDevice trains where every launch runs late: a read
// too early, a buffer reused too soon or a launch that keeps what its caller
// changes would show in the weights. Once the device multiplies matrices
// itself, once they go through the host.
func TestSameWeightsOnALaggingDevice(t *testing.T) {
	const hidden, seed, epochs = 64, 1, 3
	train, _ := load(t)
	want := weights(t, trainFor(t, open(t), train, hidden, seed, epochs).net)
	for name, drop := range map[string]bool{"own_matmul": false, "matmul_through_the_host": true} {
		t.Run(name, func(t *testing.T) {
			lagging := devicetest.Lagging(open(t), devicetest.LagOptions{Delay: 20 * time.Microsecond, Seed: 1, DropAbilities: drop})
			device.AllowHost(lagging)
			got := weights(t, trainFor(t, lagging, train, hidden, seed, epochs).net)
			for i := range want {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("parameter %d differs", i)
				}
			}
			if n := device.Stats(lagging).HostFallbacks; (n > 0) != drop {
				t.Errorf("%d operations went through the host", n)
			}
			if err := lagging.Close(); err != nil {
				t.Errorf("closing the lagging device: %v", err)
			}
		})
	}
}

func TestSameWeightsForEveryGOMAXPROCS(t *testing.T) {
	const hidden, seed, epochs = 64, 1, 1
	train, _ := load(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := weights(t, trainFor(t, open(t), train, hidden, seed, epochs).net)
	for _, procs := range []int{2, 7} {
		runtime.GOMAXPROCS(procs)
		got := weights(t, trainFor(t, open(t), train, hidden, seed, epochs).net)
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("GOMAXPROCS %d: parameter %d differs", procs, i)
			}
		}
	}
}

// TestGradients compares the gradients written by hand with differences of the
// loss.
func TestGradients(t *testing.T) {
	train, _ := load(t)
	dev := open(t)
	x, y := upload(dev, train.pick([]int{0, 1, 2, 3, 4}))
	net := newNetwork(dev, 7, 1)
	_, g := net.gradients(x, y)
	for i := range net {
		grad, err := tensor.Data[float32](g[i])
		if err != nil {
			t.Fatal(err)
		}
		if !g[i].Shape().Equal(net[i].Shape()) {
			t.Fatalf("parameter %d is %v, its gradient %v", i, net[i].Shape(), g[i].Shape())
		}
		for j := 0; j < len(grad); j += 1 + len(grad)/10 {
			slope := (lossAt(t, net, i, j, 0.01, x, y) - lossAt(t, net, i, j, -0.01, x, y)) / 0.02
			if diff := math.Abs(float64(grad[j]) - slope); diff > 1e-3 {
				t.Errorf("parameter %d[%d]: gradient %v, slope %v", i, j, grad[j], slope)
			}
		}
	}
}

// lossAt returns the loss with element j of parameter i moved by h.
func lossAt(t *testing.T, net params, i, j int, h float32, x, y *tensor.Tensor) float64 {
	t.Helper()
	v, err := tensor.Data[float32](net[i])
	if err != nil {
		t.Fatal(err)
	}
	v[j] += h
	net[i] = tensor.New(v, net[i].Shape()...)
	loss, _ := net.gradients(x, y)
	l, err := tensor.Item[float32](loss)
	if err != nil {
		t.Fatal(err)
	}
	return float64(l)
}

// TestLossOfAnUntrainedNetwork: scores that are all equal mean a loss of log 10.
func TestLossOfAnUntrainedNetwork(t *testing.T) {
	train, _ := load(t)
	x, y := upload(open(t), train)
	net := newNetwork(open(t), 8, 1)
	net[w2] = tensor.ZerosLike(net[w2])
	loss, _ := net.gradients(x, y)
	l, err := tensor.Item[float32](loss)
	if err != nil || math.Abs(float64(l)-math.Log(classes)) > 1e-5 {
		t.Errorf("loss %v, %v; want log 10", l, err)
	}
}

func TestErrorsSurfaceInTheStep(t *testing.T) {
	train, _ := load(t)
	tr := newTrainer(open(t), train, 8, 1)
	x := tensor.Zeros(dtype.Float32, 5, pixels+1)
	_, err := tr.step(x, tensor.Zeros(dtype.Float32, 5, classes))
	if err == nil || !strings.Contains(err.Error(), "matmul") {
		t.Errorf("a step on images of another size gives %v", err)
	}
}

func TestSplitIsFixedAndComplete(t *testing.T) {
	train, heldOut := load(t)
	if train.len() != 1438 || heldOut.len() != 359 {
		t.Fatalf("%d to train on, %d held out", train.len(), heldOut.len())
	}
	if !slices.Equal(heldOut.labels[:5], []int64{0, 0, 3, 1, 8}) {
		t.Errorf("the first held-out digits are %v", heldOut.labels[:5])
	}
	digits, _ := loadDigits()
	count := func(s set, n map[string]int, by int) {
		for i := range s.labels {
			n[fmt.Sprint(s.labels[i], s.image(i))] += by
		}
	}
	n := map[string]int{}
	count(digits, n, 1)
	count(train, n, -1)
	count(heldOut, n, -1)
	for image, times := range n {
		if times != 0 {
			t.Errorf("an image is %d times more in the file than in the two parts: %s", times, image)
		}
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, args, want string // want is in what is written; empty: no error
	}{
		{"defaults", "", ""},
		{"everything", "-device cpu -epochs 1 -hidden 3 -seed 9 -steps 2000", ""},
		{"no_epochs", "-epochs 0", "at least 1"},
		{"no_hidden_layer", "-hidden 0", "at least 1"},
		{"soak_without_end", "-steps 1999", "at least 2000"},
		{"argument", "cpu", `unexpected argument "cpu"`},
		{"unknown_flag", "-gpu", "not defined: -gpu"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var w bytes.Buffer
			_, err := parse(strings.Fields(test.args), &w)
			if (err == nil) != (test.want == "") || !strings.Contains(w.String(), test.want) {
				t.Errorf("error %v, output %q, want %q", err, w.String(), test.want)
			}
		})
	}
}

func TestUnknownDevice(t *testing.T) {
	err := run(options{device: "abacus", epochs: 1, hidden: 1}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown device gives %v", err)
	}
}

func TestRunReports(t *testing.T) {
	var w bytes.Buffer
	if err := run(options{device: "cpu", epochs: 2, hidden: 16, seed: 1}, &w); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"device cpu", "network 64-16-10", "epoch 1 of 2", "epoch 2 of 2", "46 steps in ", "of 359 misread", " read as "} {
		if !strings.Contains(w.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, w.String())
		}
	}
}

func Example_draw() {
	image := make([]float32, pixels)
	for i := range image {
		row, column := i/side, i%side
		image[i] = float32(row+column) / (2*side - 2) // a ramp from paper to ink
	}
	if err := draw(os.Stdout, []picture{{image, "a ramp"}, {image, "again"}}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ░░░░░░▒▒▒▒         ░░░░░░▒▒▒▒
	//     ░░░░░░▒▒▒▒▒▒       ░░░░░░▒▒▒▒▒▒
	//   ░░░░░░▒▒▒▒▒▒▓▓     ░░░░░░▒▒▒▒▒▒▓▓
	// ░░░░░░▒▒▒▒▒▒▓▓▓▓   ░░░░░░▒▒▒▒▒▒▓▓▓▓
	// ░░░░▒▒▒▒▒▒▓▓▓▓▓▓   ░░░░▒▒▒▒▒▒▓▓▓▓▓▓
	// ░░▒▒▒▒▒▒▓▓▓▓▓▓██   ░░▒▒▒▒▒▒▓▓▓▓▓▓██
	// ▒▒▒▒▒▒▓▓▓▓▓▓████   ▒▒▒▒▒▒▓▓▓▓▓▓████
	// ▒▒▒▒▓▓▓▓▓▓██████   ▒▒▒▒▓▓▓▓▓▓██████
	// a ramp             again
}
