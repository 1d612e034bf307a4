package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/afterstate2048/afterstate/rules/board"
)

// ReadGames holds the parameters of the method review.read: a file of games in base64, in a format of package formats.
type ReadGames struct {
	Data []byte `json:"data" param:"required" ts:"string"`
	Game int    `json:"game" param:"" range:"0:2^30"` // index of the game to return, counted from 0
}

// FileGame is the result of the method review.read: a game from the file, as a record that the other methods accept.
type FileGame struct {
	Format string   `json:"format"`
	Games  int      `json:"games"` // number of games in the file
	Record string   `json:"record"`
	Player string   `json:"player"`
	Score  int64    `json:"score"`
	Moves  int      `json:"moves"`
	Lost   []string `json:"lost"` // descriptions of data in the file that the record cannot hold
}

// ReadFootage holds the parameters of the method review.footage: what picture.read found on frames of a recording.
type ReadFootage struct {
	Frames []FootageFrame `json:"frames" param:"required" items:"0:50000" want:"an array of up to 50000 frames such as [{\"from_ms\":0,\"to_ms\":400,\"board\":[[2,0],[0,4]],\"doubts\":[]}]"`
}

// FootageFrame is the board on consecutive frames that look the same.
type FootageFrame struct {
	TimeSpan
	Board  board.Board `json:"board"`
	Doubts Cells       `json:"doubts"` // as in [PictureBoard]
}

// Cells is a list of indices of cells on a board.
type Cells []int

// UnmarshalJSON reads an array of numbers.
func (c *Cells) UnmarshalJSON(text []byte) error {
	const maximum = board.MaxSide * board.MaxSide
	if bytes.Count(text, []byte(",")) >= maximum {
		return fmt.Errorf("more than %d cells", maximum)
	}
	return json.Unmarshal(text, (*[]int)(c))
}

// TimeSpan is a time span of a recording.
type TimeSpan struct {
	FromMS int64 `json:"from_ms"`
	ToMS   int64 `json:"to_ms"`
}

// FootageGames is the result of the method review.footage.
type FootageGames struct {
	Parts []FootagePart `json:"parts"` // in order of time; a new part starts after each gap and with each new game
	Gaps  []TimeSpan    `json:"gaps"`  // time spans in which moves are missing
	// Used is the number of frames that show boards of the parts. The other frames show moving tiles, or no board
	// of the game.
	Used int `json:"used"`
}

// FootagePart is a game, or a part of a game without gaps.
type FootagePart struct {
	TimeSpan
	Record string `json:"record"`
	Moves  int    `json:"moves"`
	Score  int64  `json:"score"` // score of these moves
}

// OpenReview is embedded in the parameters of the methods below that take a record.
type OpenReview struct {
	Record string `json:"record" param:"required"`
}

// Recorded returns the record. Structs that embed OpenReview inherit this method, with which the server gets the
// record.
func (r *OpenReview) Recorded() string { return r.Record }

// ReviewLevel is embedded in the parameters of the methods that judge a game.
type ReviewLevel struct {
	// Level is the strength of the player whose game is judged: a mean score, or strong. If it is empty, the score
	// of the game determines it.
	Level string `json:"level,omitempty" param:"" range:"400|1000|3000|8000|20000|50000|60000|150000|strong"`
}

// SumReview holds the parameters of the method review.open.
type SumReview struct {
	OpenReview
	// Classes contains the classes of the moves judged so far, from the first move on, for the statistics in
	// ReviewTimes: one letter for each, the first letter of the class, but x for a blunder.
	Classes string `json:"classes,omitempty" param:""`
}

// ShowReview holds the parameters of the method review.show.
type ShowReview struct {
	OpenReview
	Move int `json:"move" param:"required" range:"0:2^30"` // number of moves before the position
}

// JudgeMoves holds the parameters of the method review.values.
type JudgeMoves struct {
	OpenReview
	ReviewLevel
	Player string `json:"player,omitempty" param:""`    // spec of the judge; empty: the default
	From   int    `json:"from" param:"" range:"0:2^30"` // the first move to judge, counted from 0
	// Deepen lists moves that are judged again with a deeper search. If it is given, From is ignored.
	Deepen []int `json:"deepen,omitempty" param:"" range:"0:2^30" items:"0:2000"`
}

