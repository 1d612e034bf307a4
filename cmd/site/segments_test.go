package main

import (
	"bytes"
	"testing"
)

// Modules that were cut off are refused, and so are files of another kind.
func FuzzMergeSegments(f *testing.F) {
	small := []byte("\x00asm\x01\x00\x00\x00\x0b\x0f\x02\x00\x41\x80\x01\x0b\x01a\x00\x41\x05\x0b\x02bc")
	f.Add(small)
	f.Add(small[:len(small)-1])
	f.Add([]byte("#!/bin/sh"))
	f.Fuzz(func(t *testing.T, module []byte) {
		if len(module) > 1000 {
			return
		}
		packed, err := mergeSegments(module)
		if err != nil {
			return
		}
		if again, err := mergeSegments(packed); err != nil || !bytes.Equal(again, packed) {
			t.Errorf("%x: merged twice it is different: %v", module, err)
		}
	})
}

// A run of zeros is left out if it is long enough, and kept between data if it is not.
func TestMergeSegments(t *testing.T) {
	const header = "\x00asm\x01\x00\x00\x00"
	separate := []byte(header + "\x01\x00\x0b\x14\x03\x00\x41\x80\x10\x0b\x01a" + "\x00\x41\x05\x0b\x01b" + "\x00\x41\x00\x0b\x01c")
	want := []byte(header + "\x01\x00\x0b\x13\x02\x00\x41\x00\x0b\x06c\x00\x00\x00\x00b" + "\x00\x41\x80\x10\x0b\x01a")
	if got, err := mergeSegments(separate); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
