//go:build !linux

package cache

import (
	"unsafe"

	"afterstate/ntuple"
)

// mode is that of the files.
const mode = 0o600

// network reads the file into memory.
func (c *content) network(func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	words, free, err := ntuple.Allocate[uint64](int(c.bytes+7) / 8)
	if err != nil {
		return nil, err
	}
	data := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), c.bytes)
	if err := c.load(data); err != nil {
		free()
		return nil, err
	}
	n, err := c.over(data, free)
	if err != nil {
		return nil, err
	}
	return n, c.file.Close()
}
