package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// mergeSegments merges the data segments of a WebAssembly module. Go's linker leaves out every run of eight
// zero bytes, and so writes up to 100,000 segments, whose headers do not compress. With few segments the engine
// is 170 kB smaller with gzip, and starts sooner.
func mergeSegments(module []byte) ([]byte, error) {
	const header = "\x00asm\x01\x00\x00\x00" // magic number and version
	const dataSection = 11
	rest, ok := bytes.CutPrefix(module, []byte(header))
	if !ok {
		return nil, errors.New("no WebAssembly module of version 1")
	}
	out := []byte(header)
	for r := (wasmReader{rest: rest}); len(r.rest) > 0; {
		id, body := r.byte(), r.bytes()
		if r.err == nil && id == dataSection {
			memory, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			body = appendSegments(nil, memory)
		}
		if r.err != nil {
			return nil, r.err
		}
		out = appendBytes(append(out, id), body)
	}
	return out, nil
}

// An encoded data segment has a kind, a constant expression for its offset, and its bytes.
const (
	activeSegment = 0x00 // active, in memory 0
	i32Const      = 0x41
	endExpression = 0x0b
)

// maxMemory limits the initial memory. The engine's initial memory takes 4 MB.
const maxMemory = 64 << 20

// readSegments returns the memory that the segments of a data section initialize.
func readSegments(section []byte) (memory []byte, err error) {
	r := wasmReader{rest: section}
	for n := r.uint(); n > 0 && r.err == nil; n-- {
		kind, op, offset, end, data := r.byte(), r.byte(), r.int(), r.byte(), r.bytes()
		if kind != activeSegment || op != i32Const || end != endExpression || offset < 0 || offset > maxMemory {
			return nil, fmt.Errorf("data segment of kind %d with the offset expression %#x %d %#x", kind, op, offset, end)
		}
		if missing := offset + len(data) - len(memory); missing > 0 {
			memory = append(memory, make([]byte, missing)...)
		}
		copy(memory[offset:], data)
	}
	if r.err == nil && len(r.rest) > 0 {
		r.err = fmt.Errorf("%d bytes after the data segments", len(r.rest))
	}
	return memory, r.err
}

// minZeros is the length of the shortest run of zeros that is left out. Memory is zero before segments are
// copied to it.
const minZeros = 256

// appendSegments appends a data section that initializes memory.
func appendSegments(out, memory []byte) []byte {
	memory = bytes.TrimRight(memory, "\x00")
	var segments []byte
	count := uint64(0)
	for at := 0; ; count++ {
		at = len(memory) - len(bytes.TrimLeft(memory[at:], "\x00"))
		data, _, _ := bytes.Cut(memory[at:], make([]byte, minZeros))
		if len(data) == 0 {
			return append(binary.AppendUvarint(out, count), segments...)
		}
		segments = appendInt(append(segments, activeSegment, i32Const), at)
		segments = appendBytes(append(segments, endExpression), data)
		at += len(data)
	}
}

func appendBytes(out, data []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(data))), data...)
}

// appendInt appends a signed number in LEB128.
func appendInt(out []byte, v int) []byte {
	for ; v < -64 || v > 63; v >>= 7 {
		out = append(out, byte(v)|0x80)
	}
	return append(out, byte(v)&0x7f)
}

// wasmReader reads the parts of a module. After an error, its methods return zero values.
type wasmReader struct {
	rest []byte
	err  error
}

func (r *wasmReader) byte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// bytes reads a length and as many bytes.
func (r *wasmReader) bytes() []byte { return r.take(r.uint()) }

func (r *wasmReader) uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.take(uint64(max(n, 0)))
	if n <= 0 {
		r.fail()
	}
	return v
}

// int reads a signed number in LEB128.
func (r *wasmReader) int() (v int) {
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		v |= int(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.fail()
	return 0
}

func (r *wasmReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *wasmReader) fail() {
	r.rest, r.err = nil, errors.New("the WebAssembly module is damaged")
}
