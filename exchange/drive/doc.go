// Package drive plays 2048 on a page of another site: it reads the board from the page, asks a player,
// presses keys, and checks that what appears is what the rules allow.
//
//	p, _ := drive.Open(ctx, browser, "https://example.com/2048/", drive.PageOptions{})
//	s := drive.NewSession(p, player, drive.Options{Until: 2048})
//	end, err := s.Run(ctx)
//
// A [Session] plays on a [Site], which may be a [Page] of a browser. After a move the site has to show
// the afterstate and one new 2 or 4. A board that other legal moves lead to is followed: a person may
// press keys too. Everything else ends the session with an error that has the expected and the seen
// board. With Options.Advise the session presses nothing: it shows the recommended move on the page and
// follows the person's moves.
//
// A page is read by its [Description]: the elements of the original page and its descendants by default,
// and the game that they save in local storage. All that comes from a page is checked: a board is 4 to 36
// numbers that are 0 or powers of two. Texts of pages are quoted in errors.
//
// The reading script runs in a JavaScript world of its own, which the page's code cannot change; only the
// script of a description runs in the page's.
package drive
