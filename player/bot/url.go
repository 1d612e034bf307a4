//go:build !js

package bot

import (
	"errors"
	"fmt"
	"net/url"
)

// CheckURL returns an error for URLs that a bot cannot be reached by: the scheme is not ws, wss, http
// or https, the host is missing, or there is a user name or password, which reports would show.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return err.(*url.Error).Err
	}
	switch u.Scheme {
	case "ws", "wss", "http", "https":
	default:
		return fmt.Errorf("the scheme is %q", u.Scheme)
	}
	if u.Host == "" {
		return errors.New("there is no host")
	}
	if u.User != nil {
		return errors.New("it has a user name or password, which reports would show")
	}
	return nil
}
