// Command bundle makes the page from its sources:
//
//	go run -C tools ./bundle ../serve/ui ../serve/dist
//
// It bundles src/main.tsx and everything that it imports into app.js and app.css. Run npm ci in the sources'
// folder first. Each import() becomes a separate script, and so does code that several scripts share. The name of
// such a script contains a hash of its contents. The languages of src/texts.json are such scripts too. The
// scripts of the static site's workers go to site/. The command also copies static/ and collects the licences
// of the bundled packages. The same sources give the same bytes.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "bundle: must be two arguments: the folder of the sources and the folder of the page")
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
	if err := script(from, "main.tsx", api.FormatESModule, func(name string) string {
		return filepath.Join(to, strings.Replace(name, "main.", "app.", 1))
	}); err != nil {
		return err
	}
	if err := preload(to); err != nil {
		return err
	}
	for _, name := range []string{"engine/worker.ts", "engine/sw.ts"} {
		if err := script(from, name, api.FormatIIFE, func(name string) string { return filepath.Join(to, "site", name) }); err != nil {
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

// preload makes the page load the scripts that app.js imports at the same time as app.js.
func preload(to string) error {
	shared, err := filepath.Glob(filepath.Join(to, "chunk-*.js"))
	if err != nil {
		return err
	}
	index := filepath.Join(to, "index.html")
	page, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	links := ""
	for _, path := range shared {
		links += fmt.Sprintf("<link rel=\"modulepreload\" href=%q>\n", filepath.Base(path))
	}
	return os.WriteFile(index, []byte(strings.Replace(string(page), "<script ", links+"<script ", 1)), 0o644)
}

// script bundles a source with what it imports. It writes each output to the path that the function at returns
// for the output's name.
func script(from, source string, format api.Format, at func(name string) string) error {
	built := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(from, "src", source)},
		AbsWorkingDir:     from,
		Bundle:            true,
		Format:            format,
		Target:            api.ES2022,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		Splitting:         format == api.FormatESModule,
		ChunkNames:        "[name]-[hash]",
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone, // licences.txt has them
		Charset:           api.CharsetUTF8,
		External:          []string{"*.woff2"},
		Outdir:            from, // only for the names of the outputs: the loop below writes the files
		LogLevel:          api.LogLevelWarning,
		Plugins:           []api.Plugin{{Name: "texts", Setup: languages(filepath.Join(from, "src", "texts.json"))}},
	})
	if len(built.Errors) > 0 {
		return fmt.Errorf("%d errors", len(built.Errors))
	}
	for _, f := range built.OutputFiles {
		path := at(filepath.Base(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Contents, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// languages returns a plugin that resolves imports such as texts:de. The imported value maps the English texts
// in the file at path to the German ones.
func languages(path string) func(api.PluginBuild) {
	return func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^texts:"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: strings.Replace(a.Path, ":", "-", 1), Namespace: "texts"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "texts"}, func(a api.OnLoadArgs) (r api.OnLoadResult, err error) {
			var all []map[string]string
			data, err := os.ReadFile(path)
			if err == nil {
				err = json.Unmarshal(data, &all)
			}
			texts := map[string]string{}
			for _, entry := range all {
				texts[entry["en"]] = entry[strings.TrimPrefix(a.Path, "texts-")]
			}
			data, _ = json.Marshal(texts) // cannot fail: all values are text
			contents := "export default " + string(data)
			r.Contents = &contents
			return r, err
		})
	}
}

// licences writes the licences of the packages in the page to licences.txt.
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
