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
	for _, text := range []string{`[]`, `{"two":1}`} {
		if json.Unmarshal([]byte(text), &b) == nil {
			t.Errorf("%s is read", text)
		}
	}
}
