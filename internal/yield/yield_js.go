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
	from    js.Value      // a message to this port is that event
	to      js.Value      // where it arrives
	isNode  bool          // ports keep the process alive, but for unref
)

func init() {
	channel := js.Global().Get("MessageChannel").New()
	from, to = channel.Get("port2"), channel.Get("port1")
	isNode = to.Get("unref").Truthy()
	to.Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		last = time.Now()
		close(waiting)
		waiting = nil
		if isNode {
			to.Call("unref")
		}
		return nil
	}))
	if isNode {
		to.Call("unref")
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
		if isNode {
			to.Call("ref")
		}
		from.Call("postMessage", js.Null())
	}
	<-waiting
}
