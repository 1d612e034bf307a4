package models

import "errors"

// Library resolves nothing in a browser, which has no files of networks: the page loads them.
type Library struct{}

// Find fails.
func (*Library) Find(string, bool) (Source, error) {
	return Source{}, errors.New("there is no network in this build")
}

// CacheFolder returns false: nothing is kept unpacked.
func CacheFolder() (folder string, ok bool) { return "", false }
