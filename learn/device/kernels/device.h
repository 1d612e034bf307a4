// What the kernels need of CUDA. emulate.h has the same for a C compiler.
typedef unsigned char u8;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
#define FN static __device__ __forceinline__
#define SLOW static __device__ __noinline__
#define KERNEL extern "C" __global__ void __launch_bounds__(128, 8) // 32 warps on a multiprocessor
#define TABLE static __constant__ const
#define LANES for (int lane = (__syncwarp(), threadIdx.x & 31), once = 1; once; once = 0, __syncwarp())
#define EACH_WARP(w, number) \
	__shared__ Warp warps[4]; \
	Warp *w = &warps[threadIdx.x >> 5]; \
	u32 number = blockIdx.x * 4 + (threadIdx.x >> 5); \
	if (number < s->warps)
#define EACH_WORD(i, n) for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
#define UNROLL _Pragma("unroll")
// Weights change while they are read, so reads go to the level-2 cache, where atomic additions take place.
FN float read_float(const float *p) { return __ldcg(p); }
FN u64 read_word(const u64 *p) { return __ldcg(p); }
FN u32 read_count(const u32 *p) { return __ldcg(p); }
// atomicAdd would wait for the old value.
FN void add_float(float *p, float x) { asm volatile("red.global.add.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "f"(x) : "memory"); }
FN u32 add_count(u32 *p, u32 x) { return atomicAdd(p, x); }
FN u64 add_word(u64 *p, u64 x) { return atomicAdd(p, x); }
FN void set_if_zero(float *p, float x) { atomicCAS((u32 *)p, 0u, __float_as_uint(x)); }
FN float bits_to_float(u32 x) { return __uint_as_float(x); }
FN u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }
FN int ones(u64 x) { return __popcll(x); }
FN int length(u32 x) { return 32 - __clz((int)x); } // number of bits
FN int lowest(u64 x) { return __ffsll((i64)x) - 1; } // place of the lowest set bit
FN void fence(void) { __threadfence(); }
