//go:build !amd64 || purego

package quant

const haveKernel = false

func tableKernel(*unpacker, int) { panic("no kernel") }
