package solve

import (
	"context"
	"testing"
)

// A library that is asked for ever new problems keeps the tables of the last few.
func TestLibraryForgets(t *testing.T) {
	var l Library
	p := problem(t, "2x2")
	first, err := l.Table(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		p.P4 = float64(i) / 200
		table, err := l.Table(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := l.Table(context.Background(), p); err != nil || again != table {
			t.Fatalf("p4 %v is solved twice: %v", p.P4, err)
		}
		if kept, err := l.Table(context.Background(), first.Problem()); err != nil || kept != first {
			t.Fatalf("after p4 %v, a table in use is solved again: %v", p.P4, err)
		}
		if n := len(l.recent) + len(l.tables); n > maxRecent {
			t.Fatalf("%d tables are kept", n)
		}
	}
}

// A table in memory has little more than its data.
func TestTableIsClipped(t *testing.T) {
	for _, size := range []string{"2x2", "2x3"} {
		if data := solved(t, problem(t, size)).data; cap(data) > 2*len(data) {
			t.Errorf("%s: %d bytes are held for %d", size, cap(data), len(data))
		}
	}
}
