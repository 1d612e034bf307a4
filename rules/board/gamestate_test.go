package board

import (
	"encoding/json"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Any text pasted as the original page's state gives a board of its size or an
// error, and what the original page writes is read as it was meant.
func FuzzGameState(f *testing.F) {
	f.Add(`{"grid":{"size":2,"cells":[[{"position":{"x":0,"y":0},"value":2},null],[null,{"position":{"x":1,"y":1},"value":8}]]},"score":8}`)
	f.Add(`{"grid":{"size":4,"cells":null}}`)
	f.Add(`{"grid":{"size":2,"cells":[[{"value":-2},null],[null,null]]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		b, score, err := parseGameState(text)
		if err != nil {
			return
		}
		size := b.Size()
		if !size.Valid() || size.Rows != size.Cols || score == nil || *score < 0 {
			t.Fatalf("%v, %v", b, score)
		}
		type cell struct {
			Value int64 `json:"value"`
		}
		columns := make([][]*cell, size.Cols)
		tiles := b.Tiles()
		for x := range columns {
			columns[x] = make([]*cell, size.Rows)
			for y := range columns[x] {
				if v := tiles[y][x]; v > 0 {
					columns[x][y] = &cell{v}
				}
			}
		}
		again := must.Get(json.Marshal(map[string]any{"grid": map[string]any{"size": size.Rows, "cells": columns}, "score": *score}))(t)
		if back, _, err := ParseScored(string(again)); err != nil || back != b {
			t.Errorf("%s is read as %v (%v), not %v", again, back, err, b)
		}
	})
}
