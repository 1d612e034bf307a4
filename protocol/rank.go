package protocol

import "github.com/afterstate2048/afterstate/internal/stats"

// RankTable is a ranking in the way arena rank --json writes it, the player with the highest mean score first.
type RankTable struct {
	Experiment string         `json:"experiment"`
	Confidence float64        `json:"confidence"` // that all ranks are right
	Players    []RankedPlayer `json:"players"`
	// Left is what the ranks that are not known yet will probably take: the pairs of the slowest test, and the time of all players' games.
	Left *stats.Outlook `json:"left,omitempty"`
	Open []string       `json:"open,omitempty"` // the two players of that test
}

// RankedPlayer is a player of a RankTable. Its rank is Best to Worst.
type RankedPlayer struct {
	Best   int            `json:"best_rank"`  // 1 + the number of players that are certainly better
	Worst  int            `json:"worst_rank"` // the number of players, less those that are certainly worse
	Player string         `json:"player"`     // its name, which differs from those of the others
	Spec   string         `json:"spec"`
	Games  int            `json:"games"`
	Mean   stats.Figure   `json:"mean_score"`
	CI     stats.Interval `json:"mean_score_ci95"` // of this player alone
}

// Evidence is the result of experiments.evidence: the ranking by the games so far, and the tests of players that are next to each other in it.
type Evidence struct {
	RankTable
	Tests []EvidenceTest `json:"tests"`
}

// EvidenceTest is the match of two players, and its e-values after the numbers of pairs in After.
type EvidenceTest struct {
	stats.MatchResult
	After     []int     `json:"after"`
	EvidenceA []float64 `json:"evidence_a"`
	EvidenceB []float64 `json:"evidence_b"`
}
