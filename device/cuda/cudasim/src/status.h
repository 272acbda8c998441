// The codes of CUresult that the simulator returns, from cuda.h.
#pragma once

namespace sim {

enum : int {
	kSuccess = 0,
	kInvalidValue = 1,
	kOutOfMemory = 2,
	kNotInitialized = 3,
	kNoDevice = 100,
	kInvalidDevice = 101,
	kInvalidContext = 201,
	kNoBinary = 209,
	kInvalidPtx = 218,
	kUnsupportedPtxVersion = 222,
	kInvalidHandle = 400,
	kNotFound = 500,
	kNotReady = 600,
	kIllegalAddress = 700,
	kOutOfResources = 701,
	kTimeout = 702,
	kContextDestroyed = 709,
	kAssert = 710,
	kIllegalInstruction = 715,
	kMisalignedAddress = 716,
	kLaunchFailed = 719,
	kUnknown = 999,
};

} // namespace sim
