package record_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/afterstate2048/afterstate/rules/record"
)

func TestReadNamesLines(t *testing.T) {
	file := hand + "\n" + listed + "\n\n{\n" + hand
	var got []string
	for r, err := range record.Read(strings.NewReader(file)) {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, r.Player)
		}
	}
	want := []string{"human", "<&>", `line 3: not a record: must be one JSON object, not ""`, "line 4: not a record: the JSON object does not end", "human"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for range record.Read(strings.NewReader(file)) {
		break // must stop reading
	}
}

func TestReadEndsOnFailure(t *testing.T) {
	broken := errors.New("broken")
	var last error
	for _, err := range record.Read(io.MultiReader(strings.NewReader(hand+"\n"), iotest.ErrReader(broken))) {
		last = err
	}
	if !errors.Is(last, broken) || last.Error() != "line 2: broken" {
		t.Errorf("a broken reader ends with %v", last)
	}
	long := io.LimitReader(zeros{}, record.MaxLine+1)
	for _, err := range record.Read(io.MultiReader(strings.NewReader(hand+"\n"), long)) {
		last = err
	}
	if last == nil || last.Error() != "line 2: must be at most 16777216 bytes" {
		t.Errorf("a line too long ends with %v", last)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
