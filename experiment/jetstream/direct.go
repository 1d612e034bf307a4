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
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Workers may not create consumers or read the configuration of streams, which nats.go's jetstream package does before
// it reads. So they send these requests themselves.

// ask sends a request, and returns a channel of the answers until done is called. It has room for this number of them.
func (c *Client) ask(subject string, request any, room int) (answers chan *nats.Msg, done func(), err error) {
	data, _ := json.Marshal(request)       // strings and numbers
	answers = make(chan *nats.Msg, room+1) // SubscribeSync would allocate for half a million
	inbox := c.conn.NewInbox()
	sub, err := c.conn.ChanSubscribe(inbox, answers)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = sub.Unsubscribe() }
	if err := c.conn.PublishRequest(subject, inbox, data); err != nil {
		done()
		return nil, nil, err
	}
	return answers, done, nil
}

// directRequest is a request for stored messages, which needs no right but this one.
type directRequest struct {
	Seq   uint64 `json:"seq,omitempty"`
	Batch int    `json:"batch,omitempty"`
	Last  string `json:"last_by_subj,omitempty"`
	Next  string `json:"next_by_subj,omitempty"`
}

const (
	maxDirect    = 1024            // messages that one request returns
	directAnswer = 5 * time.Second // for the next message
)

// direct returns messages of a stream: the last one of a subject, or consecutive ones. Their headers
// have the subject, sequence and time.
func (c *Client) direct(ctx context.Context, stream string, q directRequest) (all []*nats.Msg, err error) {
	answers, done, err := c.ask("$JS.API.DIRECT.GET."+stream, q, q.Batch)
	if err != nil {
		return nil, err
	}
	defer done()
	for {
		var m *nats.Msg
		select {
		case m = <-answers:
		case <-time.After(directAnswer):
			return nil, nats.ErrTimeout
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch status := m.Header.Get("Status"); {
		case status == "204" || status == "404":
			return all, nil // the end, or nothing
		case status == "503":
			return nil, nats.ErrNoResponders
		case status != "":
			return nil, fmt.Errorf("stream %s: %s %s", stream, status, m.Header.Get("Description"))
		}
		if all = append(all, m); q.Batch == 0 {
			return all, nil
		}
	}
}

// latest returns the messages of a stream that has one for each subject, those with subjects of a pattern.
func (c *Client) latest(ctx context.Context, stream, pattern string) ([]*nats.Msg, error) {
	at := map[string]*nats.Msg{} // one that is replaced meanwhile comes twice
	for from, more := uint64(1), true; more && len(at) < maxWorkers; {
		page, err := c.direct(ctx, stream, directRequest{Next: pattern, Seq: from, Batch: maxDirect})
		if err != nil {
			return nil, err
		}
		more = false
		for _, m := range page {
			at[m.Header.Get("Nats-Subject")] = m
			from, more = number(m, "Nats-Sequence")+1, number(m, "Nats-Num-Pending") > 0
		}
	}
	return slices.Collect(maps.Values(at)), nil
}

// lastToken is the last token of a subject.
func lastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// subjectID is the last token of the subject of a stored message.
func subjectID(m *nats.Msg) string { return lastToken(m.Header.Get("Nats-Subject")) }

// number is the value of a header that the server writes, 0 if it is missing.
func number(m *nats.Msg, header string) uint64 {
	n, _ := strconv.ParseUint(m.Header.Get(header), 10, 64)
	return n
}

// missing explains the error of a request to a stream that may not exist.
func (c *Client) missing(err error) error {
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%s has no experiments in namespace %s: begin one first", c.o.URL, c.o.Namespace)
	}
	return err
}

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
	store, err := c.js.CreateObjectStore(ctx, js.ObjectStoreConfig{Bucket: c.names.bucket(), TTL: fileAge, Replicas: c.o.Replicas})
	if errors.Is(err, js.ErrBucketExists) { // with other settings
		store, err = c.js.ObjectStore(ctx, c.names.bucket())
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

// ReadFile writes the contents with this SHA-256 to w. It verifies them last: after an error, what was written is invalid.
func (c *Client) ReadFile(ctx context.Context, sum string, w io.Writer) error {
	h := sha256.New()
	if err := c.download(ctx, sum, io.MultiWriter(w, h)); err != nil {
		return fmt.Errorf("file %s: %w", sum, err)
	}
	if have := hex.EncodeToString(h.Sum(nil)); have != sum {
		return fmt.Errorf("file %s: the server has contents with SHA-256 %s under this name", sum, have)
	}
	return nil
}

// RemoveFile removes what PutFile has stored.
func (c *Client) RemoveFile(ctx context.Context, sum string) error {
	store, err := c.js.ObjectStore(ctx, c.names.bucket())
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
