package wire

import "slices"

// Method is a row of the table of methods. The page's types, the lists of methods and the tests of hostile
// requests are made from it.
type Method struct {
	Name    string
	Params  any   // a zero value, whose tags describe its fields (see params.go); nil: no params
	Results []any // zero values; if there are several, the params determine which
	Slot    Slot
}

// Slot says how a server schedules the requests of a method.
type Slot int

const (
	// Immediate requests are answered in the order of the connection's requests.
	Immediate Slot = iota
	// Ordered requests too, and they take one of the server's search slots meanwhile.
	Ordered
	// Concurrent requests run a search: they take a search slot, and the connection's other requests are
	// answered meanwhile. Clients with several connections send them over one of their own.
	Concurrent
)

// Methods lists every method.
var Methods = slices.Concat(sessionMethods, askMethods, solveMethods, gameMethods, watchMethods, reviewMethods, experimentMethods, trainingMethods)

// SessionMethods are the names of the methods that a session over stdio has.
var SessionMethods = names(sessionMethods)

func names(methods []Method) (all []string) {
	for i := range methods {
		all = append(all, methods[i].Name)
	}
	return all
}

// SlotOf returns the slot of a method; Immediate for an unknown one.
func SlotOf(method string) Slot {
	for i := range Methods {
		if Methods[i].Name == method {
			return Methods[i].Slot
		}
	}
	return Immediate
}

// Notification is what a server sends without a request.
type Notification struct {
	Name   string
	Params any // a zero value
}

// Notifications lists every notification.
var Notifications = []Notification{
	{MethodFrame, Frame{}},
	{MethodLoading, Loading{}},
}
