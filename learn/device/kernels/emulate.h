// What the kernels need of a C compiler, in place of device.h: the lanes of a warp, and the warps, are played one after
// another.
//
//	cc -shared -fPIC -O2 -fno-strict-aliasing -ffp-contract=off -x c kernel.cu -o kernel.so
//
// Tests use it on machines without a graphics processor.
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;
#define FN static inline
#define SLOW static
#define KERNEL void
#define TABLE static const
#define LANES for (int lane = 0; lane < 32; lane++)
#define EACH_WARP(w, number) \
	static Warp only, *w = &only; \
	for (u32 number = 0; number < s->warps; number++)
#define EACH_WORD(i, n) for (u64 i = 0; i < n; i++)
#define UNROLL

FN float read_float(const float *p) { return *p; }
FN u64 read_word(const u64 *p) { return *p; }
FN u32 read_count(const u32 *p) { return *p; }
FN void add_float(float *p, float x) { *p += x; }
FN u32 add_count(u32 *p, u32 x) { return (*p += x) - x; }
FN u64 add_word(u64 *p, u64 x) { return (*p += x) - x; }
FN void set_if_zero(float *p, float x) { *p = *p == 0 ? x : *p; }
FN float bits_to_float(u32 x) {
	union { u32 bits; float x; } u = {x};
	return u.x;
}
FN u64 high_product(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
FN int ones(u64 x) { return __builtin_popcountll(x); }
FN int length(u32 x) { return x ? 32 - __builtin_clz(x) : 0; }
FN int lowest(u64 x) { return __builtin_ctzll(x); }
FN void fence(void) {}
