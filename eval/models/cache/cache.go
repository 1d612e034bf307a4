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
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

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
	bytes := weightBytes(&t.Layout)
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

// A file holds
//
//	weights  16-bit integers of all stages, so that they begin on a huge page when they are mapped
//	header   JSON, see header
//	length   4 bytes: of the header
//	check    4 bytes: CRC-32C of the header
//
// all in the machine's byte order. A file of the other order has another check.
const (
	format  = "v4"
	footer  = 8
	block   = 64 << 10
	sampled = 16      // blocks that are checked when a file is opened
	longest = 1 << 20 // more than any header has
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header says what the weights are.
type header struct {
	Content []byte `json:"content"` // Key.Content
	ntuple.Head
	Scale float32 `json:"scale"`
	Sums  []byte  `json:"sums"` // 4 bytes for each block of weights: its CRC-32C
}

// through is what files are written through; tests replace it by a disk that fails.
var through = func(file io.WriterAt) io.WriterAt { return file }

// write writes a whole file, and reads the weights again for their checksums.
func write(file *os.File, key Key, t *quant.Int16Tables) error {
	to := through(file)
	h := header{key.Content[:], t.Head, t.Scale, nil}
	c := content{header: h, file: file, bytes: weightBytes(&t.Layout)}
	var written atomic.Int64
	err := t.Each(func(pattern, first int, tables [][]int16) error {
		for i, table := range tables {
			at := tableAt(&t.Layout, first+i, pattern) / 2
			for part := range slices.Chunk(bytesOf(table), block) { // of large writes, readers map more than they read
				if slices.ContainsFunc(part, func(x byte) bool { return x != 0 }) { // what is not written reads as zeros, and takes no disk
					if _, err := to.WriteAt(part, 2*int64(at)); err != nil {
						return err
					}
				}
				at += len(part) / 2
				written.Add(int64(len(part)))
			}
		}
		return nil
	})
	if err == nil && written.Load() != 2*int64(t.Layout.Weights()) {
		err = errors.New("not all tables were there")
	}
	if err == nil {
		err = file.Truncate(c.bytes)
	}
	if err != nil {
		return err
	}
	buffer := make([]byte, block)
	for i := range c.blocks() {
		data, err := c.block(i, buffer)
		if err != nil {
			return err
		}
		c.Sums = binary.NativeEndian.AppendUint32(c.Sums, crc32.Checksum(data, castagnoli))
	}
	end, err := json.Marshal(c.header)
	if err != nil {
		return err
	}
	length, sum := len(end), crc32.Checksum(end, castagnoli)
	end = binary.NativeEndian.AppendUint32(end, uint32(length))
	_, err = to.WriteAt(binary.NativeEndian.AppendUint32(end, sum), c.bytes)
	return err
}

// content is an open file.
type content struct {
	header
	file  *os.File
	used  time.Time // when its last use was noted
	bytes int64     // of the weights
}

// weightBytes is the size of the weights, which lie as in memory: see ntuple.Layout.Spread.
func weightBytes(l *ntuple.Layout) int64 {
	_, words := l.Spread()
	return 2 * int64(words) * int64(l.StageCount())
}

// tableAt returns where a table begins, in bytes.
func tableAt(l *ntuple.Layout, stage, pattern int) int {
	begins, words := l.Spread()
	return 2 * (stage*words + begins[pattern])
}

var errUnsound = errors.New("not a sound file of the cache")

// openContent opens a file and checks it, of the weights some blocks.
func openContent(path string, key Key) (*content, error) {
	file, err := xdg.OpenOwn(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	c := &content{file: file}
	if err := c.read(key); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return c, nil
}

// read reads what comes after the weights, and checks it and some blocks.
func (c *content) read(key Key) error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	c.used = info.ModTime()
	var end [footer]byte
	if _, err := c.file.ReadAt(end[:], info.Size()-footer); err != nil {
		return errUnsound
	}
	length := int64(binary.NativeEndian.Uint32(end[:]))
	text := make([]byte, min(length, longest))
	if _, err := c.file.ReadAt(text, info.Size()-footer-length); err != nil {
		return errUnsound
	}
	if crc32.Checksum(text, castagnoli) != binary.NativeEndian.Uint32(end[4:]) || json.Unmarshal(text, &c.header) != nil ||
		string(c.Content) != string(key.Content[:]) || c.Validate() != nil {
		return errUnsound
	}
	c.bytes = weightBytes(&c.Layout)
	if info.Size() != c.bytes+length+footer || len(c.Sums) != 4*c.blocks() {
		return errUnsound
	}
	buffer := make([]byte, block)
	for range min(c.blocks(), sampled) {
		if err := c.readBlock(rand.IntN(c.blocks()), buffer); err != nil {
			return err
		}
	}
	return nil
}

func (c *content) blocks() int { return int((c.bytes + block - 1) / block) }

// block reads a block into the front of dst.
func (c *content) block(i int, dst []byte) ([]byte, error) {
	from := int64(i) * block
	dst = dst[:min(block, c.bytes-from)]
	_, err := c.file.ReadAt(dst, from)
	return dst, err
}

// readBlock reads a block into the front of dst and checks it.
func (c *content) readBlock(i int, dst []byte) error {
	data, err := c.block(i, dst)
	if err != nil || crc32.Checksum(data, castagnoli) != binary.NativeEndian.Uint32(c.Sums[4*i:]) {
		return errUnsound
	}
	return nil
}

// load reads all weights into memory and checks them.
func (c *content) load(dst []byte) error {
	for i := range c.blocks() {
		if err := c.readBlock(i, dst[i*block:]); err != nil {
			return err
		}
	}
	return nil
}

// over returns a network that uses data as its weights. Closing the network calls free, and so does over if it fails.
func (c *content) over(data []byte, free func()) (*ntuple.Network, error) {
	var stages [][]int16
	for size := len(data) / c.Layout.StageCount(); len(data) > 0; data = data[size:] {
		stages = append(stages, unsafe.Slice((*int16)(unsafe.Pointer(&data[0])), size/2))
	}
	return ntuple.Int16Over(c.Head, c.Scale, stages, free)
}

func bytesOf(words []int16) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 2*len(words))
}
