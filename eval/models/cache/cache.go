// Package cache keeps networks for players unpacked in files that are mapped, so that a process
// begins to play at once, and processes share the pages.
//
//	folder, err := cache.Default()
//	network, err := folder.Load(key, tables, decode)
//
// Load maps the file of a network. If the file does not exist, it writes the file first. If the cache cannot be used,
// it decodes the network into memory.
//
// The folder has mode 0700. What belongs to another user, can be written by one, or is a link is not
// believed. A file is written aside and renamed, and from then on nobody writes to it: its mode is 0400
// where it is mapped. It holds checksums of its blocks: a sample of them is checked when it is opened,
// and all when it is copied to memory. Files that were not used for 30 days are removed.
package cache

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Key identifies a network by hashes.
type Key struct {
	// Name chooses the file of the cache: there is one for each source, such as the path of a model.
	Name [32]byte
	// Content identifies what the source holds. A file of other content is replaced.
	Content [32]byte
}

// Folder is where the files are.
type Folder string

// Default is the folder below XDG_CACHE_HOME. The error says that there is no place for it.
func Default() (Folder, error) {
	path, err := xdg.Cache()
	return Folder(path), err
}

// Path is the file of a network, which need not be there.
func (f Folder) Path(key Key) string {
	return filepath.Join(string(f), "network-"+hex.EncodeToString(key.Name[:])+"-"+format+".int16")
}

const (
	unused = 30 * 24 * time.Hour // after which a file is removed
	noted  = time.Hour           // between two notes that a file is used
	// maxBytes is the size from which on files that have not been used longest are removed.
	maxBytes = 4 << 30
)

// Tables opens the source of a network, to be decoded a table at a time. The caller calls free then.
type Tables func() (t *quant.Int16Tables, free func(), err error)

// Load maps the network of a key, or reads it into memory on systems other than Linux. If there is no sound
// file, it writes one, a table at a time, which takes less memory than the network. If that fails, it returns
// what decode returns: the same network. It calls decode again if the file turns out to be damaged while it
// is used. The caller closes the network.
func (f Folder) Load(key Key, tables Tables, decode func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	n, err := f.open(key, decode)
	if err != nil && f.write(key, tables) == nil {
		n, err = f.open(key, decode)
	}
	if err != nil {
		return decode()
	}
	return n, nil
}

// open opens the file of a key.
func (f Folder) open(key Key, decode func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	if err := xdg.CheckOwn(string(f)); err != nil {
		return nil, err
	}
	c, err := openContent(f.Path(key), key)
	if err != nil {
		return nil, err
	}
	n, err := c.network(decode)
	if err != nil {
		return nil, errors.Join(err, c.file.Close())
	}
	if now := time.Now(); now.Sub(c.used) > noted && os.Chtimes(c.file.Name(), now, now) == nil {
		f.sweep(now, 0)
	}
	return n, nil
}

// write writes the file of a key.
func (f Folder) write(key Key, tables Tables) error {
	if err := xdg.MakeOwn(string(f)); err != nil {
		return err
	}
	t, free, err := tables()
	if err != nil {
		return err
	}
	defer free()
	bytes := 2 * int64(t.Layout.Weights())
	f.sweep(time.Now(), bytes)
	if free, known := disk.Free(string(f)); known && free < 2*bytes {
		return errors.New("too little space")
	}
	file, err := atomicfile.Create(f.Path(key), 0o600)
	if err != nil {
		return err
	}
	defer file.Discard()
	if err := write(file.File, key, t); err != nil {
		return err
	}
	if err := file.Chmod(mode); err != nil {
		return err
	}
	return file.Commit()
}

// Info is what the folder holds.
type Info struct {
	Folder string `json:"folder"`
	Bytes  int64  `json:"bytes"`
}

// Info adds up the files that the package made.
func (f Folder) Info() Info {
	i := Info{Folder: string(f)}
	for _, info := range f.files() {
		i.Bytes += info.Size()
	}
	return i
}

// sweep removes files that have not been used for long, as many more as it takes to keep below
// maxBytes with a further file, and what killed processes left. Processes keep what they have
// mapped.
func (f Folder) sweep(now time.Time, further int64) {
	atomicfile.RemoveLeftovers(string(f))
	total := further
	for _, info := range f.files() {
		total += info.Size()
		if now.Sub(info.ModTime()) > unused || total > maxBytes {
			_ = os.Remove(filepath.Join(string(f), info.Name()))
		}
	}
}

// files are those that the package made, of any version; the one used last comes first.
func (f Folder) files() (all []fs.FileInfo) {
	ours := regexp.MustCompile(`^network-[0-9a-f]{64}-v[0-9]+\.int16$`)
	entries, _ := os.ReadDir(string(f))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && ours.MatchString(e.Name()) {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return all
}
