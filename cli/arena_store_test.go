package cli_test

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/internal/must"
)

// change changes the database of a store directly.
func change(t *testing.T, path, statement string) {
	t.Helper()
	db := must.Get(sql.Open("sqlite", "file:"+path))(t)
	defer db.Close()
	must.Get(db.Exec(statement))(t)
}

// Games are not added to those of a program that may choose other moves, unless the user allows it. The refusal names the
// versions; a signature that is not cached is computed.
func TestVersionsAreNotMixed(t *testing.T) {
	programVersion := program.Self().Version
	db := filepath.Join(t.TempDir(), "x.db")
	says(t, db, "run", "first", "greedy", "random", "--games", "3", "--size", "3x3")
	change(t, db, "UPDATE players SET versions = '0.0.1,0.0.2', signatures = ',' WHERE spec = 'greedy'")
	status, _, errOut := arenaIn(t, db, "run", "first", "--games", "4")
	want := regexp.MustCompile(`^afterstate: first: games of greedy are from version 0\.0\.1, 0\.0\.2; this version, ` + regexp.QuoteMeta(programVersion) +
		`( \(signature [0-9a-f]{16}\))?, may choose other moves:\nbegin another experiment, or mix them with --any-version\n$`)
	if status != 2 || !want.MatchString(errOut) {
		t.Errorf("status %d, %q", status, errOut)
	}
	says(t, db, "run", "first") // there is nothing to play
	says(t, db, "run", "first", "--games", "4", "--any-version")
	out := says(t, db, "show", "first")
	if line := `(?m)^1 greedy +4 of 4 +0\.0\.1, 0\.0\.2, ` + regexp.QuoteMeta(programVersion); !regexp.MustCompile(line).MatchString(out) {
		t.Error(out)
	}
}

// Changed records of a store are reported when a game of it is shown.
func TestChangedRecords(t *testing.T) {
	db := filepath.Join(t.TempDir(), "x.db")
	says(t, db, "run", "first", "greedy", "--games", "2", "--size", "3x3")
	change(t, db, "UPDATE games SET score = score + 4 WHERE id & 1 = 1")
	for game, ok := range map[string]bool{"first/greedy/0": true, "first/greedy/1": false} {
		status, _, errOut := clitest.Run(t.Context(), strings.NewReader(""), "watch", "--game", game, "--db", db)
		if (status == 0) != ok || !ok && (status != 1 || !strings.Contains(errOut, "game 1 of seed 1: the record cannot be replayed: ")) {
			t.Errorf("%s: status %d, %s", game, status, errOut)
		}
	}
	if status, _, errOut := arenaIn(t, db, "export", "first", "--format", "records"); status != 1 || !strings.Contains(errOut, "first/greedy/1: game 1 of seed 1: the record cannot be replayed") {
		t.Errorf("export: status %d, %s", status, errOut)
	}
}

// A store of another version is bad input; a damaged one is a failure.
func TestStoresThatCannotBeUsed(t *testing.T) {
	db := filepath.Join(t.TempDir(), "x.db")
	says(t, db, "run", "first", "greedy", "--games", "2", "--size", "3x3")
	change(t, db, "PRAGMA user_version = 99")
	for _, words := range [][]string{{"list"}, {"run", "first"}, {"show", "first"}, {"rm", "first"}} {
		if status, _, errOut := arenaIn(t, db, words...); status != 2 || !strings.Contains(errOut, "x.db was made by another version of Afterstate (schema 99, this one reads ") {
			t.Errorf("%v: status %d, %s", words, status, errOut)
		}
	}
	change(t, db, "PRAGMA user_version = 3; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 77 WHERE name = 'games'")
	if status, _, errOut := arenaIn(t, db, "show", "first"); status != 1 || !strings.Contains(errOut, "x.db is damaged: ") {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// says runs an arena command on a store, which must succeed, and returns its output.
func says(t *testing.T, db string, words ...string) string {
	t.Helper()
	return succeeds(t, append(append([]string{"arena"}, words...), "--db", db)...)
}

// arenaIn runs an arena command on a store, in this process.
func arenaIn(t *testing.T, db string, words ...string) (status int, out, errOut string) {
	t.Helper()
	return clitest.Run(t.Context(), strings.NewReader(""), append(append([]string{"arena"}, words...), "--db", db)...)
}
