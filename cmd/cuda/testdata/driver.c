// A graphics driver without a graphics processor, for tests: its memory is that of this process, and the kernels are
// compiled as C. The functions have the signatures of NVIDIA's driver API.
#include <stdlib.h>
#include <string.h>

#include "kernel.cu"

typedef int result;
enum { invalid = 1, no_memory = 2, unknown_function = 500 };

result cuInit(unsigned flags) { return flags == 0 ? 0 : invalid; }

result cuGetErrorString(result r, const char **text) {
	*text = r == no_memory ? "out of memory" : "invalid argument";
	return 0;
}

result cuDeviceGet(int *device, int number) {
	*device = 7;
	return number == 0 ? 0 : invalid;
}

result cuDeviceGetName(char *name, int size, int device) {
	strncpy(name, "Emulator", size);
	return device == 7 ? 0 : invalid;
}

result cuDeviceGetAttribute(int *value, int attribute, int device) {
	*value = 3; // multiprocessors
	return device == 7 && attribute == 16 ? 0 : invalid;
}

result cuCtxCreate_v2(void **context, unsigned flags, int device) {
	*context = (void *)8;
	return device == 7 && flags == 0 ? 0 : invalid;
}

result cuCtxSynchronize(void) { return 0; }

result cuModuleLoadData(void **module, const char *image) {
	*module = (void *)9;
	return strstr(image, ".entry play(") && strstr(image, ".entry halve(") ? 0 : invalid;
}

result cuModuleGetFunction(void **function, void *module, const char *name) {
	if (module != (void *)9) return invalid;
	*function = strcmp(name, "play") == 0 ? (void *)play : strcmp(name, "halve") == 0 ? (void *)halve : NULL;
	return *function ? 0 : unknown_function;
}

result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
	*blocks = 2;
	return function == (void *)play && threads == 128 && shared == 0 ? 0 : invalid;
}

result cuMemAlloc_v2(u64 *at, size_t bytes) {
	*at = 0;
	if (getenv("SMALL_DEVICE")) return no_memory;
	*at = (u64)malloc(bytes);
	return 0;
}

result cuMemFree_v2(u64 at) {
	free((void *)at);
	return 0;
}

result cuMemsetD8_v2(u64 at, u8 value, size_t bytes) {
	memset((void *)at, value, bytes);
	return 0;
}

result cuMemcpyHtoD_v2(u64 to, const void *from, size_t bytes) {
	memcpy((void *)to, from, bytes);
	return 0;
}

result cuMemcpyDtoH_v2(void *to, u64 from, size_t bytes) {
	memcpy(to, (void *)from, bytes);
	return 0;
}

result cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
	unsigned shared, void *stream, void **arguments, void **extra) {
	if (y != 1 || z != 1 || bx != 128 || by != 1 || bz != 1 || shared || stream || extra) return invalid;
	if (function == (void *)play) {
		Setup *s = *(Setup **)arguments[0];
		if (x != (s->warps + 3) / 4) return invalid;
		play(s, *(i32 *)arguments[1]);
	} else {
		halve(*(u64 **)arguments[0], *(u64 *)arguments[1], *(float *)arguments[2]);
	}
	return 0;
}
