package yield

import (
	"syscall/js"
	"time"
)

const (
	// slice is how long a computation runs before Point lets events run.
	slice = 8 * time.Millisecond
	// every is the number of calls of Point per reading of the clock. A reading is slow: it calls JavaScript.
	every = 16
)

var (
	calls   int
	last    = time.Now()
	waiting chan struct{} // closed when the message of Point arrives; nil while no message is on its way
	from    js.Value      // the port that sends the message
	to      js.Value      // the port that receives the message
	isNode  bool          // the program runs in Node.js, where an open port keeps the process alive until unref
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

// Point lets other goroutines and events run, if none have run for about 8 ms. It posts a message to
// its own port and waits until it arrives. This takes microseconds, while a timer takes milliseconds.
// Callbacks of JavaScript must not call Point.
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
