package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
)

// AppendJSON appends the record's line, without a newline, to dst. It fails on malformed records.
func (r Record) AppendJSON(dst []byte) ([]byte, error) {
	if err := r.check(); err != nil {
		return dst, err
	}
	dst = fmt.Appendf(dst, `{"afterstate_record":%d,"size":"%v",`, Version, r.Board.Size())
	if r.startTiles() == 0 {
		start, err := r.Start.MarshalJSON()
		if err != nil {
			return dst, err
		}
		dst = fmt.Appendf(dst, `"start":%s,`, start)
	}
	dst = append(dst, `"spawn":`...)
	dst = appendText(dst, r.Spawn)
	if r.Spawn == Random {
		dst = append(dst, `,"p4":`...)
		dst = strconv.AppendFloat(dst, r.P4, 'g', -1, 64)
	}
	dst = fmt.Appendf(dst, `,"seed":%d,"game":%d,"player":`, r.Seed, r.Game)
	dst = appendText(dst, r.Player)
	dst = fmt.Appendf(dst, `,"move_count":%d,"moves":"`, len(r.Moves))
	dst = base64.StdEncoding.AppendEncode(dst, PackMoves(r.Moves))
	dst = append(dst, '"')
	if r.Spawn != Random {
		dst = append(dst, `,"spawns":"`...)
		dst = appendSpawns(dst, r.Spawns)
		dst = append(dst, '"')
	}
	rows, err := r.Board.MarshalJSON()
	if err != nil {
		return dst, err
	}
	return fmt.Appendf(dst, `,"board":%s,"score":%d}`, rows, r.Score), nil
}

// appendText appends a JSON string, with <, > and & unescaped.
func appendText(dst []byte, text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string in memory cannot fail
	return append(dst, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}

// MarshalJSON returns the record's line.
func (r Record) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON reads a record as Parse does.
func (r *Record) UnmarshalJSON(line []byte) (err error) {
	*r, err = Parse(line)
	return err
}
