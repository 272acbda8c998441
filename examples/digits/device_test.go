package main

import (
	"math"
	"os"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/cuda/cudasim"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/internal/dl"
)

func TestOpenCLLearnsTheSame(t *testing.T) { learnsTheSame(t, "opencl") }

// TestCUDALearnsTheSame trains on a GPU or, where there is no NVIDIA driver, on
// the simulator.
func TestCUDALearnsTheSame(t *testing.T) {
	const another = "STRIDE0_CUDA_LIBRARY"
	if _, err := dl.Open("libcuda.so.1"); err != nil && os.Getenv(another) == "" && !devicetest.Required("cuda") {
		os.Setenv(another, cudasim.Open(t).Path()) // for good: a driver looks once
	}
	learnsTheSame(t, "cuda")
}

// learnsTheSame trains on the CPU and on the first device of a driver, which
// sends its matrix products through the CPU: every loss and every weight must
// have the same bits.
func learnsTheSame(t *testing.T, driver string) {
	t.Helper()
	dev := devicetest.Open(t, driver)
	device.AllowHost(dev)
	all, _ := load(t)
	train := all.pick([]int{0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987})
	for len(train.labels) < 150 {
		train.images = append(train.images, train.images...)
		train.labels = append(train.labels, train.labels...)
	}
	const hidden, epochs = 24, 2
	onCPU, onDevice := newTrainer(open(t), train, hidden, 1), newTrainer(dev, train, hidden, 1)
	for epoch := range epochs {
		want, err := onCPU.epoch()
		if err != nil {
			t.Fatal(err)
		}
		got, err := onDevice.epoch()
		if err != nil {
			t.Fatal(err)
		}
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("epoch %d: the loss is %v on %s and %v on the CPU", epoch, got, driver, want)
		}
	}
	got, want := weights(t, onDevice.net), weights(t, onCPU.net)
	for p := range want {
		for i := range want[p] {
			if got[p][i] != want[p][i] {
				t.Fatalf("weight %d of parameter %d is %#x on %s and %#x on the CPU", i, p, got[p][i], driver, want[p][i])
			}
		}
	}
	if device.Stats(dev).HostFallbacks == 0 {
		t.Error("no matrix product went through the host")
	}
}
