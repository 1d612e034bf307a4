package training

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
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

// compressed returns a temporary file in a folder with a checkpoint, whose compressed bytes go to also too. The caller discards it.
func compressed(folder string, from io.Reader, also io.Writer) (*atomicfile.File, error) {
	f, err := atomicfile.Create(filepath.Join(folder, "compressed"), 0o600)
	if err != nil {
		return nil, err
	}
	if err := compress(io.MultiWriter(f, also), from); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
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
