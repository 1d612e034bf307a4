package protocol

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/option"
)

// The structs for parameters and results that this package reads have fields with the tag param and the tags of
// package option. A field without the tag param is not read. The value of the tag is empty (the field is optional)
// or
//
//	required  the field is required
//	answer    the field is required in results
//	bot       the field may be missing or null in what a bot sends; messages of this program have it
//	asked     the field is read in parameters only
//
// Unknown parameters and parameters that are given twice are refused: ignoring a misspelled name would answer a
// different question.
const paramTag = "param"

// ReadParams reads the parameters of a method into a struct. If they are missing, it reads an empty object. The
// error is an [*Error].
func ReadParams(method string, params []byte, into any) error {
	if len(params) == 0 {
		params = []byte("{}")
	}
	if err := readKnown(params, into, "param"); err != nil {
		return Errorf(CodeInvalidParams, "%s: %v", method, err)
	}
	return nil
}

// readKnown reads an object into a struct. It refuses members that the struct does not have; noun names a member.
func readKnown(object []byte, into any, noun string) error {
	of := reflect.ValueOf(into).Elem()
	fields := option.Options(of.Type(), paramTag)
	return read(object, fields, of, false, func(key []byte) error {
		names := each.Of(fields, func(f *option.Option) string { return f.Name })
		return fmt.Errorf("there is no %s %q: must be %s", noun, option.Shown(string(key)), cmp.Or(strings.Join(names, ", "), "none"))
	})
}

// ReadResult reads a result into a struct. It ignores unknown members.
func ReadResult(method string, result []byte, into any) error {
	if result[0] != '{' {
		return fmt.Errorf("the result of %s is %s: must be an object", method, kind(result))
	}
	of := reflect.ValueOf(into).Elem()
	if err := read(result, option.Options(of.Type(), paramTag), of, true, func([]byte) error { return nil }); err != nil {
		return fmt.Errorf("the result of %s: %w", method, err)
	}
	return nil
}

func read(object []byte, fields []*option.Option, into reflect.Value, answer bool, other func(key []byte) error) error {
	var seen uint64
	err := members(object, func(key, value []byte) error {
		for i, f := range fields {
			if string(key) != f.Name || answer && f.Mark == "asked" {
				continue
			}
			if seen&(1<<i) != 0 {
				return fmt.Errorf("%s is given twice", key)
			}
			seen |= 1 << i
			if f.Mark == "bot" && value[0] == 'n' {
				return nil
			}
			return f.In(into).SetJSON(value)
		}
		return other(key)
	})
	for i, f := range fields {
		switch {
		case err != nil || seen&(1<<i) != 0:
		case required(f, answer):
			err = fmt.Errorf("%s is missing (%s)", f.Name, accepted(fields, answer))
		case f.Default != "":
			err = f.In(into).Set(f.Default)
		}
	}
	return err
}

func required(f *option.Option, answer bool) bool {
	return f.Mark == "required" || answer && f.Mark == "answer"
}

// accepted lists the names of the required and of the optional fields for an error message.
func accepted(fields []*option.Option, answer bool) string {
	var needed, others []string
	for _, f := range fields {
		switch {
		case required(f, answer):
			needed = append(needed, f.Name)
		case !answer || f.Mark != "asked":
			others = append(others, f.Name)
		}
	}
	text := "required: " + strings.Join(needed, ", ")
	if len(others) > 0 {
		text += "; optional: " + strings.Join(others, ", ")
	}
	return text
}
