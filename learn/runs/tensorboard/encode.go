package tensorboard

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"time"
)

// Wire types of protocol buffers.
const (
	varint = 0
	fixed8 = 1
	blob   = 2
	fixed4 = 5
)

// key is the key of a field.
func key(field, kind uint64) []byte { return binary.AppendUvarint(nil, field<<3|kind) }

// text encodes a string, bytes or message.
func text[T string | []byte](field uint64, value T) []byte {
	return append(binary.AppendUvarint(key(field, blob), uint64(len(value))), value...)
}

func number(field, value uint64) []byte { return binary.AppendUvarint(key(field, varint), value) }

// event encodes an Event: wall_time 1, step 2, and what.
func event(at time.Time, step uint64, what []byte) []byte {
	seconds := float64(at.UnixMicro()) / 1e6
	out := binary.LittleEndian.AppendUint64(key(1, fixed8), math.Float64bits(seconds))
	if step > 0 {
		out = append(out, number(2, step)...)
	}
	return append(out, what...)
}

var (
	fileVersion  = text(3, "brain.Event:2")      // Event.file_version
	sessionStart = text(7, string(number(1, 1))) // Event.session_log: SessionLog.status = START
)

// summary encodes Event.summary from the values of a Summary.
func summary(values []byte) []byte { return text(5, values) }

// scalar encodes a Summary.Value: tag 1, simple_value 2.
func scalar(tag string, value float64) []byte {
	v := append(text(1, tag), key(2, fixed4)...)
	v = binary.LittleEndian.AppendUint32(v, math.Float32bits(float32(value)))
	return text(1, v)
}

// textSummary encodes a summary for the text plugin: tag 1, tensor 8 (dtype 1 is DT_STRING, 7;
// string_val 8), metadata 9 (plugin_data 1: plugin_name 1).
func textSummary(tag, content string) []byte {
	v := append(text(1, tag), text(8, append(number(1, 7), text(8, content)...))...)
	v = append(v, text(9, text(1, text(1, "text")))...)
	return summary(text(1, v))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked is the checksum of a TFRecord.
func masked(data []byte) uint32 {
	sum := crc32.Checksum(data, castagnoli)
	return (sum>>15 | sum<<17) + 0xa282ead8
}

// record frames an event as a TFRecord.
func record(data []byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	out = binary.LittleEndian.AppendUint32(out, masked(out))
	out = append(out, data...)
	return binary.LittleEndian.AppendUint32(out, masked(data))
}
