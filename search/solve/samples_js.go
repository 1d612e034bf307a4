package solve

// embeddedSamples returns nothing: a build for browsers has no samples, so that it loads quickly.
func embeddedSamples() []embedded { return nil }
