//go:build !amd64 || purego

package quant

const haveKernel = false

func blockKernel(*unpacker, int) bool { panic("no kernel") }

func integersKernel(*unpacker) *unpacker { panic("no kernel") }
