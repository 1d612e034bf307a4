package main

import (
	"bytes"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// No module makes it panic, and merging again changes nothing.
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

// Modules that were cut off within a section are refused, and so are other kinds of segments and of files.
func TestMergeSegmentsRefuses(t *testing.T) {
	const header = "\x00asm\x01\x00\x00\x00"
	const module = header + "\x0b\x06\x01\x00\x41\x05\x0b\x00"
	must.Get(mergeSegments([]byte(module)))(t)
	for n := range len(module) {
		if _, err := mergeSegments([]byte(module[:n])); err == nil && n != len(header) {
			t.Errorf("the first %d of %d bytes are no error", n, len(module))
		}
	}
	for _, bad := range []string{
		"#!/bin/sh",
		header + "\x0b\x03\x01\x01\x00",                 // a passive segment
		header + "\x0b\x06\x01\x00\x23\x05\x0b\x00",     // at the value of a global
		header + "\x0b\x06\x01\x00\x41\x7f\x0b\x00",     // at -1
		header + "\x0b\x07\x01\x00\x41\x05\x0b\x00\x00", // and one byte more
	} {
		if _, err := mergeSegments([]byte(bad)); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}
