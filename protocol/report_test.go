package protocol

import (
	"encoding/json"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestByTile(t *testing.T) {
	const text = `{"16":0.5,"1024":5e-05,"2048":0}`
	var b ByTile[json.Number]
	must.Do(t, json.Unmarshal([]byte(text), &b))
	if again, err := json.Marshal(b); err != nil || string(again) != text {
		t.Errorf("%s, %v", again, err)
	}
	if empty, err := json.Marshal(ByTile[Share](nil)); err != nil || string(empty) != "{}" {
		t.Errorf("none is %s, %v", empty, err)
	}
	for text, want := range map[string]string{
		`[]`:        "an array: must be an object with tiles as keys",
		`{"two":1}`: `"two": must be a tile such as 2048`,
	} {
		if err := json.Unmarshal([]byte(text), &b); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
