package main

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"github.com/afterstate2048/afterstate/learn/device/kernels"
)

// driver has functions of the CUDA driver API, by name. They return a CUresult, 0 for success.
type driver struct {
	Init               func(flags uint32) int32
	GetErrorString     func(result int32, text *unsafe.Pointer) int32
	DeviceGet          func(device *int32, number int32) int32
	DeviceGetName      func(name *byte, size, device int32) int32
	DeviceGetAttribute func(value *int32, attribute, device int32) int32
	CtxCreate          func(context *uintptr, flags uint32, device int32) int32
	CtxSynchronize     func() int32
	ModuleLoadData     func(module *uintptr, image *byte) int32
	ModuleGetFunction  func(function *uintptr, module uintptr, name string) int32
	MemAlloc           func(at *uint64, bytes uint64) int32
	MemFree            func(at uint64) int32
	MemsetD8           func(at uint64, value uint8, bytes uint64) int32
	MemcpyHtoD         func(to uint64, from *byte, bytes uint64) int32
	MemcpyDtoH         func(to *byte, from, bytes uint64) int32
	LaunchKernel       func(f uintptr, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream uintptr,
		arguments, extra *unsafe.Pointer) int32
	OccupancyMaxBlocks func(blocks *int32, f uintptr, threads int32, shared uint64) int32
}

// openDriver loads the library of the graphics driver.
func openDriver() (d *driver, err error) {
	const library = "libcuda.so.1"
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("no NVIDIA graphics driver: %s cannot be loaded: %w", library, err)
	}
	d = new(driver)
	for name, function := range map[string]any{
		"cuInit":               &d.Init,
		"cuGetErrorString":     &d.GetErrorString,
		"cuDeviceGet":          &d.DeviceGet,
		"cuDeviceGetName":      &d.DeviceGetName,
		"cuDeviceGetAttribute": &d.DeviceGetAttribute,
		"cuCtxCreate_v2":       &d.CtxCreate,
		"cuCtxSynchronize":     &d.CtxSynchronize,
		"cuModuleLoadData":     &d.ModuleLoadData,
		"cuModuleGetFunction":  &d.ModuleGetFunction,
		"cuMemAlloc_v2":        &d.MemAlloc,
		"cuMemFree_v2":         &d.MemFree,
		"cuMemsetD8_v2":        &d.MemsetD8,
		"cuMemcpyHtoD_v2":      &d.MemcpyHtoD,
		"cuMemcpyDtoH_v2":      &d.MemcpyDtoH,
		"cuLaunchKernel":       &d.LaunchKernel,
		"cuOccupancyMaxActiveBlocksPerMultiprocessor": &d.OccupancyMaxBlocks,
	} {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("the NVIDIA graphics driver is too old: %w", err)
		}
		purego.RegisterFunc(function, symbol)
	}
	return d, nil
}

// check returns an error that names the call unless its result is success.
func (d *driver) check(call string, result int32) error {
	if result == 0 {
		return nil
	}
	reason := fmt.Sprintf("error %d", result)
	var text unsafe.Pointer
	if d.GetErrorString(result, &text) == 0 && text != nil {
		reason = fmt.Sprintf("%s (error %d)", unix.BytePtrToString((*byte)(text)), result)
	}
	return fmt.Errorf("%s: %s", call, reason)
}

// warpsOfBlock is the number of warps in a block of the kernel play.
const warpsOfBlock = 4

// gpu implements kernels.Machine.
type gpu struct {
	*driver
	name        string
	games       int
	play, halve uintptr
}

// open returns the first graphics processor with the kernels loaded.
func open() (*gpu, error) {
	runtime.LockOSThread() // a context belongs to a thread
	d, err := openDriver()
	if err != nil {
		return nil, err
	}
	g := &gpu{driver: d}
	var device, processors, blocks int32
	var context, module uintptr
	var name [256]byte
	image := append([]byte(kernels.PTX), 0)
	for _, step := range []struct {
		call string
		do   func() int32
	}{
		{"starting the driver", func() int32 { return d.Init(0) }},
		{"finding a graphics processor", func() int32 { return d.DeviceGet(&device, 0) }},
		{"reading its name", func() int32 { return d.DeviceGetName(&name[0], int32(len(name)-1), device) }},
		{"counting its multiprocessors", func() int32 { return d.DeviceGetAttribute(&processors, 16, device) }},
		{"opening it", func() int32 { return d.CtxCreate(&context, 0, device) }},
		{"translating the kernels (they need a processor since Volta, and a driver since 530)", func() int32 { return d.ModuleLoadData(&module, &image[0]) }},
		{"finding the kernel play", func() int32 { return d.ModuleGetFunction(&g.play, module, "play") }},
		{"finding the kernel halve", func() int32 { return d.ModuleGetFunction(&g.halve, module, "halve") }},
		{"counting blocks", func() int32 { return d.OccupancyMaxBlocks(&blocks, g.play, 32*warpsOfBlock, 0) }},
	} {
		if err := d.check(step.call, step.do()); err != nil {
			return nil, err
		}
	}
	g.name, g.games = unix.ByteSliceToString(name[:]), int(processors*blocks*warpsOfBlock)
	return g, nil
}

// Games returns as many games as the multiprocessors hold warps at once.
func (g *gpu) Games() int { return g.games }

func (g *gpu) Allocate(bytes int) (at kernels.Address, err error) {
	if err := g.check("allocating memory", g.MemAlloc(&at, uint64(max(bytes, 1)))); err != nil {
		return 0, err
	}
	return at, g.check("clearing memory", g.MemsetD8(at, 0, uint64(max(bytes, 1))))
}

func (g *gpu) Free(at kernels.Address) { _ = g.MemFree(at) }

func (g *gpu) Write(to kernels.Address, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return g.check("writing to its memory", g.MemcpyHtoD(to, &data[0], uint64(len(data))))
}

func (g *gpu) Read(from kernels.Address, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return g.check("reading its memory", g.MemcpyDtoH(&data[0], from, uint64(len(data))))
}

func (g *gpu) Play(setup kernels.Address, warps, moves int) error {
	n := int32(moves)
	return g.launch(g.play, (warps+warpsOfBlock-1)/warpsOfBlock, unsafe.Pointer(&setup), unsafe.Pointer(&n))
}

func (g *gpu) Halve(sums kernels.Address, weights int, limit float32) error {
	n := uint64(weights)
	return g.launch(g.halve, g.games/warpsOfBlock, unsafe.Pointer(&sums), unsafe.Pointer(&n), unsafe.Pointer(&limit))
}

// launch runs a kernel in blocks of warpsOfBlock warps and waits for its end.
func (g *gpu) launch(kernel uintptr, blocks int, arguments ...unsafe.Pointer) error {
	err := g.check("starting a kernel", g.LaunchKernel(kernel, uint32(blocks), 1, 1, 32*warpsOfBlock, 1, 1, 0, 0, &arguments[0], nil))
	if err != nil {
		return err
	}
	return g.check("running a kernel", g.CtxSynchronize())
}
