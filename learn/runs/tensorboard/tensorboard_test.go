package tensorboard

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
)

func interval(t *testing.T, text string) (i protocol.TrainingInterval) {
	t.Helper()
	must.Do(t, json.Unmarshal([]byte(text), &i))
	return i
}

// events reads a file, checks all checksums, and returns the events.
func events(t *testing.T, path string) (all []string) {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	for len(data) > 0 {
		n := int(binary.LittleEndian.Uint64(data))
		if got := binary.LittleEndian.Uint32(data[8:]); got != masked(data[:8]) {
			t.Fatalf("checksum %x of a length", got)
		}
		event := data[12 : 12+n]
		if got := binary.LittleEndian.Uint32(data[12+n:]); got != masked(event) {
			t.Fatalf("checksum %x of an event", got)
		}
		all, data = append(all, string(event)), data[16+n:]
	}
	return all
}

func clock() time.Time { return time.Unix(1_600_000_000, 0) }

// Every event file begins with the same bytes but for the time; the record is one that TensorFlow
// wrote. python/tests reads whole files by TensorBoard's own reader.
func TestRecord(t *testing.T) {
	got := hex.EncodeToString(record(event(time.Unix(0, 0), 0, fileVersion)))
	if !strings.HasPrefix(got, "1800000000000000a37f4b22"+"09"+"0000000000000000"+"1a0d"+hex.EncodeToString([]byte("brain.Event:2"))) {
		t.Error(got)
	}
	value := scalar("a", 1.5) // Summary.value, a message: tag, then simple_value as float32
	if want := []byte{0x0a, 8, 0x0a, 1, 'a', 0x15, 0, 0, 0xc0, 0x3f}; !bytes.Equal(value, want) {
		t.Errorf("% x, want % x", value, want)
	}
}

// The first file of a run has the intervals before it, a later one where the run resumed.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	first := interval(t, `{"games":100,"mean_score":1000,"reached":{"64":1,"128":0.5,"2048":0},"games_per_s":1,"moves_per_s":2,"elapsed_s":10}`)
	second := interval(t, `{"games":200,"mean_score":null,"reached":{"2048":0},"restarted_mean_score":5,"restarts":[{"tile_sum":96,"games":3,"mean_score":5,"reached":{}}],"games_per_s":1,"moves_per_s":2,"elapsed_s":20}`)
	s := Start{Options: []runs.Setting{{Option: "lambda", Value: "0.5"}, {Option: "from", Value: "a|b"}}, Earlier: []protocol.TrainingInterval{first}, Games: 100, Now: clock}
	w := must.Get(Create(dir, "run", s))(t)
	must.Do(t, w.Add(&second))
	must.Do(t, w.Close())
	s.Games = 150
	// The next file must sort after this one, whatever the process ids are.
	former := regexp.MustCompile(`\d+\.\d+$`).ReplaceAllString(w.file.Name(), "99999.0")
	must.Do(t, os.Rename(w.file.Name(), former))
	again := must.Get(Create(dir, "run", s))(t)
	defer again.Close()
	files, err := filepath.Glob(filepath.Join(dir, "run", "events.out.tfevents.160000000[01].*"))
	if err != nil || len(files) != 2 || files[1] != again.file.Name() {
		t.Fatal(files, err)
	}
	got := events(t, former)
	if len(got) != 4 {
		t.Fatalf("%d events: %q", len(got), got)
	}
	for i, want := range []string{"brain.Event:2", "reached/16", "| lambda | 0.5 |\n| from | a\\|b |", "score/restarts_from_96"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("event %d is %q, want %s", i, got[i], want)
		}
	}
	for _, want := range []string{"score/mean", "reached/64", "reached/128", "reached/2048", "speed/games_per_s", "speed/moves_per_s"} {
		if !strings.Contains(got[1], want) {
			t.Errorf("%s is not in %q", want, got[1])
		}
	}
	if strings.Contains(got[3], "score/mean\x15") || strings.Contains(got[3], "reached/") {
		t.Errorf("%q has shares of no games", got[3])
	}
	if got := events(t, again.file.Name()); len(got) != 3 || !strings.HasSuffix(got[1], "\x10\x97\x01\x3a\x02\x08\x01") { // step 151, START
		t.Errorf("%q", got)
	}
	if _, err := Export(dir, "run", s); err == nil || !strings.HasSuffix(err.Error(), "run has event files already: use another folder") {
		t.Error(err)
	}
	path, err := Export(dir, "other", s)
	if err != nil || len(events(t, path)) != 3 {
		t.Error(path, err)
	}
}
