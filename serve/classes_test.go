package serve

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"afterstate/review"
)

// The page explains the classes of moves by the limits of package review.
func TestClassLimits(t *testing.T) {
	source, err := os.ReadFile("ui/src/judge.ts")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("limits = { good: %v, inaccuracy: %v, mistake: %v }", review.GoodLimit, review.InaccuracyLimit, review.MistakeLimit)
	if !strings.Contains(string(source), want) {
		t.Errorf("ui/src/judge.ts lacks %s", want)
	}
}
