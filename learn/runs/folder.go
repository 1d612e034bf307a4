package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/learn"
)

// Names of a run's files; see the package documentation.
const (
	OptionsFile    = "options.json"
	CheckpointFile = "checkpoint.model"
	MetricsFile    = "metrics.jsonl"
	lockFile       = "lock"
)

// Folder is a folder of runs, with a subfolder for each run. Begin creates the folder if it is
// missing. The zero value has no runs.
type Folder struct {
	Path string

	// FreeMemory and FreeDisk return the number of free bytes; ok is false if the number is unknown. If a
	// function is nil, the operating system provides the number.
	FreeMemory func() (free int64, ok bool)
	FreeDisk   func(folder string) (free int64, ok bool)

	// OpenSource opens the model that Options.From names. If OpenSource is nil, From is the path of a raw model
	// file.
	OpenSource func(path string) (*Source, error)

	// Device, unless nil, plays the games of the runs that Begin and Resume return; see learn.Options.Device.
	Device learn.Device

	// OnRequirements, unless nil, is called by Begin and Resume after they have found enough memory and
	// disk space and before they use any.
	OnRequirements func(o *Options, n Requirements)
}

// Default returns the current user's folder of runs, $XDG_DATA_HOME/afterstate/runs.
func Default() (Folder, error) {
	data, err := xdg.Data()
	if err != nil {
		return Folder{}, InputErrorf("%w: %w", ErrNoFolder, err)
	}
	return Folder{Path: filepath.Join(data, "runs")}, nil
}

// CheckName returns an error if name is not a valid name for a run.
func CheckName(name string) error { return inputError(xdg.CheckName("run", name)) }

// Checkpoint returns the path of a run's checkpoint, which is a model file. It returns an error if the options of the
// checkpoint and of the run do not match.
func (f Folder) Checkpoint(name string) (path string, err error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	o, err := f.Options(name)
	if err != nil {
		return "", err
	}
	path = filepath.Join(f.Path, name, CheckpointFile)
	if _, err := os.Stat(path); err != nil {
		return "", InputErrorf("run %s in %s has no checkpoint: %w", name, f.Path, inputfile.Cause(err))
	}
	_, err = o.readCheckpoint(path)
	return path, err
}

// Network loads the network of a run's checkpoint. The caller closes it.
func (f Folder) Network(name string) (*ntuple.Network, error) {
	path, err := f.Checkpoint(name)
	if err != nil {
		return nil, err
	}
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, inputError(err)
	}
	return m.Network, nil
}

// find returns the path of an existing file of a run, or a NotFoundError.
func (f Folder) find(name, file string) (path string, err error) {
	path = filepath.Join(f.Path, name, file)
	if _, err := os.Stat(path); f.Path == "" || !xdg.ValidName(name) || err != nil {
		return "", f.notFound(name)
	}
	return path, nil
}

func (f Folder) notFound(name string) error {
	e := &NotFoundError{Name: name, Folder: f.Path}
	if f.Path != "" {
		entries, _ := os.ReadDir(f.Path)
		for _, entry := range entries {
			if entry.IsDir() && entry.Name() != name { // a folder with the requested name is not a run
				e.Others = append(e.Others, entry.Name())
			}
		}
	}
	return inputError(e)
}

// runDir is a run's folder, locked by this process.
type runDir struct {
	Name string
	Path string // path of the folder
	lock *filelock.Lock
	made bool // this process created the folder
}

// create creates and locks the folder of a new run. If name is empty, it uses stem and the next free
// number.
func (f Folder) create(name, stem string) (*runDir, error) {
	if f.Path == "" {
		return nil, inputError(ErrNoFolder)
	}
	if err := os.MkdirAll(f.Path, 0o755); err != nil {
		return nil, InputErrorf("%s cannot be created: %w", f.Path, inputfile.Cause(err))
	}
	for number := 1; ; number++ {
		chosen := name
		if name == "" {
			chosen = fmt.Sprintf("%s-%d", stem, number)
		}
		err := os.Mkdir(filepath.Join(f.Path, chosen), 0o755)
		switch {
		case err == nil:
			p, err := f.lock(chosen)
			if err != nil {
				return nil, err
			}
			p.made = true
			return p, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, InputErrorf("%s cannot be created: %w", filepath.Join(f.Path, chosen), inputfile.Cause(err))
		case name != "":
			return f.adopt(name)
		}
	}
}

// adopt uses an existing folder for a new run, if it contains only the leftovers of a process that
// was killed before its run began.
func (f Folder) adopt(name string) (*runDir, error) {
	folder := filepath.Join(f.Path, name)
	if _, err := os.Lstat(filepath.Join(folder, OptionsFile)); err == nil {
		return nil, inputError(&ExistsError{name})
	}
	if err := onlyLeftovers(folder, name); err != nil {
		return nil, err // refuse the folder before lock adds a file to it
	}
	p, err := f.lock(name)
	if err != nil {
		return nil, err
	}
	if err := onlyLeftovers(folder, name); err != nil { // another process may have started the run in the meantime
		p.close()
		return nil, err
	}
	return p, nil
}

// onlyLeftovers returns an error if the folder contains anything but a lock file and temporary files:
// training would overwrite other files or mix them with its own.
func onlyLeftovers(folder, name string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return InputErrorf("%s cannot be used for run %s: %w", folder, name, inputfile.Cause(err))
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() != lockFile && !atomicfile.IsTemporary(e.Name()) {
			return InputErrorf("%s already exists and is %w", filepath.Join(folder, e.Name()), ErrForeign)
		}
	}
	return nil
}

// open locks an existing run.
func (f Folder) open(name string) (*runDir, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	if _, err := f.find(name, OptionsFile); err != nil {
		return nil, err
	}
	return f.lock(name)
}

// dir returns the folder of a run without locking it.
func (f Folder) dir(name string) *runDir {
	return &runDir{Name: name, Path: filepath.Join(f.Path, name)}
}

func (f Folder) lock(name string) (_ *runDir, err error) {
	p := f.dir(name)
	switch p.lock, err = filelock.Acquire(p.file(lockFile)); {
	case errors.Is(err, filelock.ErrLocked):
		return nil, InputErrorf("run %s is %w", name, ErrLocked)
	case err != nil:
		return nil, InputErrorf("%s cannot be locked: %w", p.file(lockFile), inputfile.Cause(err))
	}
	return p, nil
}

func (p *runDir) file(name string) string { return filepath.Join(p.Path, name) }

// Checkpoint returns the path of the run's checkpoint.
func (p *runDir) Checkpoint() string { return p.file(CheckpointFile) }

// hasCheckpoint reports whether there is a checkpoint to resume from.
func (p *runDir) hasCheckpoint() bool {
	_, err := os.Stat(p.Checkpoint())
	return err == nil
}

func (p *runDir) close() { _ = p.lock.Close() }

// removeCreated removes what this process created for a run that could not start. A folder that
// existed before stays, with its lock file.
func (p *runDir) removeCreated() {
	_ = os.Remove(p.Checkpoint())
	_ = os.Remove(learn.TimesFile(p.Checkpoint()))
	_ = os.Remove(p.file(OptionsFile))
	if !p.made {
		p.close()
		return
	}
	_ = p.lock.Remove()
	_ = os.Remove(p.Path) // keeps a folder that contains other files
}
