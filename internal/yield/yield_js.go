package yield

import (
	"syscall/js"
	"time"
)

const (
	// slice is how long computations run before events are handled.
	slice = 8 * time.Millisecond
	// every is the number of calls of Point between two readings of the clock, which are calls into
	// JavaScript.
	every = 16
)

var (
	calls   int
	last    = time.Now()
	waiting chan struct{} // closed by the next event; nil: none was requested
	request js.Value      // the port whose messages are those events
)

func init() {
	channel := js.Global().Get("MessageChannel").New()
	request = channel.Get("port2")
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		last = time.Now()
		close(waiting)
		waiting = nil
		return nil
	}))
	if unref := channel.Get("port1").Get("unref"); unref.Truthy() {
		channel.Get("port1").Call("unref") // of Node, which otherwise waits for messages at the end
	}
}

// Point lets other goroutines and events run if they have not for a while. A message to ourselves
// takes microseconds, where a timer takes milliseconds. Callbacks of JavaScript must not call it.
func Point() {
	if calls++; calls%every != 0 {
		return
	}
	if time.Since(last) < slice {
		return
	}
	if waiting == nil {
		waiting = make(chan struct{})
		request.Call("postMessage", js.Null())
	}
	<-waiting
}
