package protocol

import "github.com/afterstate2048/afterstate/internal/stats"

// RankTable is a ranking as arena rank --json writes it, the player with the highest mean score first.
type RankTable struct {
	Experiment string         `json:"experiment"`
	Confidence float64        `json:"confidence"` // that all ranks are correct
	Players    []RankedPlayer `json:"players"`
	// Left estimates what finding the remaining ranks takes: the pairs of games of the slowest test, and the time for
	// the games of all players.
	Left *stats.Outlook `json:"left,omitempty"`
	Open []string       `json:"open,omitempty"` // the two players of that test
}

// RankedPlayer is a player of a RankTable. Its rank is between Best and Worst.
type RankedPlayer struct {
	Best   int            `json:"best_rank"`  // 1 + the number of players that are certainly better
	Worst  int            `json:"worst_rank"` // the number of players minus those that are certainly worse
	Player string         `json:"player"`     // its name, unique in the table
	Spec   string         `json:"spec"`
	Games  int            `json:"games"`
	Mean   stats.Figure   `json:"mean_score"`
	CI     stats.Interval `json:"mean_score_ci95"` // of this player alone
}

// Evidence is the result of experiments.evidence: the ranking by the games so far, and the tests of players with
// adjacent ranks.
type Evidence struct {
	RankTable
	Tests []EvidenceTest `json:"tests"`
}

// EvidenceTest is the match of two players, and its e-values after each number of pairs in After.
type EvidenceTest struct {
	stats.MatchResult
	After     []int     `json:"after"`
	EvidenceA []float64 `json:"evidence_a"`
	EvidenceB []float64 `json:"evidence_b"`
}
