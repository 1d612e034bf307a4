package wire

// Signature is a method with its param and result types. The page's types are generated from
// Signatures.
type Signature struct {
	Method  string
	Params  any   // a zero value; nil: no params
	Results []any // zero values; if there are several, the params determine which
}

// Signatures lists every method.
var Signatures = []Signature{
	{MethodHello, Hello{}, []any{Hello{}}},
	{MethodPlayers, nil, []any{Players{}}},
	{MethodInspect, Inspect{}, []any{Inspection{}}},
	{MethodAnalyze, Analyze{}, []any{Decision{}}},
	{MethodBestMove, BestMove{}, []any{Move{}}},
	{MethodOdds, FindOdds{}, []any{OddsAnswer{}}},
	{MethodSolve, Solve{}, []any{Solution{}}},
	{MethodBye, nil, []any{Bye{}}},

	{MethodCancel, Cancel{}, []any{Empty{}}},
	{MethodParse, ParseBoard{}, []any{ParsedBoard{}}},
	{MethodExplain, Explain{}, []any{Reasons{}}},
	{MethodTree, DrawTree{}, []any{Tree{}, TreePicture{}}},
	{MethodPicture, ReadPicture{}, []any{PictureBoard{}}},
	{MethodSolveShow, SolveSize{}, []any{SolveState{}}},
	{MethodSolveStart, SolveSize{}, []any{SolveState{}}},
	{MethodSolveStop, SolveSize{}, []any{Empty{}}},

	{MethodGameOpen, OpenGame{}, []any{GameState{}}},
	{MethodGameMove, MoveGame{}, []any{GameState{}}},
	{MethodGameUndo, nil, []any{GameState{}}},
	{MethodGameRedo, nil, []any{GameState{}}},
	{MethodGameKeep, nil, []any{GameState{}}},
	{MethodGameRecord, nil, []any{GameRecord{}}},

	{MethodWatchStart, StartWatch{}, []any{WatchKey{}}},
	{MethodWatchList, nil, []any{WatchList{}}},
	{MethodWatchJoin, WatchRef{}, []any{Empty{}}},
	{MethodWatchLeave, WatchRef{}, []any{Empty{}}},
	{MethodWatchSet, SetWatch{}, []any{Empty{}}},
	{MethodWatchStep, WatchRef{}, []any{Empty{}}},
	{MethodWatchBack, WatchRef{}, []any{Empty{}}},
	{MethodWatchMove, MoveWatch{}, []any{Empty{}}},
	{MethodWatchRecord, WatchRef{}, []any{GameRecord{}}},

	{MethodReviewRead, ReadGames{}, []any{FileGame{}}},
	{MethodReviewOpen, Review{}, []any{ReviewSummary{}}},
	{MethodReviewShow, Review{}, []any{ReviewPosition{}}},
	{MethodReviewValues, Review{}, []any{ReviewValues{}}},
	{MethodReviewReport, Review{}, []any{ReviewReport{}}},

	{MethodExperimentList, nil, []any{ExperimentList{}}},
	{MethodExperimentShow, ExperimentRef{}, []any{Experiment{}}},
	{MethodExperimentStart, StartExperiment{}, []any{ExperimentRef{}}},
	{MethodExperimentStop, ExperimentRef{}, []any{Empty{}}},
	{MethodExperimentRemove, ExperimentRef{}, []any{Empty{}}},
	{MethodExperimentGames, FindGames{}, []any{ExperimentGames{}}},
	{MethodExperimentRecord, FindGame{}, []any{GameRecord{}}},
	{MethodExperimentRecords, FindRecords{}, []any{ExperimentRecords{}}},
	{MethodExperimentReport, ExperimentRef{}, []any{ExperimentReport{}}},
	{MethodTrainingList, nil, []any{TrainingList{}}},
	{MethodTrainingShow, ShowTraining{}, []any{Training{}}},
}

// Notifications lists what a server sends without a request, with its params.
var Notifications = []Signature{
	{MethodFrame, Frame{}, nil},
	{MethodLoading, Loading{}, nil},
}
