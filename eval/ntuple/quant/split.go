package quant

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// A part of a split file is
//
//	magic   8 bytes, "AFTERNP" and the version as a digit
//	number  4 bytes, from 0; count 4 bytes; total bytes of the file 8 bytes
//	check   4 bytes: CRC-32C of the whole file; and of this part's bytes, 4 bytes
//	bytes
const (
	partMagic = "AFTERNP1"
	partFront = len(partMagic) + 24
	// PartSize is the most bytes of a part that Split makes, 15 MiB.
	PartSize = 15 << 20
)

// Split cuts a file of any kind into parts of at most PartSize bytes each, their headers
// included. There is at least one part.
func Split(file []byte) (parts [][]byte) {
	const room = PartSize - partFront
	count := max(1, (len(file)+room-1)/room)
	whole := crc32.Checksum(file, castagnoli)
	for i := range count {
		body := file[i*room : min((i+1)*room, len(file))]
		part := append(make([]byte, 0, partFront+len(body)), partMagic...)
		part = binary.LittleEndian.AppendUint32(part, uint32(i))
		part = binary.LittleEndian.AppendUint32(part, uint32(count))
		part = binary.LittleEndian.AppendUint64(part, uint64(len(file)))
		part = binary.LittleEndian.AppendUint32(part, whole)
		part = binary.LittleEndian.AppendUint32(part, crc32.Checksum(body, castagnoli))
		parts = append(parts, append(part, body...))
	}
	return parts
}

// IsPart reports whether bytes begin as a part of a split file; 8 bytes are enough.
func IsPart(part []byte) bool {
	return len(part) >= len(partMagic) && string(part[:len(partMagic)]) == partMagic
}

// PartError is an error about one of the parts given to Join.
type PartError struct {
	Index, Given int // the argument, from 0, and the number of arguments
	Err          error
}

func (e *PartError) Error() string {
	return fmt.Sprintf("part %d of %d given: %v", e.Index+1, e.Given, e.Err)
}

func (e *PartError) Unwrap() error { return e.Err }

// Join concatenates all parts of one file, given in any order. An error about one of them is a
// *PartError.
func Join(parts ...[]byte) ([]byte, error) {
	if len(parts) == 0 {
		return nil, errors.New("no parts to join")
	}
	bodies := make([][]byte, len(parts))
	var size uint64
	for i, p := range parts {
		bad := func(format string, args ...any) ([]byte, error) {
			return nil, &PartError{i, len(parts), fmt.Errorf(format, args...)}
		}
		if len(p) < partFront || !IsPart(p) {
			return bad("it does not begin as a part")
		}
		front, body := p[len(partMagic):partFront], p[partFront:]
		number, count := binary.LittleEndian.Uint32(front), binary.LittleEndian.Uint32(front[4:])
		switch {
		case string(front[4:20]) != string(parts[0][len(partMagic)+4:len(partMagic)+20]):
			return bad("it is of another file than the first")
		case uint64(count) != uint64(len(parts)):
			return nil, fmt.Errorf("%d parts given of a file of %d", len(parts), count)
		case number >= count || bodies[number] != nil:
			return bad("it is number %d, given twice or none of the file", number+1)
		case crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(front[20:]):
			return bad("truncated or corrupt, its checksum is wrong")
		}
		bodies[number] = body
		size += uint64(len(body))
	}
	front := parts[0][len(partMagic):]
	if total := binary.LittleEndian.Uint64(front[8:]); total != size {
		return nil, fmt.Errorf("the parts have %d bytes, their file %d", size, total)
	}
	file := slices.Concat(bodies...)
	if crc32.Checksum(file, castagnoli) != binary.LittleEndian.Uint32(front[16:]) {
		return nil, errors.New("the joined file's checksum is wrong")
	}
	return file, nil
}