// JudgeBoard holds the parameters of the method review.board. Its result is a [ReviewValues] that judges each
// legal move as if it were the recorded move.
type JudgeBoard struct {
	Board board.Board `json:"board" param:"required"`
	Score int64       `json:"score,omitempty" param:"" range:"0:2^62"`
	// Level is the strength of the player, as in ReviewLevel. Empty means strong.
	Level string   `json:"level,omitempty" param:"" range:"400|1000|3000|8000|20000|50000|60000|150000|strong"`
	P4    *float64 `json:"p4,omitempty" param:"" range:"0:1"` // probability of a 4 in the game; absent: 0.1
}

// FindChance holds the parameters of the method review.chance.
type FindChance struct {
	OpenReview
	At []int `json:"at" param:"required" range:"0:2^30" items:"0:2000"` // positions, each given as in ShowReview.Move
}

// ReviewSummary is the result of the method review.open.
type ReviewSummary struct {
	Size   board.Size   `json:"size"`
	Spawn  string       `json:"spawn"`
	Seed   uint64       `json:"seed"`
	Player string       `json:"player"`
	Moves  int          `json:"moves"`
	Board  board.Board  `json:"board"`           // board at the end
	Score  int64        `json:"score"`           // score at the end
	Times  *TimesOfGame `json:"times,omitempty"` // only if the record has times
}

// TimesOfGame contains statistics of the times of a game, and the time of each move.
type TimesOfGame struct {
	ReviewTimes
	Moves []int64 `json:"moves_ms"` // time of each move in milliseconds; -1: not known
}

// ReviewPosition is the result of the method review.show.
type ReviewPosition struct {
	Board board.Board `json:"board"`
	Score int64       `json:"score"`
	Step  *Step       `json:"step"` // the move that led to this position; null at the start
	Next  *NextMove   `json:"next"` // the next recorded move; null at the end
}

// NextMove is the recorded move on a board.
type NextMove struct {
	Move board.Direction `json:"move"`
}

// MoveClass grades a move by its loss; docs/review.md defines the classes.
type MoveClass string

const (
	ClassForced     MoveClass = "forced" // the only legal move; not counted in the sums
	ClassBest       MoveClass = "best"   // no other move is better
	ClassGood       MoveClass = "good"
	ClassUndecided  MoveClass = "undecided" // not certainly worse than the best move, nor certainly as good
	ClassInaccuracy MoveClass = "inaccuracy"
	ClassMistake    MoveClass = "mistake"
	ClassBlunder    MoveClass = "blunder"
)

// GamePhase is a part of a game. The largest tile before a move determines its phase.
type GamePhase string

const (
	PhaseTo512   GamePhase = "to_512"  // until a 512 is made
	PhaseTo2048  GamePhase = "to_2048" // from the first 512 until a 2048 is made
	PhaseTo8192  GamePhase = "to_8192"
	PhaseTo16384 GamePhase = "to_16384"
	PhaseTo32768 GamePhase = "to_32768"
	PhaseBeyond  GamePhase = "beyond"
)

// ReviewValues is the result of the method review.values: the judgements of as many moves as the
// time limit allowed.
type ReviewValues struct {
	From  int          `json:"from"`
	Next  int          `json:"next"` // the first move that is not judged yet; if Deepen was given, an index into Deepen
	Moves []MoveReview `json:"moves"`
	Judge string       `json:"judge"`           // spec of the judge
	Unit  *Unit        `json:"unit"`            // unit of the values of moves without Goal; null if no move was judged
	Exact bool         `json:"exact,omitempty"` // all losses are exact, on a solved size or in solved endings
	// End is the final score that the level expects after the last move of the record. It is missing if the judge
	// is not a level or the luck of the game is not known.
	End *float64 `json:"end,omitempty"`
}

// ReviewChance is the result of the method review.chance: the chances of as many positions as the time limit
// allowed, at least one.
type ReviewChance struct {
	Player  string    `json:"player"`  // spec of the player that plays on from the positions
	Horizon int       `json:"horizon"` // number of moves ahead that the chances cover
	Chances []float64 `json:"chances"` // for each position, the chance that the game is not over within the horizon
}

