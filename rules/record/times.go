package record

import (
	"encoding/binary"
	"fmt"
)

const (
	// UnknownTime stands for an unknown time of a move.
	UnknownTime = -1
	// MaxTime is the maximal time of a move in milliseconds, 35 years.
	MaxTime = 1 << 40
)

// checkTimes returns an error unless Times is nil or has a valid time for each move.
func (r *Record) checkTimes() error {
	if r.Times != nil && len(r.Times) != len(r.Moves) {
		return fmt.Errorf("times lists %d moves: must be %d, as many as the game has", len(r.Times), len(r.Moves))
	}
	for i, ms := range r.Times {
		if ms < UnknownTime || ms > MaxTime {
			return fmt.Errorf("move %d took %d ms: must be from 0 to %d, or %d if it is not known", i+1, ms, int64(MaxTime), UnknownTime)
		}
	}
	return nil
}

// PackTimes packs times as varints (see [binary.AppendUvarint]): 0 for UnknownTime, otherwise the
// milliseconds plus 1.
func PackTimes(times []int64) (packed []byte) {
	for _, ms := range times {
		packed = binary.AppendUvarint(packed, uint64(ms-UnknownTime))
	}
	return packed
}

// UnpackTimes is the inverse of PackTimes. It accepts only the bytes that PackTimes returns for
// count times of at most MaxTime, and allocates at most a small multiple of their number.
func UnpackTimes(packed []byte, count int) ([]int64, error) {
	if count < 0 || len(packed) < count {
		return nil, fmt.Errorf("times: %d bytes do not hold the times of %d moves", len(packed), count)
	}
	if count == 0 && len(packed) == 0 {
		return nil, nil
	}
	times := make([]int64, count)
	for i := range times {
		x, n := binary.Uvarint(packed)
		if n <= 0 || x > MaxTime+1 || n > 1 && packed[n-1] == 0 {
			return nil, fmt.Errorf("times: the time of move %d is not a varint, or exceeds %d ms", i+1, int64(MaxTime))
		}
		times[i], packed = int64(x)+UnknownTime, packed[n:]
	}
	if len(packed) > 0 {
		return nil, fmt.Errorf("times: %d bytes follow the time of move %d", len(packed), count)
	}
	return times, nil
}
