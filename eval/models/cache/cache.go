// Package cache stores unpacked networks in files that players map into memory. So a process need
// not decode a network, and all processes share its memory pages.
//
//	folder, err := cache.Default()
//	network, err := folder.Load(key, decode)
//
// Load maps the file of a network. If the file does not exist, it decodes the network into memory, and writes the file
// for later calls. Files are mapped on Linux and macOS; on other systems Load always decodes.
//
// The folder has mode 0700. Files and folders that belong to another user, that another user can write to,
// or that are links are not trusted. A file is written under a temporary name and renamed. It then has
// mode 0400, so that nobody changes it while processes map it. When a file is opened, its
// header and its size are checked.
package cache

import (
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"unsafe"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Key identifies a network by hashes.
type Key struct {
	// Name selects the file in the cache. There is one file for each source, such as the path of a
	// model.
	Name [32]byte
	// Content identifies the content of the source. A cached file with other content is replaced.
	Content [32]byte
}

// Folder is the path of a cache.
type Folder string

// Default returns the user's cache: a folder in XDG_CACHE_HOME, or in .cache of the home folder. It fails if there is
// no home folder.
func Default() (Folder, error) {
	path, err := xdg.Cache()
	return Folder(path), err
}

// Path returns the path of a network's file, which need not exist.
func (f Folder) Path(key Key) string {
	return filepath.Join(string(f), "network-"+hex.EncodeToString(key.Name[:])+"-v"+magic[len(magic)-1:]+".int16")
}

// maxBytes limits the total size of the files. A single file may be larger.
const maxBytes = 4 << 30

// Load maps the network of a key. If there is no valid file, Load calls decode, which must return
// the same network, and writes the file. A failure to write is ignored. The caller closes the
// network.
func (f Folder) Load(key Key, decode func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	if !memory.FilesAreMapped {
		return decode()
	}
	n, err := f.open(key)
	if err == nil {
		return n, nil
	}
	if n, err = decode(); err == nil {
		_ = f.write(key, n) // without a file, the next process decodes again
	}
	return n, err
}

// open opens the file for a key.
func (f Folder) open(key Key) (*ntuple.Network, error) {
	if err := xdg.CheckOwn(string(f)); err != nil {
		return nil, err
	}
	file, err := xdg.OpenOwn(f.Path(key), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return read(file, key)
}

// write writes the file for a key.
func (f Folder) write(key Key, n *ntuple.Network) error {
	if err := xdg.MakeOwn(string(f)); err != nil {
		return err
	}
	bytes := weightBytes(&n.Layout)
	if f.Info().Bytes+bytes > maxBytes {
		f.removeAll()
	}
	if free, known := disk.Free(string(f)); known && free < 2*bytes {
		return errors.New("too little disk space")
	}
	file, err := atomicfile.Create(f.Path(key), 0o600)
	if err != nil {
		return err
	}
	defer file.Discard()
	if err := write(file.File, key, n); err != nil {
		return err
	}
	if err := file.Chmod(0o400); err != nil {
		return err
	}
	return file.Commit()
}

// Info is the path and the size of a cache.
type Info struct {
	Folder string `json:"folder"`
	Bytes  int64  `json:"bytes"`
}

// Info returns the total size of the cached files.
func (f Folder) Info() Info {
	i := Info{Folder: string(f)}
	for _, info := range f.files() {
		i.Bytes += info.Size()
	}
	return i
}

// removeAll removes the cached files. Processes that have mapped a file can still use it.
func (f Folder) removeAll() {
	for _, info := range f.files() {
		_ = os.Remove(filepath.Join(string(f), info.Name()))
	}
}

// files returns the cached files, of any format version.
func (f Folder) files() (all []fs.FileInfo) {
	ours := regexp.MustCompile(`^network-[0-9a-f]{64}-v[0-9]+\.int16$`)
	entries, _ := os.ReadDir(string(f))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && ours.MatchString(e.Name()) {
			all = append(all, info)
		}
	}
	return all
}

// A file begins with magic and a header, as [ntuple.EncodeFront] writes them. Then come
//
//	weights  16-bit integers of all stages, at the next multiple of alignment, laid out by ntuple.Layout.Spread
const (
	magic     = "AFTERNC6"
	alignment = 4096
)

// header describes the weights.
type header struct {
	Content []byte `json:"content"` // Key.Content
	ntuple.Head
	Scale float32 `json:"scale"`
}

// weightsAt returns the offset of the weights in a file whose front (magic and header) has this
// size.
func weightsAt(front int) int64 { return (int64(front) + alignment - 1) / alignment * alignment }

// weightBytes returns the size of the weights in bytes.
func weightBytes(l *ntuple.Layout) int64 {
	_, words := l.Spread()
	return 2 * int64(words) * int64(l.StageCount())
}

// through wraps the file that is written; tests replace it to simulate a failing disk.
var through = func(file io.WriterAt) io.WriterAt { return file }

// write writes the complete content of a file.
func write(file *os.File, key Key, n *ntuple.Network) error {
	front, err := ntuple.EncodeFront(magic, header{key.Content[:], n.Head, n.Int16Scale()})
	if err != nil {
		return err
	}
	to, begin := through(file), weightsAt(len(front))
	if _, err := to.WriteAt(front, 0); err != nil {
		return err
	}
	begins, words := n.Spread()
	for stage := range n.StageCount() {
		for p, at := range begins {
			if err := writeTable(to, memory.Bytes(n.Int16Table(stage, p)), begin+2*int64(stage*words+at)); err != nil {
				return err
			}
		}
	}
	return file.Truncate(begin + weightBytes(&n.Layout)) // the last weights may be zeros, which writeTable skips
}

// writeTable writes a table but skips ranges of zeros. Ranges that are never written read as zeros and take no
// disk space.
func writeTable(to io.WriterAt, data []byte, at int64) error {
	for part := range slices.Chunk(data, 64<<10) { // with larger writes, readers would map more pages than they read
		if slices.ContainsFunc(part, func(x byte) bool { return x != 0 }) {
			if _, err := to.WriteAt(part, at); err != nil {
				return err
			}
		}
		at += int64(len(part))
	}
	return nil
}

var errUnsound = errors.New("not a valid cache file")

// read maps a file and checks its header and its size.
func read(file *os.File, key Key) (*ntuple.Network, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var h header
	text, err := ntuple.DecodeFront(io.NewSectionReader(file, 0, info.Size()), magic, &h)
	if err != nil || string(h.Content) != string(key.Content[:]) || h.Validate() != nil {
		return nil, errUnsound
	}
	begin := weightsAt(len(magic) + 8 + len(text))
	end := begin + weightBytes(&h.Layout)
	if info.Size() != end {
		return nil, errUnsound
	}
	data, free, err := memory.MapFile(file, info.Size())
	if err != nil {
		return nil, err
	}
	weights := data[begin:end]
	var stages [][]int16
	for stage := range slices.Chunk(weights, len(weights)/h.StageCount()) {
		stages = append(stages, unsafe.Slice((*int16)(unsafe.Pointer(&stage[0])), len(stage)/2))
	}
	return ntuple.Int16Over(h.Head, h.Scale, stages, free)
}
