package memory

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "500000": 500_000, "32MB": 32_000_000, "500 kB": 500_000, "1.5GiB": 3 << 29, "2kib": 2048, "1b": 1,
		"": 0, "MB": 0, "-1": 0, "0": 0, "0.1": 0, "3XB": 0, "2TB": 0, "1e3": 0, "1099511627777": 0,
	} {
		if got, ok := Parse(text); ok != (want != 0) || ok && got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, ok, want)
		}
	}
}