// MoveReview is the judgement of a recorded move and of the other legal moves. The accuracy of a
// set of moves is the harmonic mean of their accuracies, without forced moves, and at most 1.
type MoveReview struct {
	Move   int             `json:"move"` // number of moves before this move
	Phase  GamePhase       `json:"phase"`
	Played board.Direction `json:"played"`
	Best   board.Direction `json:"best"`
	Class  MoveClass       `json:"class"`
	// Loss is the loss compared with the best move, as a share of the stake (such as the expected final score), at most
	// 1. If a level judges, random errors may make it less than 0.
	Loss     float64 `json:"loss"`
	Accuracy float64 `json:"accuracy"` // 1 if there is no loss
	// Lost is true if every new tile ends the game after the move, but at least one does not after the best move.
	Lost  bool     `json:"lost"`
	Value *float64 `json:"value"` // value of the best move; null for a forced move
	// Goal, if not 0, means that the values are exact chances to make this tile, from a solved ending with free walls.
	Goal int64 `json:"goal,omitempty"`
	// Moves contains the legal moves, or if Goal is set, the moves that the ending allows.
	Moves map[board.Direction]ReviewedMove `json:"moves"`
	// Unclear means that judging the move again with a deeper search (see JudgeMoves.Deepen) may
	// change the result.
	Unclear bool `json:"unclear"`
	// Expected is the final score that the level expects before the move.
	Expected *float64 `json:"expected,omitempty"`
	// After is the final score that the level expects after the move, before the new tile.
	After *float64 `json:"after,omitempty"`
	// NextTile is set only if a level judges a bad move and the chances differ significantly.
	NextTile *NextTile `json:"next_tile,omitempty"`
	// Why explains in English what an inaccuracy, a mistake or a blunder gives away. It is empty if no reason is known.
	Why string `json:"why,omitempty"`
	// Reasons are the sentences of Why, for other languages.
	Reasons []Reason `json:"reasons,omitempty"`
}

// Reason is a sentence with holes such as {played}, and the values that fill them: directions, numbers, and shares such
// as 12.5 %.
type Reason struct {
	Text   string            `json:"text"`
	Values map[string]string `json:"values"`
}

// NextTile contains the chances that the level makes the next tile, which is twice the largest one,
// after the played move and after the best move.
type NextTile struct {
	Tile   int64   `json:"tile"`
	Played float64 `json:"played"` // chance after the move that was played
	Best   float64 `json:"best"`   // chance after the best move
}

// ReviewedMove is the judgement of one legal move.
type ReviewedMove struct {
	Value *float64  `json:"value"` // value in the judge's unit; null if unknown
	Loss  float64   `json:"loss"`  // see MoveReview.Loss
	Class MoveClass `json:"class"`
}

// ReviewReport is the result of the command "review": all moves of a game together.
type ReviewReport struct {
	Judge  string `json:"judge"`           // spec of the judge
	Unit   *Unit  `json:"unit"`            // unit of the values of moves without Goal; null if no move was judged
	Exact  bool   `json:"exact,omitempty"` // all losses are exact, on a solved size or in solved endings
	Moves  int    `json:"moves"`           // number of moves of the record
	Judged int    `json:"judged"`
	// Endings is the number of judged moves with values of a solved ending; see MoveReview.Goal.
	Endings int           `json:"endings,omitempty"`
	Game    ReviewTally   `json:"game"`
	Phases  []PhaseReview `json:"phases"`          // the phases that the game reached, in order
	Worst   []WorstMove   `json:"worst"`           // inaccuracies, mistakes and blunders; largest losses first
	Times   *ReviewTimes  `json:"times,omitempty"` // only if the record has times
	// Ledger separates skill from luck. It is null if no player estimates points, the values contradict
	// themselves, the new tiles are not random or the player knew them, or time ran out.
	Ledger *Ledger `json:"ledger"`
}

// ReviewTimes contains statistics of the times of a game, in milliseconds. Moves with an unknown time are not
// counted.
type ReviewTimes struct {
	Known   int         `json:"known"` // number of moves whose time is known
	Total   int64       `json:"total_ms"`
	Median  float64     `json:"median_ms"`
	Phases  []PhaseTime `json:"phases"`  // phases with a known time above 0, in order
	Longest []MoveTime  `json:"longest"` // the moves that took longest, up to five
	// Best and Mistakes are null unless there are at least five moves of each kind.
	Best     *float64 `json:"best_median_ms"`    // median over moves of class best
	Mistakes *float64 `json:"mistake_median_ms"` // median over mistakes and blunders
}

