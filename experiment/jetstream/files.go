package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
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

const (
	fileAge   = 30 * 24 * time.Hour
	fileRenew = 7 * 24 * time.Hour // older files are stored again when an experiment needs them
	fileBatch = 32                 // pieces per request; a piece has 128 KiB
)

// PutFile stores a file under the SHA-256 of its contents, unless it is there, and returns that in
// hexadecimal. Files are removed 30 days after an experiment needed them last.
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
	if err := c.putFile(ctx, sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", c.o.URL, err)
	}
	return sum, nil
}

func (c *Client) putFile(ctx context.Context, sum string, f io.Reader) error {
	store, err := c.js.ObjectStore(ctx, c.names.bucket())
	if errors.Is(err, js.ErrBucketNotFound) {
		store, err = c.js.CreateObjectStore(ctx, js.ObjectStoreConfig{Bucket: c.names.bucket(), TTL: fileAge, Replicas: c.o.Replicas})
		if errors.Is(err, js.ErrBucketExists) { // another scheduler was faster
			store, err = c.js.ObjectStore(ctx, c.names.bucket())
		}
	}
	if err != nil {
		return err
	}
	info, err := store.GetInfo(ctx, sum)
	if errors.Is(err, js.ErrObjectNotFound) || err == nil && time.Since(info.ModTime) >= fileRenew {
		_, err = store.Put(ctx, js.ObjectMeta{Name: sum}, f)
	}
	return err
}

// GetFile returns the path of the file with this SHA-256 in a folder of the user alone, and downloads it unless it is
// there. Other contents are an error with both hashes. Concurrent calls download a file once.
func (c *Client) GetFile(ctx context.Context, sum, folder string) (path string, err error) {
	if raw, err := hex.DecodeString(sum); err != nil || len(raw) != sha256.Size {
		return "", fmt.Errorf("file %q: want a SHA-256, 64 hexadecimal digits", sum)
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
	h := sha256.New()
	if err := c.download(ctx, sum, io.MultiWriter(f, h)); err != nil {
		return "", fmt.Errorf("file %s: %w", sum, err)
	}
	if have := hex.EncodeToString(h.Sum(nil)); have != sum {
		return "", fmt.Errorf("file %s: the server has contents with SHA-256 %s under this name", sum, have)
	}
	return path, f.Commit()
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

// download writes the contents of an object. It reads the object's messages directly, since reading
// by a consumer needs the right to create one.
func (c *Client) download(ctx context.Context, name string, w io.Writer) error {
	var info js.ObjectInfo
	prefix := "$O." + c.names.bucket()
	found, err := c.direct(ctx, c.names.files(), directRequest{Last: prefix + ".M." + base64.URLEncoding.EncodeToString([]byte(name))})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return errors.New("the server does not have it")
	}
	if err := json.Unmarshal(found[0].Data, &info); err != nil {
		return err
	}
	if info.Deleted || !namePattern.MatchString(info.NUID) {
		return errors.New("the server does not have it")
	}
	pieces, next := info.Chunks, uint64(1)
	for pieces > 0 {
		short, cancel := context.WithTimeout(ctx, time.Minute)
		all, err := c.direct(short, c.names.files(), directRequest{Next: prefix + ".C." + info.NUID, Seq: next, Batch: fileBatch})
		cancel()
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return fmt.Errorf("the server has %d pieces less than it should", pieces)
		}
		for _, m := range all {
			if _, err := w.Write(m.Data); err != nil {
				return err
			}
			next = number(m, "Nats-Sequence") + 1
			pieces--
		}
	}
	return nil
}
