package each

import (
	"slices"
	"strconv"
	"testing"
)

func TestOf(t *testing.T) {
	if got, want := Of([]int{3, 1, 2}, strconv.Itoa), []string{"3", "1", "2"}; !slices.Equal(got, want) {
		t.Errorf("Of: %q; want %q", got, want)
	}
	if got := Of([]int{}, strconv.Itoa); got != nil {
		t.Errorf("Of nothing: %q; want nil", got)
	}
}
