package option

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
)

type point struct{ x int }

func (p *point) UnmarshalText(text []byte) error {
	p.x = len(text)
	if p.x > 3 {
		return strings.NewReader("").UnreadByte()
	}
	return nil
}

type inner struct {
	Rate float64 `o:"rate" range:"0<:2"`
}

type sample struct {
	inner
	Count  int           `json:"count,omitempty" o:"required" range:"1:2^3-1" guest:"3" help:"how many"`
	Seed   *uint64       `o:"seed,s"`
	Wait   time.Duration `o:"wait" range:"0|1ms:1h"`
	Tile   int64         `o:"tile" range:"tile:8:64"`
	Size   int64         `o:"size" range:"0|memory:1MB:2GB"`
	Fast   bool          `o:"fast" range:"no|yes"`
	On     bool          `o:"on"`
	Format string        `o:"format" range:"json|svg"`
	Mode   uint8         `o:"mode" range:"a|b|c"`
	List   []int         `o:"list" range:"0:9" items:"1:2"`
	Tiles  []int64       `o:"tiles" range:"0|tile:8:64"`
	Data   []byte        `o:"data"`
	name   string        `o:"name"`
	Point  point         `o:"point"`
	Left   inner         `json:"left"`
	Out    inner         `o:"-"`
}

func fields(s *sample) map[string]Field {
	all := map[string]Field{}
	for f := range Of(s, "o") {
		all[f.Name] = f
	}
	return all
}

// A value is read from text and from JSON, and an error says what is accepted.
func TestValues(t *testing.T) {
	for _, c := range []struct{ name, text, json, want string }{
		{"rate", "2", "2", ""},
		{"rate", "0", "0", "rate 0: must be a number above 0 and up to 2"},
		{"rate", "NaN", `"x"`, "must be a number above 0 and up to 2"},
		{"count", "7", "7", ""},
		{"count", "8", "8", "count 8: must be a whole number from 1 to 2^3-1"},
		{"count", "", "null", "must be a whole number from 1 to 2^3-1"},
		{"seed", "18446744073709551615", "18446744073709551615", ""},
		{"seed", "-1", "-1", "seed -1: must be a whole number from 0 to 2^64-1"},
		{"wait", "0", `"0"`, ""},
		{"wait", "2h", `"2h"`, "must be 0 for no limit, or a time from 1ms to 1h such as 200ms"},
		{"tile", "32", "32", ""},
		{"tile", "24", "24", "tile 24: must be a tile from 8 to 64 such as 2048"},
		{"size", "16MB", "16777216", ""},
		{"size", "1k", "1024", "must be 0 for none, or memory from 1MB to 2GB such as 16MB"},
		{"size", "1x", "-1", "must be 0 for none, or memory"},
		{"size", "9999999999999GB", "9e99", "must be 0 for none, or memory"},
		{"fast", "yes", `"yes"`, ""},
		{"fast", "maybe", `"maybe"`, "must be no or yes"},
		{"on", "true", "true", ""},
		{"on", "x", "1.5", "must be true or false"},
		{"format", "svg", `"svg"`, ""},
		{"format", "png", "5", "must be json or svg"},
		{"mode", "c", `"c"`, ""},
		{"name", "", `""`, ""},
		{"name", "any", "5", "name 5: must be a string"},
		{"list", "", "[1,2]", ""},
		{"list", "", "[1,2,3]", "list [1,2,3]: must be an array of 1 to 2 values, each a whole number from 0 to 9"},
		{"list", "", "[10]", "list [10]: must be an array"},
		{"list", "", "{}", "list {}: must be an array"},
		{"tiles", "", "[0,8]", ""},
		{"tiles", "", "[3]", "tiles [3]: must be an array of values, each 0, or a tile from 8 to 64 such as 2048"},
		{"data", "", `"QUI="`, ""},
		{"data", "", `"QUI"`, "must be a string in base64, with padding"},
		{"point", "abc", `"abc"`, ""},
		{"point", "abcd", `"abcd"`, "point: strings.Reader.UnreadByte"},
		{"point", "abc", "5", "point 5: must be a string"},
	} {
		for i, given := range []string{c.text, c.json} {
			f, err := fields(new(sample))[c.name], error(nil)
			switch {
			case i == 0 && (given == "" || given == "any" || c.json == "5" && c.name == "point"):
				continue
			case i == 0:
				err = f.Set(given)
			default:
				err = f.SetJSON([]byte(given))
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s %s: %v, want %q", c.name, given, err, c.want)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	var s sample
	all := fields(&s)
	if f := all["count"]; len(all) != 15 || f.Mark != "required" || f.Help != "how many" || all["seed"].Mark != "s" {
		t.Errorf("%d options, %+v", len(all), f)
	}
	for name, text := range map[string]string{"seed": "5", "wait": "1s", "fast": "yes", "mode": "c", "size": "1MB", "name": "n", "rate": "1.5"} {
		must.Do(t, all[name].Set(text))
	}
	seed := uint64(5)
	if want := (sample{inner: inner{1.5}, Seed: &seed, Wait: time.Second, Fast: true, Mode: 2, Size: 1 << 20, name: "n"}); !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
	if f := all["rate"]; f.Check() != nil || f.String() != "1.5" || all["seed"].String() != "5" || all["wait"].Type() != "duration" {
		t.Errorf("rate %v, seed %v", f, all["seed"])
	}
	if s.Rate = 3; all["rate"].Check() == nil {
		t.Error("3 is accepted")
	}
	must.Equal(t, all["count"].ForGuest().Want(), "a whole number from 1 to 3")
}

func TestErrorAsFlag(t *testing.T) {
	err := &Error{Option: "restart_tile", Value: 8, Without: "restart_share", Reason: "no game starts from a stored board"}
	must.Equal(t, err.AsFlag().Error(), "--restart-tile 8: without --restart-share no game starts from a stored board")
}
