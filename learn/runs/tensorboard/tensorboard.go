// Package tensorboard writes the metrics of training runs as event files, which TensorBoard
// displays: tensorboard --logdir DIR.
//
//	w, err := tensorboard.Create("logs", "4x6-1", tensorboard.Start{Options: settings, Earlier: run.Earlier})
//	err = w.Add(interval) // after each interval
//	err = w.Close()
//
// A run is a subfolder of DIR with the name of the run. Each process that trains creates a new file
// and never changes an existing one. If a resumed run has no event files yet, its first file also
// contains the earlier intervals. If it has event files, the new file makes TensorBoard drop the
// events of games that will be played again.
//
// # Scalars
//
// The step is the number of games of the run.
//
//	score/mean                    mean score of games from an empty board
//	score/mean_restarted          mean score of games from stored boards
//	score/restarts_from_SUM       mean score of games from the boards of one milestone
//	reached/TILE                  share of games that reached a tile
//	speed/games_per_s, speed/moves_per_s
//
// # Format
//
// The file is a sequence of TFRecords. The data of each record is an Event message, encoded as a
// protocol buffer:
//
//	uint64 length, uint32 masked CRC32C of the length, data, uint32 masked CRC32C of the data
//
// See tensorflow/core/lib/io/record_writer.h, and event.proto and summary.proto of TensorBoard.
package tensorboard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
)

// Writer appends the metrics of one run to an event file.
type Writer struct {
	file *os.File
	now  func() time.Time
}

// Start holds the data at the beginning of an event file.
type Start struct {
	Options []runs.Setting              // shown as text
	Earlier []protocol.TrainingInterval // the intervals of earlier processes
	Games   uint64                      // number of games after which the run resumes
	// Now returns the time of events. Nil means time.Now.
	Now func() time.Time
}

// Create creates an event file for this process in the subfolder of dir with the run's name.
func Create(dir, run string, s Start) (*Writer, error) { return open(dir, run, s, false) }

// open implements Create. If alone is set, it returns an error if the folder contains event files already.
func open(dir, run string, s Start, alone bool) (*Writer, error) {
	folder := filepath.Join(dir, run)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	begun := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.Contains(e.Name(), "tfevents") })
	if begun && alone {
		return nil, runs.InputErrorf("%s has event files already: use another folder", folder)
	}
	file, err := create(folder, entries, s.Now())
	if err != nil {
		return nil, err
	}
	w := &Writer{file, s.Now}
	if err := w.begin(&s, begun); err != nil { // remove the file, or the next process would omit earlier intervals
		return nil, errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	return w, nil
}

// Export writes the intervals of a run, Start.Earlier, as one event file, and returns its path. It
// returns an error if the run's folder in dir has event files already.
func Export(dir, run string, s Start) (path string, err error) {
	w, err := open(dir, run, s, true)
	if err != nil {
		return "", err
	}
	return w.file.Name(), w.Close()
}

