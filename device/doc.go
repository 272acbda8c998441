// Package device is the contract between tensors and the hardware they live on:
// what a device must do, how one is found, how its memory is kept, how it fails.
//
// A Device runs Programs on Buffers through one in-order queue. A Driver finds
// and opens the devices of one family; the registry behind Open and List calls
// a driver only when asked to. A Pool lends out a device's memory in Blocks and
// paces the garbage collector by it. A Base is what a device embeds to be
// opened by name, marked by AllowHost and counted by Stats.
//
//	for _, l := range device.List() {
//		fmt.Println(l.Name, l.Info.Model, l.Err)
//	}
//	gpu, err := device.Open("best")
//	if err != nil {
//		return err // says what was looked for
//	}
//	defer gpu.Close()
//
// To add a device, write a folder beside opencl with a type that
// embeds Base and implements Device, Register its Driver in init, and import it
// in device/all; devicetest.Run proves it. To add an ability, add an interface
// beside MatMuler, Gatherer, Scanner and Sorter and have tensor ask for it by
// type assertion.
//
// The environment variable STRIDE0_POOL selects a debugging Mode of the memory.
package device
