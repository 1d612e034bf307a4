//go:build !amd64 || purego

package quant

const haveKernel = false

func blockKernel(tables **unpacker, n int) { panic("no kernel") }
