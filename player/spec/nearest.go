package spec

import "strings"

// Nearest returns the candidate with the smallest edit distance to word (insertions, deletions,
// replacements, transpositions; case-insensitive), or "" if none is close enough to be a likely
// typo.
func Nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, fewest := "", min(len(word)/3+2, len(word)/2+1)
	for _, c := range candidates {
		if d := distance(word, c); d < fewest {
			best, fewest = c, d
		}
	}
	return best
}

// distance is the optimal string alignment distance.
func distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// Suggest returns a question with the nearest candidate, or a list of all.
func Suggest(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return "want " + strings.Join(candidates, ", ")
}
