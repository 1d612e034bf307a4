package board

import (
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	for text, want := range map[string]string{
		"2,0/0,4\n\n 4,4/2,2 \n":    "2,0/0,4 4,4/2,2",
		"2,0/0,4\nwhat?\n2,0/0,4\n": "2,0/0,4 line 2: ",
		"":                          "",
		"2,2/2,2\n" + strings.Repeat(" ", MaxLine): "2,2/2,2 line 2 has more than 65536 bytes: too long for a board",
	} {
		var got []string
		for b, err := range Scan(strings.NewReader(text)) {
			if err != nil {
				got = append(got, err.Error())
			} else {
				got = append(got, b.String())
			}
		}
		if all := strings.Join(got, " "); !strings.HasPrefix(all, want) || want == "" && all != "" {
			t.Errorf("%.20q: %s, want %s", text, all, want)
		}
	}
}
