// Kernels that do one thing wrong each.
typedef unsigned u32;

extern "C" __global__ void store_past_end(int *p, u32 n) { p[threadIdx.x + blockIdx.x * blockDim.x] = n; }
extern "C" __global__ void load_before_start(const int *p, int *out) { out[threadIdx.x] = p[(int)threadIdx.x - 1]; }
extern "C" __global__ void misaligned(char *p) { *(int *)(p + 2) = 1; }
extern "C" __global__ void shared_past_end(int *out, u32 n) {
	__shared__ int s[32];
	__shared__ int after[32];
	after[threadIdx.x] = 1;
	s[threadIdx.x + n] = 2;
	__syncthreads();
	out[threadIdx.x] = after[threadIdx.x ^ 1] + s[threadIdx.x];
}
extern "C" __global__ void dynamic_past_end(int *out) {
	extern __shared__ int s[];
	s[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x ^ 1];
}
extern "C" __global__ void local_past_end(int *out, u32 n) {
	int a[4];
	for (u32 k = 0; k < n; k++) a[(k * 7) % n] = k;
	out[threadIdx.x] = a[n - 1 - threadIdx.x % n];
}
extern "C" __global__ void missing_barrier(const int *in, int *out) {
	__shared__ int s[64];
	s[threadIdx.x] = in[threadIdx.x];
	out[threadIdx.x] = s[63 - threadIdx.x];
}
// The barrier after the read is missing, so the next round's write races.
extern "C" __global__ void barrier_once(const int *in, int *out) {
	__shared__ int s[64];
	int v = in[threadIdx.x];
	for (int k = 0; k < 3; k++) {
		s[threadIdx.x] = v;
		__syncthreads();
		v += s[63 - threadIdx.x];
	}
	out[threadIdx.x] = v;
}
extern "C" __global__ void all_write_one(int *out) {
	__shared__ int s;
	s = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = s;
}
extern "C" __global__ void divergent_barrier(int *out) {
	__shared__ int s[32];
	s[threadIdx.x] = 1;
	if (threadIdx.x & 1) {
		__syncthreads();
		out[threadIdx.x] = s[0];
	} else {
		__syncthreads();
		out[threadIdx.x] = s[1] + 1;
	}
}
extern "C" __global__ void endless(volatile int *p) { while (p[0] == 0) {} }
extern "C" __global__ void traps() { asm("trap;"); }
extern "C" __global__ void absent_lane(int *out) { out[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 20); }
