// Kernels whose results are known exactly. Those with many results write
// result k of element i to out[k*n + i].
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;

#define INDEX u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
#define PUT(expr) out[k++ * n + i] = (expr)

template <class T>
__device__ void integers(const T *pa, const T *pb, T *out, u32 n) {
	INDEX;
	int k = 0;
	T a = pa[i], b = pb[i];
	PUT(a + b); PUT(a - b); PUT(a * b); PUT(b == 0 || (b == (T)-1) ? 0 : a / b); PUT(b == 0 || (b == (T)-1) ? 0 : a % b);
	PUT(a & b); PUT(a | b); PUT(a ^ b); PUT(~a); PUT((T)-a); PUT(a < b ? a : b); PUT(a > b ? a : b);
	PUT(a << (b & (8 * sizeof(T) - 1))); PUT(a >> (b & (8 * sizeof(T) - 1)));
	PUT(a < b); PUT(a <= b); PUT(a == b); PUT(a != b && a > 3);
}

#define INTEGERS(T) extern "C" __global__ void integers_##T(const T *a, const T *b, T *out, u32 n) { integers<T>(a, b, out, n); }
typedef signed char i8;
typedef short i16;
typedef int i32;
INTEGERS(i8) INTEGERS(u8) INTEGERS(i16) INTEGERS(u16) INTEGERS(i32) INTEGERS(u32) INTEGERS(i64) INTEGERS(u64)

extern "C" __global__ void bits(const u32 *pa, const u32 *pb, u32 *out, u32 n) {
	INDEX;
	int k = 0;
	u32 a = pa[i], b = pb[i];
	u64 ab = (u64)a << 32 | b;
	PUT(__popc(a)); PUT(__clz(a)); PUT(__brev(a)); PUT(__ffs(a)); PUT(__popcll(ab)); PUT(__clzll(ab));
	PUT(__umulhi(a, b)); PUT((u32)__mulhi((int)a, (int)b)); PUT((u32)(__umul64hi(ab, ab) >> 32)); PUT(__byte_perm(a, b, 0x6543));
	PUT(__funnelshift_l(a, b, 7)); PUT(__funnelshift_r(a, b, b)); PUT((a >> 5) & 0x7ff); PUT(a << 13 | a >> 19);
}

template <class T>
__device__ void floats(const T *pa, const T *pb, T *out, u32 n) {
	INDEX;
	int k = 0;
	T a = pa[i], b = pb[i];
	PUT(a + b); PUT(a - b); PUT(a * b); PUT(a / b); PUT(sqrt(a)); PUT(fma(a, b, a)); PUT(a * b + a);
	PUT(floor(a)); PUT(ceil(a)); PUT(trunc(a)); PUT(rint(a)); PUT(fmin(a, b)); PUT(fmax(a, b)); PUT(fabs(a)); PUT(-a); PUT(copysign(a, b));
	PUT(a < b); PUT(a <= b); PUT(a == b); PUT(a != b); PUT(!(a < b)); PUT(a != a);
}
extern "C" __global__ void floats_float32(const float *a, const float *b, float *out, u32 n) { floats<float>(a, b, out, n); }
extern "C" __global__ void floats_float64(const double *a, const double *b, double *out, u32 n) { floats<double>(a, b, out, n); }

// Conversions saturate in PTX; the kernels write what the hardware gives.
extern "C" __global__ void to_integers(const double *pa, i64 *out, u32 n) {
	INDEX;
	int k = 0;
	double a = pa[i];
	float f = (float)a;
	PUT((i64)a); PUT((i64)(u64)a); PUT((int)a); PUT((u32)a); PUT((i64)f); PUT((i64)(u64)f); PUT((int)f); PUT((u32)f);
}
extern "C" __global__ void to_floats(const i64 *pa, double *out, u32 n) {
	INDEX;
	int k = 0;
	i64 a = pa[i];
	PUT((double)a); PUT((double)(u64)a); PUT((float)a); PUT((float)(u64)a); PUT((float)(int)a); PUT((float)(u32)a); PUT((float)(i16)a); PUT((float)(u8)a); PUT((double)(float)(double)a);
}
extern "C" __global__ void halves(const u16 *h, float *wide, const float *f, u16 *narrow, u32 n) {
	INDEX;
	asm("{ cvt.f32.f16 %0, %1; }" : "=f"(wide[i]) : "h"(h[i]));
	asm("{ cvt.rn.f16.f32 %0, %1; }" : "=h"(narrow[i]) : "f"(f[i]));
}

