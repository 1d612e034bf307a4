package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Log is a run's file: a line of JSON with its options, then one for each trial. A trial is synced
// to disk before the next one begins, so a crash loses only the trial being played.
type Log struct{ file *os.File }

// OpenLog creates a run's file, or reads an existing one and returns its trials. A file of a run
// with other options is an error. An incomplete last line is cut off.
func OpenLog(path string, o Options) (*Log, []Trial, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	l := &Log{file}
	trials, err := l.read(o)
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, trials, nil
}

func (l *Log) read(o Options) ([]Trial, error) {
	if info, err := l.file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("want a file"))
	}
	data, err := io.ReadAll(l.file)
	if err != nil {
		return nil, err
	}
	o.Generations, o.Workers = 0, 0
	whole := bytes.LastIndexByte(data, '\n') + 1
	trials, err := parse(data[:whole], data[whole:], o)
	if err != nil {
		return nil, err
	}
	// Drop the incomplete last line that a crash may have left.
	if err := l.file.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	if _, err := l.file.Seek(int64(whole), io.SeekStart); err != nil {
		return nil, err
	}
	if whole == 0 {
		return nil, l.add(o)
	}
	return trials, nil
}

// parse reads the complete lines of a log; torn is what follows the last of them.
func parse(data, torn []byte, o Options) ([]Trial, error) {
	if len(data) == 0 {
		if header, err := json.Marshal(o); err != nil || !bytes.HasPrefix(header, torn) {
			return nil, errors.New("this is no log of tune; choose another file")
		}
		return nil, nil
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	var earlier Options
	if err := strict(lines[0], &earlier); err != nil {
		return nil, fmt.Errorf("this is no log of tune (line 1: %w); choose another file", err)
	}
	if earlier != o {
		return nil, fmt.Errorf("it belongs to another run (%s): give its options or another file", lines[0])
	}
	trials := make([]Trial, len(lines)-1)
	for i, line := range lines[1:] {
		if err := strict(line, &trials[i]); err != nil {
			return nil, fmt.Errorf("line %d is damaged: %w", i+2, err)
		}
	}
	return trials, nil
}

func strict(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func (l *Log) add(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return err
	}
	// Pipes and some file systems cannot sync; the line is written all the same.
	if err := l.file.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

// Add writes a trial.
func (l *Log) Add(t Trial) error { return l.add(t) }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
