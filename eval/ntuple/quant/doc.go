// Package quant holds the small file format of networks: the 512 MB of the champion take 24 MB, and
// play about as well.
//
//	file, loss, err := quant.Quantize(network, info, quant.Options{Size: 24_000_000})
//	model, err := quant.Dequantize(file)
//
// [Quantize] rounds weights to integers of at most 16 bits with one scale, omits what was never
// learned, and entropy-codes the rest. [ReadSummary] reads a file's metadata without its weights.
// [DequantizeInt16] decodes the form that players read, [OpenInt16] the same a table at a time. Package models opens both formats, raw and
// quantized.
//
// # Method
//
// The integers of a table are coded in blocks of up to 64 entries whose cells differ in their low
// bits only: a symbol says whether a block is empty, one for each row of four which of them are not
// zero, and two or three for each of these its sign, its number of bits and how many zero bits it ends
// in; the bits between follow as they are. Contexts are the neighbours that are decoded already, the
// boards with one of the pattern's cells one exponent lower: which are not zero, the sum of their
// magnitudes, their sign, and the zero bits that all end in. An integer of a later stage is the
// difference to what the weight would read if that stage had never learned it.
//
// Each context has a model of 16 symbols that adapts with each symbol, so the file stores no
// probabilities. The entropy coder is rANS with four interleaved states. The table of each stage and
// pattern is a stream of its own; all cores decode. On amd64 with AVX2, machine code decodes whole tables,
// several times as fast as the Go that it is tested against. It has no branch that depends on how the bytes
// of a stream fall, and leaves the last 1092 bytes, where a damaged stream could end too early, to Go.
//
// With [Options].Size set, each integer minimizes distortion + price * bits, where distortion is
// squared error times how often play reads the weight ([Options].Visits), and bits are those of the code
// itself as its models are at that block. A search over the price
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
// J. Duda, Asymmetric numeral systems: entropy coding combining speed of Huffman coding with
// compression rate of arithmetic coding (2013); F. Giesen, Interleaved entropy coders (2014), also for
// models that move towards a target. The contexts follow the idea of CABAC:
// D. Marpe, H. Schwarz, T. Wiegand, Context-based adaptive binary arithmetic coding in the H.264/AVC
// video compression standard (2003).
package quant
