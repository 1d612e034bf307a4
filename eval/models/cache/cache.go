// Package cache stores unpacked networks in files that players map into memory. So a process need
// not decode a network, and all processes share its memory pages.
//
//	folder, err := cache.Default()
//	network, err := folder.Load(key, tables, decode)
//
// Load maps the file of a network. If the file does not exist, it writes the file first. If the cache cannot be used,
// it decodes the network into memory.
//
// The folder has mode 0700. Files and folders that belong to another user, that another user can write to,
// or that are links are not trusted. A file is written under a temporary name and renamed. It then has
// mode 0400 (except on Windows), so that nobody changes it while processes map it. When a file is opened, its
// header and its size are checked. Where it is read instead of mapped, the checksums of its tables are too.
package cache

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
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

// Tables is a function that opens the source of a network, so that it can be decoded one table at a time. The
// caller calls free afterwards.
type Tables func() (t *quant.Int16Tables, free func(), err error)

// Load maps the network of a key, or reads it into memory on systems other than Linux. If there is no valid file,
// Load writes one, a table at a time, which takes less memory than the network. If that fails, it calls decode,
// which must return the same network. The caller closes the network.
func (f Folder) Load(key Key, tables Tables, decode func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	n, err := f.open(key)
	if err != nil && f.write(key, tables) == nil {
		n, err = f.open(key)
	}
	if err != nil {
		return decode()
	}
	return n, nil
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
func (f Folder) write(key Key, tables Tables) error {
	if err := xdg.MakeOwn(string(f)); err != nil {
		return err
	}
	t, free, err := tables()
	if err != nil {
		return err
	}
	defer free()
	bytes := weightBytes(&t.Layout)
	if f.Info().Bytes+bytes > maxBytes {
		f.removeAll()
	}
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
	if runtime.GOOS != "windows" { // Windows cannot replace a read-only file
		if err := file.Chmod(0o400); err != nil {
			return err
		}
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
//	sums     4 bytes for each table, by stage and pattern: its CRC-32C
const (
	magic     = "AFTERNC5"
	alignment = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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

// tableAt returns the offset of a table in the weights, in bytes, and its number.
func tableAt(l *ntuple.Layout, stage, pattern int) (at int64, number int) {
	begins, words := l.Spread()
	return 2 * (int64(stage)*int64(words) + int64(begins[pattern])), stage*len(l.Patterns) + pattern
}

// through wraps the file that is written; tests replace it to simulate a failing disk.
var through = func(file io.WriterAt) io.WriterAt { return file }

// write writes the complete content of a file.
func write(file *os.File, key Key, t *quant.Int16Tables) error {
	front, err := ntuple.EncodeFront(magic, header{key.Content[:], t.Head, t.Scale})
	if err != nil {
		return err
	}
	to, begin := through(file), weightsAt(len(front))
	if _, err := to.WriteAt(front, 0); err != nil {
		return err
	}
	var written atomic.Int64
	sums := make([]byte, 4*t.StageCount()*len(t.Patterns))
	err = t.Each(func(pattern, first int, tables [][]int16) error {
		for i, table := range tables {
			at, number := tableAt(&t.Layout, first+i, pattern)
			data := bytesOf(table)
			binary.LittleEndian.PutUint32(sums[4*number:], crc32.Checksum(data, castagnoli))
			if err := writeTable(to, data, begin+at); err != nil {
				return err
			}
			written.Add(int64(len(table)))
		}
		return nil
	})
	if err == nil && written.Load() != int64(t.Layout.Weights()) {
		err = errors.New("not all tables were there")
	}
	if err == nil {
		_, err = to.WriteAt(sums, begin+weightBytes(&t.Layout))
	}
	return err
}

// writeTable writes a table but skips ranges of zeros. Ranges that are never written read as zeros and take no
// disk space.
func writeTable(to io.WriterAt, data []byte, at int64) error {
	for part := range slices.Chunk(data, 64<<10) { // if writes are larger, readers map more pages than they read
		if slices.ContainsFunc(part, func(x byte) bool { return x != 0 }) {
			if _, err := to.WriteAt(part, at); err != nil {
				return err
			}
		}
		at += int64(len(part))
	}
	return nil
}

var errUnsound = errors.New("not a sound file of the cache")

// read maps a file and checks it. It checks the weights only on systems where files are read
// instead of mapped.
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
	if info.Size() != end+4*int64(h.StageCount()*len(h.Patterns)) {
		return nil, errUnsound
	}
	data, free, err := memory.MapFile(file, info.Size())
	if err != nil {
		return nil, err
	}
	weights := data[begin:end]
	if !memory.FilesAreMapped && !h.sound(weights, data[end:]) {
		free()
		return nil, errUnsound
	}
	var stages [][]int16
	for stage := range slices.Chunk(weights, len(weights)/h.StageCount()) {
		stages = append(stages, unsafe.Slice((*int16)(unsafe.Pointer(&stage[0])), len(stage)/2))
	}
	return ntuple.Int16Over(h.Head, h.Scale, stages, free)
}

// sound reports whether all tables match their checksums in the file.
func (h *header) sound(weights, sums []byte) bool {
	for stage := range h.StageCount() {
		for p := range h.Patterns {
			at, number := tableAt(&h.Layout, stage, p)
			table := weights[at:][:2*h.Patterns[p].Entries()]
			if crc32.Checksum(table, castagnoli) != binary.LittleEndian.Uint32(sums[4*number:]) {
				return false
			}
		}
	}
	return true
}

func bytesOf(words []int16) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 2*len(words))
}
