package device

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Hello is what a program says when it is ready.
type Hello struct {
	Version string `json:"version"`
	Device  string `json:"device"` // its name, such as "NVIDIA H200"
	Games   int    `json:"games"`  // number of games that it plays at once
}

// request is a line to the program.
type request struct {
	Method  string            `json:"method"`
	Head    *ntuple.Head      `json:"head,omitempty"`
	Options *learn.Options    `json:"options,omitempty"`
	Next    uint64            `json:"next,omitempty"`
	Stored  []int             `json:"stored,omitempty"` // number of boards by milestone
	Turn    *learn.DeviceTurn `json:"turn,omitempty"`
}

// answer is a line from the program.
type answer struct {
	Error  string              `json:"error,omitempty"`
	Hello  *Hello              `json:"hello,omitempty"`
	Report *learn.DeviceReport `json:"report,omitempty"`
	Games  int                 `json:"games,omitempty"` // number of games that follow
	Stored []int               `json:"stored,omitempty"`
}

// wire is a connection between the two programs.
type wire struct {
	in  *bufio.Reader
	out *bufio.Writer
}

func newWire(in io.Reader, out io.Writer) *wire {
	return &wire{bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)}
}

// send writes a line. flush sends what has been written.
func (w *wire) send(message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(text, '\n'))
	return err
}

// receive reads a line.
func (w *wire) receive(message any) error {
	line, err := w.in.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, message)
}

// read reads the memory of words.
func read[T any](w *wire, words []T) error {
	_, err := io.ReadFull(w.in, memory.Bytes(words))
	return err
}

// write writes the memory of words.
func write[T any](w *wire, words []T) error {
	_, err := w.out.Write(memory.Bytes(words))
	return err
}

// writeRun writes the tables and the stored boards of a run.
func (w *wire) writeRun(r *learn.DeviceRun) error {
	var err error
	for table := range r.Tables() {
		err = cmp.Or(err, write(w, table))
	}
	for _, boards := range r.Stored {
		err = cmp.Or(err, write(w, boards))
	}
	return err
}

// readRun reads what writeRun wrote. stored has the number of boards by milestone.
func (w *wire) readRun(r *learn.DeviceRun, stored []int) error {
	if len(stored) != len(r.Stored) || slices.Min(stored) < 0 || slices.Max(stored) > learn.MaxStored {
		return fmt.Errorf("%d milestones with up to %d boards", len(stored), slices.Max(stored))
	}
	var err error
	for table := range r.Tables() {
		if err == nil {
			err = read(w, table)
		}
	}
	for m, n := range stored {
		if err == nil {
			r.Stored[m] = make([]bitboard.Board, n)
			err = read(w, r.Stored[m])
		}
	}
	return err
}

// counts returns the number of stored boards by milestone.
func counts(r *learn.DeviceRun) (n []int) {
	for _, boards := range r.Stored {
		n = append(n, len(boards))
	}
	return n
}
