// Package cdp is a small client of the Chrome DevTools Protocol: it finds or starts a browser of the
// Chromium family, opens and attaches to tabs, and calls methods.
//
//	b, _ := cdp.At("127.0.0.1:9222")
//	tab, _ := b.Open(ctx, "https://example.com/")
//	c, _ := b.Attach(ctx, tab, nil)
//	err := c.Call(ctx, "Page.bringToFront", nil, nil)
//
// The client connects only to the host that the caller names: it uses no proxy, follows no redirects, and
// ignores the WebSocket addresses in a browser's answers. Messages are limited to 1 MiB. A browser that
// [Launch] starts has an empty profile in a temporary folder, which [Process.Close] removes.
//
// The protocol is described at https://chromedevtools.github.io/devtools-protocol/. This package has no
// Go types for the methods; a caller declares the few fields that it uses.
package cdp