__device__ __noinline__ i64 gcd(i64 a, i64 b) {
	while (b) { i64 r = a % b; a = b; b = r; }
	return a;
}
extern "C" __global__ void calls(const i64 *a, const i64 *b, i64 *out, u32 n) {
	INDEX;
	out[i] = gcd(a[i], b[i]) + gcd(3 * b[i], 6);
}

__constant__ double table[5] = {1.5, 2.5, -3, 1e300, 4.9406564584124654e-324};
struct Meta { u32 n; u32 shape[3]; int step[3]; };
extern "C" __global__ void spaces(const int *in, double *out, const Meta m) {
	u32 i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= m.n) return;
	int local[8];
	for (int k = 0; k < 8; k++) local[k] = in[(i + k) % m.n] * m.step[k % 3];
	out[i] = table[i % 5] + local[in[i] & 7] + m.shape[2];
}

struct __align__(16) Four { float x, y, z, w; };
extern "C" __global__ void vectors(const Four *in, Four *out, u32 n) {
	INDEX;
	Four v = in[i];
	Four r = {v.w, v.z, v.y, v.x + 1};
	out[i] = r;
}

// Every thread takes another number of rounds through a loop with branches.
extern "C" __global__ void branches(const int *in, int *out, u32 n) {
	INDEX;
	int x = in[i], steps = 0;
	while (x != 1 && steps < 1000) {
		if (x & 1) { x = 3 * x + 1; if (x % 5 == 0) steps += 100; }
		else x >>= 1;
		steps++;
	}
	out[i] = steps;
}

extern "C" __global__ void coordinates(u32 *out) {
	u32 b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	u32 t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
	out[b * blockDim.x * blockDim.y * blockDim.z + t] = threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 16 | blockIdx.z << 20;
}

extern "C" __global__ void reduce(const int *in, int *out, u32 n) {
	__shared__ int s[256];
	extern __shared__ int dynamic[];
	u32 t = threadIdx.x;
	int sum = 0;
	for (u32 i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) sum += in[i];
	s[t] = sum;
	dynamic[blockDim.x - 1 - t] = sum;
	__syncthreads();
	for (u32 k = blockDim.x >> 1; k > 0; k >>= 1) {
		if (t < k) s[t] += s[t + k];
		__syncthreads();
	}
	int v = dynamic[t];
	for (int k = 16; k; k >>= 1) v += __shfl_xor_sync(0xffffffff, v, k);
	if (t == 0) out[blockIdx.x] = s[0];
	if ((t & 31) == 0) atomicAdd(out + gridDim.x, v);
	if (t == 0) atomicMax(out + gridDim.x + 1, s[0]);
	if (t == 0 && atomicCAS(out + gridDim.x + 2, 0, 7) == 0) atomicExch(out + gridDim.x + 3, 9);
}

// Half of the threads of a warp take another way to the shuffle.
extern "C" __global__ void warps(const int *in, u32 *out, u32 n) {
	INDEX;
	int k = 0, v = in[i];
	if (v & 1) v *= 3;
	u32 lane = threadIdx.x & 31;
	PUT(__shfl_up_sync(~0u, v, 1)); PUT(__shfl_down_sync(~0u, v, 2)); PUT(__shfl_sync(~0u, v, 5, 8)); PUT(__shfl_xor_sync(~0u, v, 3, 4));
	PUT(__ballot_sync(~0u, v > 50)); PUT(__any_sync(~0u, v == 17)); PUT(__all_sync(~0u, v < 1000));
	PUT(lane < 16 ? __shfl_sync(0xffff, v, 3) : __shfl_sync(0xffff0000, v, 20));
}

// A warp hands values on through shared memory with __syncwarp only.
extern "C" __global__ void warp_memory(const int *in, int *out) {
	__shared__ int s[64];
	u32 t = threadIdx.x;
	s[t] = in[t];
	__syncwarp();
	out[t] = s[t ^ 1];
}
