package flags

import "testing"

func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"1": 1, "500000": 500_000, "32MB": 32_000_000, "500 kB": 500_000, "1.5GiB": 3 << 29, "2kib": 2048, "1b": 1,
		"": 0, "MB": 0, "-1": 0, "0": 0, "0.1": 0, "3XB": 0, "2TB": 0, "1e3": 0, "1099511627777": 0,
	} {
		var got Bytes
		if err := got.Set(text); (err == nil) != (want != 0) || err == nil && got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
}
