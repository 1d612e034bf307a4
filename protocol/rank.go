package protocol

import "github.com/afterstate2048/afterstate/internal/stats"

// RankTable is a ranking, with the highest mean score first. The command "arena rank --json" prints it.
type RankTable struct {
	Experiment string         `json:"experiment"`
	Confidence float64        `json:"confidence"` // probability with which all ranks are correct
	Players    []RankedPlayer `json:"players"`
	// Left estimates the work that is needed to find the remaining ranks: the number of pairs of games for the slowest
	// test, and the time for the games of all players.
	Left *stats.Outlook `json:"left,omitempty"`
	Open []string       `json:"open,omitempty"` // the two players of the slowest test
}

// RankedPlayer is a player of a RankTable. Its rank is between Best and Worst.
type RankedPlayer struct {
	Best   int            `json:"best_rank"`  // 1 plus the number of players that are certainly better
	Worst  int            `json:"worst_rank"` // number of players minus the number that are certainly worse
	Player string         `json:"player"`     // name of the player, unique in the table
	Spec   string         `json:"spec"`
	Games  int            `json:"games"`
	Mean   stats.Figure   `json:"mean_score"`
	CI     stats.Interval `json:"mean_score_ci95"` // 95 % interval of the mean score, for this player alone
}

// Evidence is the result of the method experiments.evidence: the ranking based on the games so far, and the tests
// of players with adjacent ranks.
type Evidence struct {
	RankTable
	Tests []EvidenceTest `json:"tests"`
}

// EvidenceTest is the match between two players. EvidenceA and EvidenceB are its e-values after each number of
// pairs in After.
type EvidenceTest struct {
	stats.MatchResult
	After     []int     `json:"after"`
	EvidenceA []float64 `json:"evidence_a"`
	EvidenceB []float64 `json:"evidence_b"`
}
