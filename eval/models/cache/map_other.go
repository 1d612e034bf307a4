//go:build !linux

package cache

import "github.com/afterstate2048/afterstate/eval/ntuple"

// mode is that of the files.
const mode = 0o600

// network reads the file into memory.
func (c *content) network(func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	words, free, err := ntuple.Allocate[int16](int(c.bytes / 2))
	if err != nil {
		return nil, err
	}
	data := bytesOf(words)
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
