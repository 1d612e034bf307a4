package former_test

import (
	"testing"

	"afterstate/player/spec/former"
)

func TestSpec(t *testing.T) {
	for old, now := range map[string]string{
		"expert(nodes=30000,cut=1e-3)": "expert(nodes=30000,min_prob=1e-3)",
		"expectimax(eval=expert,dead=-400000,nodes=300000,spare=yes,cut=5e-4,margin=80000,table=4MB)": "expectimax(eval=expert,death_value=-400000,nodes=300000,soft_limit=yes,min_prob=5e-4,prune_margin=80000,tt=4MB)",
		"ntuple(model=table,plies=4,phase=1,scope=move,strict=yes,engine=plain)":                      "ntuple(model=table,plies=4,depth_by_tiles=1,tt_lifetime=root_move,tt_exact=yes,impl=generic)",
		"champion(scope=game,engine=fast)":                                                            "champion(tt_lifetime=game,impl=bitboard)",
		"champion(scope=position)":                                                                    "champion(tt_lifetime=search)",
		"foresight(reroot=no)":                                                                        "foresight(reuse_tree=no)",
		"expectimax(eval=smooth)":                                                                     "expectimax(eval=smoothness)",
		"expectimax(eval=monotone(),plies=1)":                                                         "expectimax(eval=monotonicity(),plies=1)",
		"adversary(eval=sum(empty=2,smooth=0.5,monotone=1),share=0.3)":                                "adversary(eval=sum(empty=2,smoothness=0.5,monotonicity=1),share=0.3)",
		"minimax(eval=lines(load=11,load_power=3,rough=1,disorder=2))":                                "minimax(eval=lines(power_sum=11,power_sum_power=3,roughness=1,disorder=2))",
		`expectimax(eval=sum(file="sha256:00"),table=2MB)`:                                            `expectimax(eval=sum(file="sha256:00"),tt=2MB)`,
		"greedy": "greedy", "snake(depth=2)": "snake(depth=2)",
		`exec(cmd="bot --player champion(cut=1)",time=5ms)`: `exec(cmd="bot --player champion(cut=1)",time=5ms)`, // the program's own
		`ntuple(model="plain")`:                             `ntuple(model="plain")`, "not a spec (": "not a spec (", "": "",
		"snake( depth = 2 )": "snake( depth = 2 )", // nothing to translate
	} {
		if got := former.Spec(old); got != now {
			t.Errorf("%s: %s, want %s", old, got, now)
		}
		if got := former.Spec(now); got != now {
			t.Errorf("%s is translated again: %s", now, got)
		}
		if got := former.Before(now); got != old {
			t.Errorf("before, %s was %s, want %s", now, got, old)
		}
	}
}
