package jetstream_test

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	cert := strings.Repeat("ab", 32)
	for text, want := range map[string]jetstream.Options{
		"host":                          {URL: "nats://host:4222"},
		"nats://T@host?cert=" + cert:    {URL: "nats://host:4222", Token: "T", CertSHA256: cert},
		"tls://u:p@[::1]:1?namespace=a": {URL: "tls://[::1]:1", User: "u", Password: "p", Namespace: "a"},
		"T@one, two:5?replicas=3":       {URL: "nats://one:4222,nats://two:5", Token: "T", Replicas: 3},
	} {
		got, err := jetstream.ParseURL(text)
		if err != nil || got.URL != want.URL || got.Token != want.Token || got.User != want.User || got.Password != want.Password ||
			got.CertSHA256 != want.CertSHA256 || got.Namespace != want.Namespace || got.Replicas != want.Replicas {
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
		"host?replicas=0":          "replicas=0",
		"host?replicas=6":          "up to 5 replicas",
		"host?replicas=three":      "replicas=three",
		"host?certificate=" + cert: `"certificate" in the URL: must be cert, namespace or replicas`,
	} {
		if _, err := jetstream.ParseURL(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
