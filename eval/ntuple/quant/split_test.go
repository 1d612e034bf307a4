package quant

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestSplit(t *testing.T) {
	file := make([]byte, 2*PartSize+1000)
	for i := range file {
		file[i] = byte(i * i >> 7)
	}
	parts := Split(file)
	if len(parts) != 3 || len(parts[0]) != PartSize || !IsPart(parts[2]) {
		t.Fatalf("%d parts", len(parts))
	}
	joined, err := Join(parts[2], parts[0], parts[1])
	if err != nil || !bytes.Equal(joined, file) {
		t.Error(err)
	}
	bad := bytes.Clone(parts[1])
	bad[5000]++
	for want, parts := range map[string][][]byte{
		"no parts":                        nil,
		"2 parts are given, but the file": {parts[0], parts[1]},
		"given twice":                     {parts[0], parts[1], parts[1]},
		"another file":                    {parts[0], parts[1], Split(file[1:])[2]},
		"not a part of a split file":      {parts[0], file, parts[2]},
		"checksum is wrong":               {parts[0], bad, parts[2]},
	} {
		_, err := Join(parts...)
		must.Contains(t, fmt.Sprint(err), want)
	}
	if joined, err := Join(Split(nil)...); err != nil || len(joined) != 0 {
		t.Error(joined, err)
	}
}

// Whatever the bytes are, Join returns an error or a file.
func FuzzJoin(f *testing.F) {
	parts := Split(make([]byte, PartSize))
	f.Add(parts[1], parts[1])
	f.Add(Split([]byte("one"))[0], []byte{})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		_, _ = Join(a)
		_, _ = Join(a, b)
	})
}
