package serve

// Experiments is what the page shows of experiments.
type Experiments interface{}
