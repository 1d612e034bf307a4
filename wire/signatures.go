package wire

// Signature is a method with the types of its params and results. The page's types are
// generated from Signatures.
type Signature struct {
	Method  string
	Params  any   // a zero value; nil: the method takes none
	Results []any // zero values; where there are several, the params choose one
}

// Signatures lists every method.
var Signatures = []Signature{
	{MethodHello, Hello{}, []any{Hello{}}},
	{MethodPlayers, nil, []any{Players{}}},
	{MethodInspect, Inspect{}, []any{Inspection{}}},
	{MethodAnalyze, Analyze{}, []any{Decision{}}},
	{MethodBestMove, BestMove{}, []any{Move{}}},
	{MethodBye, nil, []any{Bye{}}},

	{MethodCancel, Cancel{}, []any{Done{}}},
	{MethodParse, ParseBoard{}, []any{Parsed{}}},
	{MethodExplain, Explain{}, []any{Reasons{}}},
	{MethodTree, DrawTree{}, []any{Tree{}, TreePicture{}}},

	{MethodGameOpen, OpenGame{}, []any{GameState{}}},
	{MethodGameMove, Played{}, []any{GameState{}}},
	{MethodGameUndo, nil, []any{GameState{}}},
	{MethodGameRedo, nil, []any{GameState{}}},
	{MethodGameKeep, nil, []any{GameState{}}},
	{MethodGameRecord, nil, []any{Recorded{}}},

	{MethodWatchStart, StartWatch{}, []any{WatchKey{}}},
	{MethodWatchList, nil, []any{WatchList{}}},
	{MethodWatchJoin, WatchAt{}, []any{Done{}}},
	{MethodWatchLeave, WatchAt{}, []any{Done{}}},
	{MethodWatchSet, SetWatch{}, []any{Done{}}},
	{MethodWatchStep, WatchAt{}, []any{Done{}}},
	{MethodWatchBack, WatchAt{}, []any{Done{}}},
	{MethodWatchMove, MoveWatch{}, []any{Done{}}},
	{MethodWatchRecord, WatchAt{}, []any{Recorded{}}},

	{MethodReviewOpen, Review{}, []any{Reviewed{}}},
	{MethodReviewShow, Review{}, []any{ReviewedAt{}}},
	{MethodReviewValues, Review{}, []any{ReviewValues{}}},

	{MethodExperimentList, nil, []any{ExperimentList{}}},
	{MethodExperimentShow, Named{}, []any{Experiment{}}},
	{MethodExperimentStart, StartExperiment{}, []any{Named{}}},
	{MethodExperimentStop, Named{}, []any{Done{}}},
	{MethodTrainingList, nil, []any{TrainingList{}}},
	{MethodTrainingShow, ShowTraining{}, []any{Training{}}},
}

// Notifications lists what a server sends without being asked, with its params.
var Notifications = []Signature{
	{MethodFrame, Frame{}, nil},
}
