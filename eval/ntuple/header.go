package ntuple

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Network files, including the files of package quant, begin with
//
//	magic    8 bytes, of which the last is the version as a digit
//	length   4 bytes: length of the header
//	check    4 bytes: CRC-32C of the header
//	header   JSON
//
// All numbers are little-endian.
const (
	prologue  = 16 // bytes before the header
	maxHeader = 1 << 26
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// EncodeFront returns the front of a file: everything up to the end of its header.
func EncodeFront(magic string, header any) ([]byte, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	front := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	front = binary.LittleEndian.AppendUint32(front, crc32.Checksum(text, castagnoli))
	return append(front, text...), nil
}

// DecodeFront reads and checks the front of a file, decodes its header into header, and returns the header's text. The
// memory that it allocates is proportional to the bytes that it can read, whatever length the file claims.
func DecodeFront(r io.Reader, magic string, header any) (text []byte, err error) {
	var front [prologue]byte
	n, err := io.ReadFull(r, front[:])
	switch {
	case !BeginsAs(front[:n], magic):
		return nil, errors.New("its first bytes are wrong")
	case front[len(magic)-1] != magic[len(magic)-1]:
		return nil, fmt.Errorf("the file has version %q, but this program reads version %q", front[len(magic)-1], magic[len(magic)-1])
	case err != nil:
		return nil, fmt.Errorf("truncated: %d bytes", n)
	}
	length := int64(binary.LittleEndian.Uint32(front[len(magic):]))
	text, err = io.ReadAll(io.LimitReader(r, min(length, maxHeader)))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) < length:
		return nil, fmt.Errorf("truncated: the file has %d of the %d bytes of its header", len(text), length)
	case crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(front[len(magic)+4:]):
		return nil, errors.New("corrupt: the header's checksum is wrong")
	}
	if err := json.Unmarshal(text, header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	return text, nil
}

// BeginsAs reports whether a file begins with the magic of any version. The first 8 bytes of the
// file are enough.
func BeginsAs(file []byte, magic string) bool {
	return len(file) >= len(magic) && string(file[:len(magic)-1]) == magic[:len(magic)-1]
}
