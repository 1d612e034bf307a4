package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/option"
)

// Error codes: the codes of JSON-RPC 2.0, and codes of this protocol from -32000 down.
const (
	CodeParse          = -32700 // the line is not JSON
	CodeInvalidRequest = -32600 // JSON, but not a request
	CodeUnknownMethod  = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603 // an error of the server, such as a player that failed
	CodeTime           = -32000 // no move was found within time_ms, or within the server's limit
	CodeBusy           = -32001 // a limit of concurrent requests or memory is reached
	CodeCancelled      = -32002 // cancelled by the method cancel
	CodeMemory         = -32003 // the request needs more memory than is available
)

// Error is an error of the protocol. Its message is one line that says what is wrong and what is
// accepted.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an error with a formatted message.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}

// Request is a request or, if ID is nil, a notification, which gets no answer.
type Request struct {
	ID     []byte // JSON text: a number, a string or null
	Method string
	Params []byte // a JSON object, or nil
}

// ParseRequest parses a request from a line. The result aliases the line's memory. On an error, the
// request still contains its ID, if one was found.
func ParseRequest(line []byte) (Request, *Error) { return parseRequest(line, MaxLine) }

// ParsePageRequest parses a request like ParseRequest, for a transport of the web page: the line
// may have up to MaxReview bytes if the method is one of review.*.
func ParsePageRequest(line []byte) (Request, *Error) {
	r, wrong := parseRequest(line, MaxReview)
	if wrong == nil && len(line) > MaxLine && !strings.HasPrefix(r.Method, "review.") {
		wrong = Errorf(CodeInvalidRequest, "%s: %d bytes: must be at most %d", Quote(r.Method), len(line), MaxLine)
	}
	return r, wrong
}

// ParseFileRequest parses a request like ParseRequest from a line of up to MaxPicture bytes. The
// method must be one that takes a file: picture.read, review.read or review.footage.
func ParseFileRequest(line []byte) (Request, *Error) {
	r, wrong := parseRequest(line, MaxPicture)
	if wrong == nil && r.Method != MethodPicture && r.Method != MethodReviewRead && r.Method != MethodFootage {
		wrong = Errorf(CodeInvalidRequest, "method %s: must be %s, %s or %s, which take a file", Quote(r.Method), MethodPicture, MethodReviewRead, MethodFootage)
	}
	return r, wrong
}

func parseRequest(line []byte, maximum int) (Request, *Error) {
	var r Request
	if err := check(line, maximum, MaxDepth); err != nil {
		return r, Errorf(CodeParse, "parse error: %v", err)
	}
	start := space(line, 0)
	switch line[start] {
	case '{':
	case '[':
		return r, Errorf(CodeInvalidRequest, "batches are not supported: send each request separately; you need not wait for responses")
	default:
		return r, Errorf(CodeInvalidRequest, "%s: must be an object such as %s", kind(line[start:]), exampleRequest)
	}
	var version, method []byte
	err := parts(line, part{"jsonrpc", &version}, part{"method", &method}, part{"params", &r.Params}, part{"id", &r.ID})
	if r.ID != nil && (r.ID[0] == '{' || r.ID[0] == '[' || r.ID[0] == 't' || r.ID[0] == 'f') {
		err = fmt.Errorf("id is %s: must be a number or a string", kind(r.ID))
		r.ID = nil
	}
	switch {
	case err != nil:
	case string(version) != `"2.0"`:
		err = versionError(version)
	case method == nil:
		err = errors.New("method is missing: give a request such as " + exampleRequest)
	case method[0] != '"':
		err = fmt.Errorf("method is %s: must be a string", kind(method))
	default:
		err = option.Unquote(method, &r.Method)
	}
	if err != nil {
		return r, Errorf(CodeInvalidRequest, "%v", err)
	}
	if r.Params != nil && r.Params[0] != '{' {
		return r, Errorf(CodeInvalidParams, "params is %s: must be an object with named parameters", kind(r.Params))
	}
	return r, nil
}

const exampleRequest = `{"jsonrpc":"2.0","id":1,"method":"hello"}`

