// Package all registers every device driver of the module. A program imports it
// for that alone; drivers look for their libraries only when a device is opened
// or listed.
//
//	import _ "github.com/stride0/stride0/device/all"
//
//	dev, err := device.Open("best")
//
// To add a driver, import it here.
package all

import (
	_ "github.com/stride0/stride0/device/cuda"   // "cuda"
	_ "github.com/stride0/stride0/device/opencl" // "opencl"
)
