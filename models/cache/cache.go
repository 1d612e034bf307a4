// Package cache keeps networks for players unpacked in files that are mapped, so that a process
// begins to play at once, and processes share the pages.
//
//	folder, err := cache.Default()
//	network, err := folder.Open(key, decode)
//	if err != nil { // it is not there, or not to be believed
//		network, err = decode()
//		...
//		err = folder.Write(key, network)
//	}
//
// [Folder.WriteTables] writes a network that is decoded a table at a time, which takes less memory.
//
// The folder has mode 0700 and files have mode 0600. What belongs to another user, can be written by
// one, or is a link is not believed. A file is written aside and renamed. It holds checksums of its
// blocks: Open checks a sample of them, and the whole file is checked now and then while it is
// mapped. Files that were not used for 30 days are removed.
//
// While a file is mapped, the process holds a lease on it (fcntl F_SETLEASE): the system makes
// whoever wants to write to the file, or to truncate it, wait until the process has copied what it
// maps. Where there are no leases, files are read into memory instead.
package cache

import (
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"afterstate/internal/atomicfile"
	"afterstate/internal/xdg"
	"afterstate/ntuple"
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
	return filepath.Join(string(f), "network-"+hex.EncodeToString(key.Name[:])+"-"+format+"-"+byteOrder+".int16")
}

// ours reports whether a name is that of a network's file, of any version and machine.
func ours(name string) bool {
	rest, begins := strings.CutPrefix(name, "network-")
	rest, ends := strings.CutSuffix(rest, ".int16")
	all := strings.Split(rest, "-")
	if !begins || !ends || len(all) != 3 || all[2] != "little" && all[2] != "big" {
		return false
	}
	version, numbered := strings.CutPrefix(all[1], "v")
	return len(all[0]) == 64 && strings.Trim(all[0], "0123456789abcdef") == "" && numbered && version != "" && strings.Trim(version, "0123456789") == ""
}

const (
	unused = 30 * 24 * time.Hour // after which a file is removed
	noted  = time.Hour           // between two notes that a file is used
	// mostBytes is the size from which on Write removes the files that have not been used longest.
	mostBytes = 4 << 30
)

// Open opens the network of a key. decode returns the same network: it replaces the content of a
// file that turns out to be damaged while it is used. The caller closes the network. After an
// error the network must be decoded.
func (f Folder) Open(key Key, decode func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	path := f.Path(key)
	if err := xdg.CheckOwn(string(f)); err != nil {
		return nil, err
	}
	c, err := openContent(path, key)
	if err != nil {
		return nil, err
	}
	network, err := c.network(decode)
	if err != nil {
		if errors.Is(err, errUnsound) {
			c.remove() // or Write would leave it
		}
		return nil, errors.Join(err, c.file.Close())
	}
	if now := time.Now(); now.Sub(c.used) > noted && os.Chtimes(path, now, now) == nil {
		f.sweep(now, 0)
	}
	return network, nil
}

// Write writes the file of a network, unless there is a sound one.
func (f Folder) Write(key Key, n *ntuple.Network) error { return f.WriteTables(key, tablesOf(n)) }

// WriteTables is Write for a network that is not in memory. If there is a sound file, it does not call
// t.Each.
func (f Folder) WriteTables(key Key, t *Tables) error {
	if err := xdg.MakeOwn(string(f)); err != nil {
		return err
	}
	path := f.Path(key)
	if c, err := openContent(path, key); err == nil {
		return c.file.Close()
	}
	content := &header{Key: key.Content[:], Layout: t.Layout, Scale: t.Scale, Bias: t.Bias, Downgrade: t.Downgrade}
	content.Bytes = int64(t.Layout.Weights()) * 2
	f.sweep(time.Now(), content.Bytes)
	if err := fits(string(f), content.Bytes); err != nil {
		return err
	}
	file, err := atomicfile.Create(path, 0o600)
	if err != nil {
		return err
	}
	defer file.Discard()
	if err := content.write(through(file), t); err != nil {
		return err
	}
	return file.Commit()
}

// through is what files are written through; tests replace it by a disk that fails.
var through = func(file io.WriterAt) io.WriterAt { return file }

// Info is what the folder holds.
type Info struct {
	Folder string `json:"folder"`
	Bytes  int64  `json:"bytes"`
}

// Info adds up the files that the package made.
func (f Folder) Info() Info {
	i := Info{Folder: string(f)}
	f.each(func(_ string, info fs.FileInfo) { i.Bytes += info.Size() })
	return i
}

// sweep removes files that have not been used for long, as many more as it takes to keep below
// mostBytes with a further file, and what killed processes left. Processes keep what they have
// mapped.
func (f Folder) sweep(now time.Time, further int64) {
	atomicfile.RemoveLeftovers(string(f))
	type entry struct {
		path string
		info fs.FileInfo
	}
	var all []entry
	total := further
	f.each(func(path string, info fs.FileInfo) {
		all = append(all, entry{path, info})
		total += info.Size()
	})
	slices.SortFunc(all, func(a, b entry) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	for _, e := range all {
		if now.Sub(e.info.ModTime()) > unused || further > 0 && total > mostBytes {
			_ = os.Remove(e.path)
			total -= e.info.Size()
		}
	}
}

// each visits the files that the package made.
func (f Folder) each(visit func(path string, info fs.FileInfo)) {
	entries, _ := os.ReadDir(string(f))
	for _, e := range entries {
		if !e.Type().IsRegular() || !ours(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil {
			visit(filepath.Join(string(f), e.Name()), info)
		}
	}
}
