package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Every struct of params can be read, all its fields are params, and its slot and name are its own.
func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods {
		if seen[m.Name] || len(m.Results) == 0 {
			t.Errorf("%s is there twice, or without a result", m.Name)
		}
		seen[m.Name] = true
		if m.Params == nil {
			continue
		}
		of := reflect.TypeOf(m.Params)
		err := ReadParams(m.Name, []byte(`{"?":0}`), reflect.New(of).Interface())
		if err == nil {
			t.Errorf("%s takes a param ?", m.Name)
			continue
		}
		_, list, _ := strings.Cut(err.Error(), `there is no param "?": want `)
		for _, f := range reflect.VisibleFields(of) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous && !slices.Contains(strings.Split(list, ", "), name) {
				t.Errorf("%s does not take %s of %v", m.Name, name, of)
			}
		}
	}
}

func TestByTile(t *testing.T) {
	const text = `{"16":0.5,"1024":5e-05,"2048":0}`
	var b ByTile[json.Number]
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(b); err != nil || string(again) != text {
		t.Errorf("%s, %v", again, err)
	}
	if empty, err := json.Marshal(ByTile[Share](nil)); err != nil || string(empty) != "{}" {
		t.Errorf("none is %s, %v", empty, err)
	}
	for text, want := range map[string]string{
		`[]`:        "an array: want an object with tiles as keys",
		`{"two":1}`: `"two": want a tile such as 2048`,
	} {
		if err := json.Unmarshal([]byte(text), &b); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
