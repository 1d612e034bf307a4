package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/afterstate2048/afterstate/serve/session"
)

// The table of methods is between these lines of docs/api.md.
const (
	tableBegin = "<!-- methods: go generate ./protocol -->\n"
	tableEnd   = "<!-- /methods -->\n"
)

var slots = map[session.Slot]string{session.Immediate: "in order", session.Ordered: "in order, as a search", session.Concurrent: "as a search, concurrently"}

// withTable returns the text of docs/api.md with the table of methods made anew.
func withTable(text []byte) ([]byte, error) {
	before, rest, ok := bytes.Cut(text, []byte(tableBegin))
	_, after, closed := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !closed {
		return nil, fmt.Errorf("%s: want the lines %q and %q", api, tableBegin, tableEnd)
	}
	var out bytes.Buffer
	out.Write(before)
	out.WriteString(tableBegin + "| method | params (`?`: optional) | answered |\n|---|---|---|\n")
	for _, m := range session.Methods() {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", m.Name, strings.Join(paramsOf(reflect.TypeOf(m.Params)), ", "), slots[m.Slot])
	}
	out.WriteString(tableEnd)
	out.Write(after)
	return out.Bytes(), nil
}

// paramsOf returns a text for each param of a struct: its name and what it accepts, from its tag (protocol/params.go).
func paramsOf(t reflect.Type) (all []string) {
	if t == nil {
		return []string{"none"}
	}
	for _, f := range reflect.VisibleFields(t) {
		tag, ok := f.Tag.Lookup("param")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		text, limits := "`"+name+"`", accepted(tag)
		if !strings.HasPrefix(tag, "required") {
			text += "?"
		}
		if limits != "" {
			text += " (" + limits + ")"
		}
		all = append(all, text)
	}
	return all
}

// accepted describes the values that a tag allows.
func accepted(tag string) string {
	var texts []string
	low, high := "0", ""
	for part := range strings.SplitSeq(tag, ",") {
		switch key, value, _ := strings.Cut(part, "="); key {
		case "min":
			low = value
		case "max":
			high = value
		case "items":
			texts = append(texts, "at most "+value[strings.Index(value, ":")+1:])
		case "tile":
			texts = append(texts, "a tile")
		case "speed":
			texts = append(texts, "0.1 to 1000, or 0")
		case "of":
			texts = append(texts, "`"+strings.ReplaceAll(value, "|", "`, `")+"`")
		case "default":
			texts = append(texts, "default "+value)
		}
	}
	if high != "" {
		texts = append([]string{low + " to " + high}, texts...)
	}
	return strings.Join(texts, "; ")
}
