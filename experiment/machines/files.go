package machines

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// fileRenew is the age from which PutFile stores an existing file again, so that it does not expire while it is needed.
const fileRenew = 7 * 24 * time.Hour

// A download fails after fileTimeout, or after a second for each fileRate bytes of the file if that is longer.
const (
	fileTimeout = time.Minute
	fileRate    = 256 << 10
)

// PutFile stores a file under the SHA-256 of its contents, unless it is already stored, and returns the hash
// in hexadecimal. A file expires 30 days after it was last stored.
func (c *Client) PutFile(ctx context.Context, path string) (sum string, err error) {
	f, err := inputfile.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if sum, err = hashOf(f); err != nil {
		return "", fmt.Errorf("%s: %w", path, inputfile.Cause(err))
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if err := c.put(ctx, sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", c.o.URL, err)
	}
	return sum, nil
}

// putBytes does what PutFile does, for contents in memory.
func (c *Client) putBytes(ctx context.Context, data []byte) (sum string, err error) {
	hash := sha256.Sum256(data)
	sum = hex.EncodeToString(hash[:])
	return sum, c.put(ctx, sum, bytes.NewReader(data))
}

func (c *Client) put(ctx context.Context, sum string, f io.Reader) error {
	// The streams may not exist yet: the first experiment on a server uploads its files before it opens its
	// queue.
	if err := c.Prepare(ctx); err != nil {
		return err
	}
	store, err := c.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return err
	}
	info, err := store.GetInfo(ctx, sum)
	if errors.Is(err, js.ErrObjectNotFound) || err == nil && time.Since(info.ModTime) >= fileRenew {
		_, err = store.Put(ctx, js.ObjectMeta{Name: sum}, f)
	}
	return err
}

// GetFile returns the path of a local copy of the file with this SHA-256. The copy is in folder, which only
// the user can access. GetFile downloads the file if there is no copy. Concurrent calls download a file once.
func (c *Client) GetFile(ctx context.Context, sum, folder string) (path string, err error) {
	if raw, err := hex.DecodeString(sum); err != nil || len(raw) != sha256.Size {
		return "", fmt.Errorf("file %q: must be a SHA-256, 64 hexadecimal digits", sum)
	}
	c.fetching.Lock()
	defer c.fetching.Unlock()
	path = filepath.Join(folder, sum)
	if err := xdg.MakeOwn(folder); err != nil {
		return "", err
	}
	if have, err := hashFile(path); err == nil && have == sum {
		return path, nil
	}
	f, err := atomicfile.Create(path, 0o600)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	if err := c.ReadFile(ctx, sum, f); err != nil {
		return "", err
	}
	return path, f.Commit()
}

// ReadFile writes the contents of the file with this SHA-256 to w. It verifies the hash at the end: if it
// returns an error, the written data is invalid.
func (c *Client) ReadFile(ctx context.Context, sum string, w io.Writer) error {
	store, err := c.js.ObjectStore(ctx, filesStore)
	if err != nil {
		return fmt.Errorf("file %s: %w", sum, err)
	}
	info, err := store.GetInfo(ctx, sum)
	if err != nil {
		return fmt.Errorf("file %s: %w", sum, err)
	}
	// Without a deadline, the NATS client sets one of 5 s.
	ctx, cancel := context.WithTimeout(ctx, max(fileTimeout, time.Duration(info.Size/fileRate)*time.Second))
	defer cancel()
	object, err := store.Get(ctx, sum)
	if err != nil {
		return fmt.Errorf("file %s: %w", sum, err)
	}
	defer object.Close()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, h), object); err != nil {
		return fmt.Errorf("file %s: %w", sum, err)
	}
	if have := hex.EncodeToString(h.Sum(nil)); have != sum {
		return fmt.Errorf("file %s: the server has contents with SHA-256 %s under this name", sum, have)
	}
	return nil
}

// RemoveFile removes a file that PutFile has stored.
func (c *Client) RemoveFile(ctx context.Context, sum string) error {
	store, err := c.js.ObjectStore(ctx, filesStore)
	if err == nil {
		err = store.Delete(ctx, sum)
	}
	return err
}

func hashFile(path string) (string, error) {
	f, err := xdg.OpenOwn(path, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return hashOf(f)
}

func hashOf(r io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}
