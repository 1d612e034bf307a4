package training

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/afterstate2048/afterstate/internal/memory"
)

// Limits of a checkpoint, in bytes.
const (
	MaxCheckpoint = 4 << 30
	MaxCompressed = 512 << 20
)

var errTooLarge = fmt.Errorf("a checkpoint of more than %s, or %s compressed: must be a smaller network, or be trained without workers on other machines",
	memory.Words(MaxCheckpoint), memory.Words(MaxCompressed))

// compress copies a checkpoint.
func compress(to io.Writer, from io.Reader) error {
	z, err := zstd.NewWriter(&limited{to, MaxCompressed}, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if _, err := io.Copy(z, from); err != nil {
		z.Close()
		return err
	}
	return z.Close()
}

// decompress copies a compressed checkpoint.
func decompress(to io.Writer, from io.Reader) error {
	z, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return err
	}
	defer z.Close()
	_, err = io.Copy(&limited{to, MaxCheckpoint}, z)
	return err
}

// limited is a writer with room for a number of bytes.
type limited struct {
	io.Writer
	left int64
}

func (l *limited) Write(data []byte) (int, error) {
	if l.left -= int64(len(data)); l.left < 0 {
		return 0, errTooLarge
	}
	return l.Writer.Write(data)
}
