package machines_test

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/machines"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	cert := strings.Repeat("ab", 32)
	for text, want := range map[string]machines.Options{
		"host":                          {URL: "nats://host:4222"},
		"nats://T@host?cert=" + cert:    {URL: "nats://host:4222", Token: "T", CertSHA256: cert},
		"tls://u:p@[::1]:1?namespace=a": {URL: "tls://[::1]:1", User: "u", Password: "p", Namespace: "a"},
		"T@one, two:5":                  {URL: "nats://one:4222,nats://two:5", Token: "T"},
	} {
		got, err := machines.ParseURL(text)
		if err != nil || got.URL != want.URL || got.Token != want.Token || got.User != want.User || got.Password != want.Password ||
			got.CertSHA256 != want.CertSHA256 || got.Namespace != want.Namespace {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                         "names no host",
		"http://host":              `scheme "http"`,
		"host/path":                `path "/path"`,
		"SECRET@ho st":             "this is no URL",
		"host?cert=12":             `certificate "12"`,
		"host?namespace=a.b":       `namespace "a.b"`,
		"host?certificate=" + cert: `"certificate" in the URL: must be cert or namespace`,
	} {
		if _, err := machines.ParseURL(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