// part is the key of an object's member, and where to store the value.
type part struct {
	key  string
	into *[]byte
}

// parts reads members of an object by their keys. It ignores other members, which JSON-RPC permits.
func parts(object []byte, all ...part) error {
	return members(object, func(key, value []byte) error {
		for _, p := range all {
			switch {
			case p.key != string(key):
			case *p.into != nil:
				return fmt.Errorf("%s is given twice", key)
			default:
				*p.into = value
			}
		}
		return nil
	})
}

func versionError(version []byte) error {
	if version == nil {
		return errors.New(`jsonrpc is missing: give "jsonrpc":"2.0"`)
	}
	return fmt.Errorf(`jsonrpc is %s: must be "2.0"`, option.Shown(string(version)))
}

// Quote returns the first 60 bytes of untrusted text as a JSON string, for error messages.
func Quote(text string) string {
	out, _ := json.Marshal(console.Short(text, 60)) // cannot fail for strings
	return string(out)
}

// AppendRequest appends a request as a line.
func AppendRequest(to []byte, id int64, method string, params any) ([]byte, error) {
	return appendCall(fmt.Appendf(to, `{"jsonrpc":"2.0","id":%d,"method":`, id), method, params)
}

// AppendNotification appends a notification as a line.
func AppendNotification(to []byte, method string, params any) ([]byte, error) {
	return appendCall(append(to, `{"jsonrpc":"2.0","method":`...), method, params)
}

func appendCall(to []byte, method string, params any) (line []byte, err error) {
	to = strconv.AppendQuote(to, method) // method names need no escapes
	if params != nil {
		if to, err = AppendJSON(append(to, `,"params":`...), params); err != nil {
			return nil, err
		}
	}
	return append(to, "}\n"...), nil
}

// appendAnswer appends the answer to a request as a line. The answer contains the error, if any, or
// else the result.
func appendAnswer(to, id []byte, result any, failed *Error) []byte {
	if id == nil {
		id = []byte("null")
	}
	from := len(to)
	to = append(append(to, `{"jsonrpc":"2.0","id":`...), id...)
	name := `,"result":`
	if failed != nil {
		result, name = failed, `,"error":`
	}
	out, err := AppendJSON(append(to, name...), result)
	if err != nil { // the result cannot be encoded
		return appendAnswer(to[:from], id, nil, Errorf(CodeInternal, "%v", err))
	}
	return append(out, "}\n"...)
}

// AppendJSON appends a value as JSON in one line, without a newline. It does not escape for HTML.
func AppendJSON(to []byte, v any) ([]byte, error) {
	out := bytes.NewBuffer(to)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Response is the answer to a request: an error or a result.
type Response struct {
	ID     []byte // JSON text
	Result []byte // JSON text; nil if Error is set
	Error  *Error
}

// ParseResponse parses a response from a line. The result aliases the line's memory.
func ParseResponse(line []byte) (r Response, err error) {
	if err := check(line, MaxAnswer, MaxAnswerDepth); err != nil {
		return r, err
	}
	if start := space(line, 0); line[start] != '{' {
		return r, fmt.Errorf("%s: must be an object with jsonrpc, id and result", kind(line[start:]))
	}
	var version, failed []byte
	err = parts(line, part{"jsonrpc", &version}, part{"id", &r.ID}, part{"result", &r.Result}, part{"error", &failed})
	if string(failed) == "null" { // some libraries always send the member error
		failed = nil
	}
	switch {
	case err != nil:
	case string(version) != `"2.0"`:
		err = versionError(version)
	case r.ID == nil:
		err = errors.New("id is missing: give the request's id")
	case failed == nil && r.Result == nil:
		err = errors.New("result is missing")
	case failed != nil && r.Result != nil:
		err = errors.New("there is both a result and an error: give one of them")
	case failed != nil:
		r.Error = new(Error)
		if err = json.Unmarshal(failed, r.Error); err != nil {
			err = errors.New(`error: must be an object such as {"code":-32603,"message":"..."}`)
		}
	}
	return r, err
}
