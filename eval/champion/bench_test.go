package champion

import "testing"

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		n, err := load(Main())
		if err != nil {
			b.Fatal(err)
		}
		n.Close()
	}
}