// create creates a new event file in a folder. entries are the existing files of the folder. TensorBoard
// reads the files of a folder in the order of their names, so the time in the name, in seconds, is greater
// than the times in the names of existing files.
func create(folder string, entries []os.DirEntry, now time.Time) (*os.File, error) {
	second := now.Unix()
	for _, e := range entries {
		var s int64
		if n, _ := fmt.Sscanf(e.Name(), "events.out.tfevents.%d.", &s); n == 1 {
			second = max(second, s+1)
		}
	}
	host, err := os.Hostname()
	if err != nil || strings.ContainsAny(host, `/\`) {
		host = "localhost"
	}
	for n := 0; ; n++ {
		name := fmt.Sprintf("events.out.tfevents.%010d.%s.%d.%d", second, host, os.Getpid(), n)
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// begin writes the file's version, either the earlier intervals or the step at which the run resumes,
// and the options.
func (w *Writer) begin(s *Start, begun bool) error {
	now := w.now()
	records := record(event(now, 0, fileVersion))
	switch {
	case begun: // makes TensorBoard drop events of earlier files from this step on
		records = append(records, record(event(now, s.Games+1, sessionStart))...)
	default:
		for i := range s.Earlier {
			e := &s.Earlier[i]
			ago := s.Earlier[len(s.Earlier)-1].ElapsedS - e.ElapsedS
			records = append(records, record(scalars(now.Add(-time.Duration(ago*float64(time.Second))), e))...)
		}
	}
	records = append(records, record(event(now, s.Games, textSummary("options", optionsText(s.Options))))...)
	_, err := w.file.Write(records)
	return err
}

// optionsText formats the options as a Markdown table.
func optionsText(options []runs.Setting) string {
	var b strings.Builder
	b.WriteString("| option | value |\n|---|---|\n")
	for _, o := range options {
		fmt.Fprintf(&b, "| %s | %s |\n", o.Option, strings.ReplaceAll(o.Value, "|", `\|`))
	}
	return b.String()
}

// Add appends an interval with one write.
func (w *Writer) Add(i *protocol.TrainingInterval) error {
	_, err := w.file.Write(record(scalars(w.now(), i)))
	return err
}

// Close closes the file.
func (w *Writer) Close() error { return w.file.Close() }

// scalars encodes an interval as an event.
func scalars(at time.Time, i *protocol.TrainingInterval) (values []byte) {
	put := func(tag string, value float64) { values = append(values, scalar(tag, value)...) }
	if i.MeanScore != nil {
		put("score/mean", *i.MeanScore)
	}
	if i.RestartedMeanScore != nil {
		put("score/mean_restarted", *i.RestartedMeanScore)
	}
	for _, r := range i.Restarts {
		put(fmt.Sprintf("score/restarts_from_%d", r.TileSum), r.MeanScore)
	}
	if i.MeanScore != nil && len(i.Reached) > 0 {
		// Metrics omit the tiles below the largest one that all games reached. Without these values their curves would
		// end.
		for tile := int64(16); tile < i.Reached[0].Tile; tile *= 2 {
			put(fmt.Sprintf("reached/%d", tile), 1)
		}
		for _, r := range i.Reached {
			if share, err := r.Value.Float64(); err == nil && r.Tile >= 16 {
				put(fmt.Sprintf("reached/%d", r.Tile), share)
			}
		}
	}
	put("speed/games_per_s", i.GamesPerS)
	put("speed/moves_per_s", i.MovesPerS)
	return event(at, i.Games, summary(values))
}

// Wire types of protocol buffers; blob is "length-delimited".
const (
	varint = 0
	fixed8 = 1
	blob   = 2
	fixed4 = 5
)

// key encodes the key of a field.
func key(field, kind uint64) []byte { return binary.AppendUvarint(nil, field<<3|kind) }

// text encodes a string, bytes or message.
func text[T string | []byte](field uint64, value T) []byte {
	return append(binary.AppendUvarint(key(field, blob), uint64(len(value))), value...)
}

func number(field, value uint64) []byte { return binary.AppendUvarint(key(field, varint), value) }

// event encodes an Event with the fields wall_time (1), step (2) and what, a further field that is
// already encoded.
func event(at time.Time, step uint64, what []byte) []byte {
	seconds := float64(at.UnixMicro()) / 1e6
	out := binary.LittleEndian.AppendUint64(key(1, fixed8), math.Float64bits(seconds))
	if step > 0 {
		out = append(out, number(2, step)...)
	}
	return append(out, what...)
}

var (
	fileVersion  = text(3, "brain.Event:2")      // Event.file_version
	sessionStart = text(7, string(number(1, 1))) // Event.session_log: SessionLog.status = START
)

// summary encodes Event.summary from the values of a Summary.
func summary(values []byte) []byte { return text(5, values) }

// scalar encodes a Summary.Value with the fields tag (1) and simple_value (2).
func scalar(tag string, value float64) []byte {
	v := append(text(1, tag), key(2, fixed4)...)
	v = binary.LittleEndian.AppendUint32(v, math.Float32bits(float32(value)))
	return text(1, v)
}

// textSummary encodes a summary for the text plugin, with the fields tag (1), tensor (8) and
// metadata (9). The tensor has the fields dtype (1, with the value DT_STRING = 7) and string_val
// (8); metadata has plugin_data (1), which has plugin_name (1).
func textSummary(tag, content string) []byte {
	v := append(text(1, tag), text(8, append(number(1, 7), text(8, content)...))...)
	v = append(v, text(9, text(1, text(1, "text")))...)
	return summary(text(1, v))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked returns the masked CRC32C of a TFRecord.
func masked(data []byte) uint32 {
	sum := crc32.Checksum(data, castagnoli)
	return (sum>>15 | sum<<17) + 0xa282ead8
}

// record frames an event as a TFRecord.
func record(data []byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	out = binary.LittleEndian.AppendUint32(out, masked(out))
	out = append(out, data...)
	return binary.LittleEndian.AppendUint32(out, masked(data))
}
