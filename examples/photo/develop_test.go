package main

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/tensor"
)

// scene returns h*w pixels whose channels have different ranges and whose
// alpha varies, the same for every call.
func scene(h, w int) []uint8 {
	rgba := make([]uint8, 0, 4*h*w)
	for i := range h * w {
		y, x := float64(i/max(w, 1)), float64(i%max(w, 1))
		rgba = append(rgba,
			uint8(60+50*math.Sin(x/3)+20*math.Cos(y)),
			uint8(120+10*math.Sin(x*y/7)),
			uint8((i*i*31+i*7)%256),
			uint8(255-i%200))
	}
	return rgba
}

// plain is develop in ordinary Go, one pixel after the other, in float64.
func plain(t *testing.T, rgba []uint8, warm float64) []uint8 {
	t.Helper()
	result := slices.Clone(rgba)
	n := float64(len(rgba) / 4)
	for channel, gain := range []float64{1 + warm, 1, 1 - warm} {
		var sum, squares float64
		for i := channel; i < len(rgba); i += 4 {
			sum += float64(rgba[i])
		}
		for i := channel; i < len(rgba); i += 4 {
			squares += (float64(rgba[i]) - sum/n) * (float64(rgba[i]) - sum/n)
		}
		spread := math.Max(math.Sqrt(squares/n), 1)
		for i := channel; i < len(rgba); i += 4 {
			v := ((float64(rgba[i])-sum/n)/spread*64 + 128) * gain
			v = math.Min(math.Max(v, 0), 255) + 0.5
			if v-math.Floor(v) < 2e-4 || math.Ceil(v)-v < 2e-4 {
				t.Fatalf("byte %d is %v, too near a step for float32; choose another scene", i, v)
			}
			result[i] = uint8(v)
		}
	}
	return result
}

// mustDevelop is developRGBA that must not fail nor change its input.
func mustDevelop(t *testing.T, dev device.Device, rgba []uint8, h, w int, l layout, warm float32) []uint8 {
	t.Helper()
	before := slices.Clone(rgba)
	got, err := developRGBA(dev, rgba, h, w, l, warm)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rgba, before) {
		t.Error("the input has changed")
	}
	return got
}

func TestPixelsAreThoseOfPlainGo(t *testing.T) {
	tests := []struct {
		name string
		rgba []uint8
		h, w int
		warm float64
	}{
		{"warmed", scene(13, 19), 13, 19, 0.15},
		{"neutral", scene(13, 19), 13, 19, 0},
		{"cooled_until_red_is_gone", scene(7, 5), 7, 5, -1},
		{"warmed_until_clipped", scene(7, 5), 7, 5, 0.9},
		{"one_column", scene(40, 1), 40, 1, 0.3},
		{"one_row", scene(1, 40), 1, 40, 0.3},
		{"more_pixels_than_a_block_of_the_sum", scene(41, 53), 41, 53, 0.15},
		{"one_pixel_is_grey", []uint8{9, 200, 30, 7}, 1, 1, 0.2},
		{"almost_flat_channel_stays_so", []uint8{9, 9, 0, 1, 10, 9, 255, 2}, 2, 1, 0.2},
		{"no_pixel", nil, 0, 3, 0.2},
	}
	for _, test := range tests {
		for _, l := range layouts {
			t.Run(test.name+"/"+l.name, func(t *testing.T) {
				want := plain(t, test.rgba, test.warm)
				got := mustDevelop(t, cpu.Default(), test.rgba, test.h, test.w, l, float32(test.warm))
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("byte %d of pixel %d is %d, want %d", i%4, i/4, got[i], want[i])
					}
				}
				if len(got) != len(want) {
					t.Errorf("%d bytes, want %d", len(got), len(want))
				}
			})
		}
	}
}

// TestLayoutsGiveTheSameBits compares where rounding in another order would
// show: over many blocks of the sums, and before anything becomes a byte.
func TestLayoutsGiveTheSameBits(t *testing.T) {
	const h, w = 97, 131
	colours := tensor.New(scene(h, w), 1, h, w, 4).Slice(tensor.All, tensor.All, tensor.All, tensor.R(0, 3))
	var bits [2][]uint32
	for i, l := range layouts {
		x := colours.Permute(l.from...)
		v, err := tensor.Data[float32](x.Sub(x.MeanKeep(l.pixels...)).Square().Mean(l.pixels...))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range v {
			bits[i] = append(bits[i], math.Float32bits(x))
		}
	}
	if len(bits[0]) != 3 || !slices.Equal(bits[0], bits[1]) {
		t.Errorf("variances %x and %x", bits[0], bits[1])
	}
	if a, b := mustDevelop(t, cpu.Default(), scene(h, w), h, w, layouts[0], 0.15),
		mustDevelop(t, cpu.Default(), scene(h, w), h, w, layouts[1], 0.15); !slices.Equal(a, b) {
		t.Error("the pixels differ")
	}
}

// TestImagesOfABatchAreApart develops two images at once, and each alone.
func TestImagesOfABatchAreApart(t *testing.T) {
	const h, w = 4, 6
	both := scene(2*h, w)
	for _, l := range layouts {
		alone := append(mustDevelop(t, cpu.Default(), both[:4*h*w], h, w, l, 0.2),
			mustDevelop(t, cpu.Default(), both[4*h*w:], h, w, l, 0.2)...)
		batch := tensor.New(both, 2, h, w, 4).Slice(tensor.All, tensor.All, tensor.All, tensor.R(0, 3))
		got, err := tensor.Data[uint8](develop(batch, l, 0.2))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if want := alone[i/3*4+i%3]; v != want {
				t.Fatalf("%s: channel %d of pixel %d is %d in the batch and %d alone", l.name, i%3, i/3, v, want)
			}
		}
	}
}

func TestSamePixelsOnOtherDevices(t *testing.T) {
	const h, w = 31, 43
	lagging := devicetest.Lagging(cpu.Default(), devicetest.LagOptions{Delay: 20 * time.Microsecond, Seed: 1})
	devices := map[string]device.Device{"lagging": lagging, "opencl": nil}
	for name, dev := range devices {
		t.Run(name, func(t *testing.T) {
			if dev == nil {
				dev = devicetest.Open(t, "opencl")
			}
			device.AllowHost(dev)
			for _, l := range layouts {
				want := mustDevelop(t, cpu.Default(), scene(h, w), h, w, l, 0.15)
				if got := mustDevelop(t, dev, scene(h, w), h, w, l, 0.15); !slices.Equal(got, want) {
					t.Errorf("%s: other pixels than on the CPU", l.name)
				}
			}
		})
	}
	if err := lagging.Close(); err != nil {
		t.Error(err)
	}
}
