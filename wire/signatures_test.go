package wire

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What ReadParams accepts are the members of its struct, so that the types generated
// from the structs are true.
func TestParamsAreTheirStructs(t *testing.T) {
	read := func(s Signature, params []byte) error {
		switch p := reflect.New(reflect.TypeOf(s.Params)).Interface().(type) {
		case interface{ ReadParams([]byte) error }:
			return p.ReadParams(params)
		case interface{ ReadParams(string, []byte) error }:
			return p.ReadParams(s.Method, params)
		case *WatchRef:
			return p.ReadParams(s.Method, params, s.Method == MethodWatchStep || s.Method == MethodWatchBack)
		}
		t.Fatalf("%s: %T has no ReadParams", s.Method, s.Params)
		return nil
	}
	for _, s := range Signatures {
		if s.Params == nil {
			continue
		}
		names := memberNames(reflect.TypeOf(s.Params))
		err := read(s, []byte(`{"?":0}`))
		if err == nil {
			t.Errorf("%s takes a param ?", s.Method)
			continue
		}
		_, list, _ := strings.Cut(err.Error(), `there is no param "?": want `)
		for _, name := range strings.Split(list, ", ") {
			if _, ok := names[name]; !ok {
				t.Errorf("%s takes %q, which %T lacks", s.Method, name, s.Params)
			}
			delete(names, name)
		}
		for name, optional := range names { // members that other methods of the type take
			if !optional {
				t.Errorf("%s does not take %s of %T", s.Method, name, s.Params)
			}
		}
		// A param that is missing must not be optional in the struct.
		err = read(s, []byte("{}"))
		if err == nil {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), s.Method+": "), " is missing")
		if memberNames(reflect.TypeOf(s.Params))[name] && !slices.Contains([]string{MethodExperimentStart, MethodReviewShow}, s.Method) {
			t.Errorf("%s needs %s, which is optional in %T", s.Method, name, s.Params)
		}
	}
}

// memberNames are the JSON names of a struct and whether they are optional.
func memberNames(of reflect.Type) map[string]bool {
	all := map[string]bool{}
	for _, f := range reflect.VisibleFields(of) {
		if f.Anonymous { // its fields are visible too
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		all[name] = options == "omitempty" || f.Tag.Get("ts") == "?"
	}
	return all
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