// PhaseTime is the time that a phase took.
type PhaseTime struct {
	Phase GamePhase `json:"phase"`
	Time  int64     `json:"ms"`
}

// MoveTime is the time that a move took.
type MoveTime struct {
	Move  int       `json:"move"` // number of moves before this move
	Time  int64     `json:"ms"`
	Class MoveClass `json:"class,omitempty"` // empty if not known
}

// ReviewTally sums up judged moves.
type ReviewTally struct {
	Moves    int         `json:"moves"` // number of moves that are not forced
	Forced   int         `json:"forced"`
	Accuracy *float64    `json:"accuracy"` // from 0 to 1; null if every move is forced
	Loss     *float64    `json:"loss"`     // mean loss of moves that are not forced; null if every move is forced
	Classes  ClassCounts `json:"classes"`
}

// PhaseReview contains the sums for one phase.
type PhaseReview struct {
	Phase GamePhase `json:"phase"`
	ReviewTally
}

// ClassCounts contains the number of moves of each class.
type ClassCounts struct {
	Best       int `json:"best"`
	Good       int `json:"good"`
	Undecided  int `json:"undecided"`
	Inaccuracy int `json:"inaccuracy"`
	Mistake    int `json:"mistake"`
	Blunder    int `json:"blunder"`
}

// WorstMove is a judged move with its position.
type WorstMove struct {
	MoveReview
	Board board.Board `json:"board"` // board before the move
	Score int64       `json:"score"`
}

// AccountLuck holds the parameters of the method review.luck.
type AccountLuck struct {
	OpenReview
	From int `json:"from" param:"" range:"0:2^30"` // the first move to account for, counted from 0
}

// LuckAccount is the result of the method review.luck: the luck of as many moves as the time limit allowed. The
// contribution of move i, without the luck of its new tile, is expected[i+1] - expected[i] - luck[i].
type LuckAccount struct {
	From     int       `json:"from"`
	Next     int       `json:"next"`     // the first move that is not accounted for yet
	Expected []float64 `json:"expected"` // expected final score before each move, and after the last one
	Luck     []float64 `json:"luck"`     // change of the expected final score by the new tile after each move
	Variance float64   `json:"variance"` // variance of the sum of luck, given the moves
	// Drift measures the inconsistency of the values. If it is larger than the contributions of moves and luck, the
	// account is meaningless.
	Drift  float64 `json:"drift"`
	Player string  `json:"player"`          // spec of the player whose values are used
	Exact  bool    `json:"exact,omitempty"` // the values are exact
}

// Ledger splits a score into the contributions of moves and new tiles: score + remaining = expected + moves + luck.
type Ledger struct {
	Player    string    `json:"player"`              // spec of the player whose values are used
	Exact     bool      `json:"exact,omitempty"`     // the values are exact
	Expected  float64   `json:"expected"`            // expected final score at the start
	Moves     float64   `json:"moves"`               // contribution of all moves
	Luck      float64   `json:"luck"`                // contribution of all new tiles after moves
	LuckSD    float64   `json:"luck_sd"`             // standard deviation of luck, whose mean is 0
	Remaining float64   `json:"remaining,omitempty"` // points expected after the last move; 0 if the game is over
	Score     int64     `json:"score"`
	Worst     *TileLuck `json:"worst"` // the new tile with the worst luck; null without moves
	Best      *TileLuck `json:"best"`  // the new tile with the best luck; null without moves
}

// Luckier returns the approximate share of games with less luck than this one, assuming a normal distribution of luck.
func (l *Ledger) Luckier() float64 {
	if l.LuckSD == 0 {
		return 0.5
	}
	return (1 + math.Erf(l.Luck/l.LuckSD/math.Sqrt2)) / 2
}

// TileLuck is the luck of one new tile: how much it changed the expected final score.
type TileLuck struct {
	Move int     `json:"move"` // the move before the tile, counted from 0
	Luck float64 `json:"luck"` // in points
}
