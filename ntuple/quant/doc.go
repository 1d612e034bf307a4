// Package quant holds the small form of model files: the 512 MB of the champion take 24 MB, and
// play about as well.
//
//	file, loss, err := quant.Quantize(network, info, quant.Options{Size: 24_000_000})
//	model, err := quant.Dequantize(file)
//
// [Quantize] rounds weights to numbers of at most 16 bits with one scale for all, leaves out
// what was never learned, and writes the rest with a range coder. [ReadSummary] reads a
// file's metadata without its weights. [DequantizeInt16] makes the form that players read.
// Package models opens files of either form, raw or quantized.
//
// # How it works
//
// The numbers of a table are written in blocks of up to 64 whose cells differ in their low
// bits only. An empty block takes a fraction of a bit. Every other number is coded in a
// context: how many of the neighbours that are decoded by then are not zero, and their sign
// and size. Neighbours are the boards with one of the pattern's cells one step lower.
// Probabilities adapt from bit to bit, so the file holds no tables of them. A number of a
// later stage is the difference to what the weight reads if that stage never saw it.
//
// With [Options].Size set, each number is chosen for the least sum of squared error, times how
// often play reads the weight ([Options].Visits), and bits, times a price; the price is
// searched for until the file just fits. Such choices are known in video coding as
// rate-distortion optimised quantization.
//
// # Split files
//
// [Split] cuts a file of any kind, raw models too, into parts of at most 15 MiB, for places
// that refuse large files, and [Join] puts them together.
//
// # Limits
//
// A quantized model has at most [MaxWeights] weights. It has no trainer's state: training
// can begin from it, but not resume. Everything that reads refuses what is truncated,
// corrupt or foreign with an error that wraps [ntuple.ErrModel].
//
// Sources: G. N. N. Martin, "Range encoding: an algorithm for removing redundancy from a
// digitised message", 1979; the adaptive binary contexts are those of CABAC (D. Marpe,
// H. Schwarz, T. Wiegand, 2003) in spirit.
package quant
