// Package quant holds the small file format of networks: the 512 MB of the champion take 24 MB, and
// play about as well.
//
//	file, loss, err := quant.Quantize(network, info, quant.Options{Size: 24_000_000})
//	model, err := quant.Dequantize(file)
//
// [Quantize] rounds weights to integers of at most 16 bits with one scale, omits what was never
// learned, and entropy-codes the rest. [ReadSummary] reads a file's metadata without its weights.
// [DequantizeInt16] decodes the form that players read. Package models opens both formats, raw and
// quantized.
//
// # Method
//
// The integers of a table are coded in blocks of up to 64 entries whose cells differ in their low
// bits only. An empty block costs a fraction of a bit. Every other integer is coded by an adaptive
// binary range coder in a context: how many of its already decoded neighbours are nonzero, their
// sign and magnitude. Neighbours are the boards with one of the pattern's cells one exponent lower.
// Probabilities adapt bit by bit, so the file stores none. An integer of a later stage is the
// difference to what the weight would read if that stage had never learned it.
//
// With [Options].Size set, each integer minimizes distortion + price * bits, where distortion is
// squared error times how often play reads the weight ([Options].Visits). A search over the price
// finds a file that just fits. Video coding calls this rate-distortion optimized quantization.
//
// # Split files
//
// [Split] cuts a file of any kind, raw models too, into parts of at most 15 MiB, for hosts that
// refuse large files. [Join] concatenates them.
//
// # Limits
//
// A quantized model has at most [MaxWeights] weights. It has no trainer state: training can start
// from it, but not resume. All readers refuse a truncated, corrupt or foreign file with an error
// that wraps [ntuple.ErrModel].
//
// # Sources
//
// G. N. N. Martin, Range encoding: an algorithm for removing redundancy from a digitised message
// (1979). The adaptive binary contexts follow the idea of CABAC: D. Marpe, H. Schwarz, T. Wiegand,
// Context-based adaptive binary arithmetic coding in the H.264/AVC video compression standard
// (2003).
package quant
