// Command bundle makes the page from its sources:
//
//	go run -C tools ./bundle ../serve/ui ../serve/dist
//
// It bundles src/main.tsx with what it imports (npm ci in the sources' folder brings
// that) into app.js and app.css, copies static/, and gathers the licences of what
// went in. The same sources give the same bytes.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "bundle: want two folders, that of the sources and that of the page")
		os.Exit(2)
	}
	if err := bundle(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func bundle(from, to string) error {
	if _, err := os.Stat(filepath.Join(from, "node_modules", "preact")); err != nil {
		return fmt.Errorf("%s lacks node_modules: run npm ci there", from)
	}
	from, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(filepath.Join(from, "static"))); err != nil {
		return err
	}
	built := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(from, "src", "main.tsx")},
		AbsWorkingDir:     from,
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone, // licences.txt has them
		Charset:           api.CharsetUTF8,
		External:          []string{"*.woff2"},
		Outdir:            from, // a name for the outputs; they are written below
		LogLevel:          api.LogLevelWarning,
	})
	if len(built.Errors) > 0 {
		return fmt.Errorf("%d errors", len(built.Errors))
	}
	for _, f := range built.OutputFiles {
		name := strings.Replace(filepath.Base(f.Path), "main.", "app.", 1)
		if err := os.WriteFile(filepath.Join(to, name), f.Contents, 0o644); err != nil {
			return err
		}
	}
	font, err := os.ReadFile(filepath.Join(from, "node_modules", "@fontsource-variable", "figtree", "files", "figtree-latin-wght-normal.woff2"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "figtree.woff2"), font, 0o644); err != nil {
		return err
	}
	return licences(from, to)
}

// licences writes down who made what is in the page.
func licences(from, to string) error {
	var all strings.Builder
	all.WriteString("The page of Afterstate holds these works of others.\n")
	for _, name := range []string{"preact", "uplot", "@fontsource-variable/figtree"} {
		text, err := os.ReadFile(filepath.Join(from, "node_modules", filepath.FromSlash(name), "LICENSE"))
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "\n\n%s\n\n%s\n", name, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return os.WriteFile(filepath.Join(to, "licences.txt"), []byte(all.String()), 0o644)
}
