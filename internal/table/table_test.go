package table

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func sample() *Table {
	t := New(Name("player"), Number("mean score"), Words("verdict"))
	t.Add("a|b", "1,234 ± 5", "better")
	r := t.Add("snake(depth=2)_%", "7", "")
	r.Class, r.Mark = "unclear", `<i class="dot c1"></i>`
	return t
}

func TestFormats(t *testing.T) {
	var csv strings.Builder
	must.Do(t, sample().CSV(&csv))
	for got, want := range map[string]string{
		sample().Text(80): "player            mean score  verdict\n" +
			"a|b                1,234 ± 5  better\n" +
			"snake(depth=2)_%           7\n",
		sample().Text(30): "player     mean score  verdict\na|b         1,234 ± 5  better\nsnake(depth=2)_%\n                    7\n",
		sample().Markdown(): "| player | mean score | verdict |\n|---|---|---|\n" +
			"| `a\\|b` | 1,234 ± 5 | better |\n| `snake(depth=2)_%` | 7 |  |\n",
		sample().HTML(): "<table>\n<thead><tr><th>player</th><th>mean score</th><th>verdict</th></tr></thead>\n<tbody>\n" +
			"<tr><td>a|b</td><td>1,234 ± 5</td><td>better</td></tr>\n" +
			"<tr class=\"unclear\"><td><span class=\"who\"><i class=\"dot c1\"></i>snake(depth=2)_%</span></td><td>7</td><td></td></tr>\n</tbody></table>",
		sample().LaTeX(): "\\begin{tabular}{lrl}\n\\toprule\nplayer & mean score & verdict \\\\\n\\midrule\n" +
			"\\texttt{a|b} & 1,234 $\\pm$ 5 & better \\\\\n\\texttt{snake(depth=2)\\_\\%} & 7 &  \\\\\n\\bottomrule\n\\end{tabular}\n",
		csv.String(): "player,mean score,verdict\na|b,\"1,234 ± 5\",better\nsnake(depth=2)_%,7,\n",
	} {
		must.Equal(t, got, want, "table")
	}
}

// Titles and cells are escaped in HTML.
func TestEscaped(t *testing.T) {
	x := New(Words("<b>"))
	x.Add("<script>")
	if got := x.HTML(); strings.Contains(got, "<script>") || strings.Contains(got, "<b>") {
		t.Error(got)
	}
}

// No spreadsheet runs a name as a formula, and Plain restores the name.
func TestInert(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-x": "'-x", "@sum(1)": "'@sum(1)", "\t=1": "'\t=1", "'=1": "''=1", "''-": "'''-",
		"": "", "bot": "bot", "'bot'": "'bot'", "'": "'", "a=b": "a=b",
	} {
		if got := Inert(text); got != want || Plain(got) != text {
			t.Errorf("%q is %q, and then %q", text, got, Plain(got))
		}
	}
	x := New(Name("=player"), Number("score"))
	x.Add("=HYPERLINK(1)", "-5")
	var out strings.Builder
	must.Do(t, x.CSV(&out))
	must.Equal(t, out.String(), "'=player,score\n'=HYPERLINK(1),-5\n")
}
