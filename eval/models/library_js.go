package models

import "errors"

// Library finds no networks in a browser, which has no files: the page downloads its networks.
type Library struct{}

// Find always fails.
func (*Library) Find(string, bool) (Source, error) {
	return Source{}, errors.New("there is no network in this build")
}

// CacheFolder returns false: a browser has no cache of unpacked networks.
func CacheFolder() (folder string, ok bool) { return "", false }
