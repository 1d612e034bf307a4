// Package quant implements the small file format of networks: it stores the 512 MB of the champion in
// 24 MB, and the network plays about as well.
//
//	file, loss, err := quant.Quantize(network, info, quant.Options{Size: 24_000_000})
//	model, err := quant.Dequantize(file)
//
// [Quantize] rounds weights to integers of at most 16 bits with one scale, omits weights that were
// never learned, and entropy-codes the others. [ReadSummary] reads a file's metadata without its
// weights. [DequantizeInt16] decodes a file into the 16-bit form for players, and [OpenInt16] decodes
// this form one table at a time. Package models opens both formats, raw and quantized.
//
// # Method
//
// The integers of a table are coded in blocks of up to 64 entries whose cells differ in their low
// bits only. One symbol says whether a block is empty. For each row of four entries, one symbol
// says which of them are not zero. For each integer that is not zero, two or three symbols code its
// sign, its number of bits and its number of trailing zero bits; the bits between follow unchanged.
// The context of a symbol comes from the neighbours that are already decoded, the entries in which
// one of the pattern's cells is one exponent lower: which of them are not zero, the sum of their
// magnitudes, the sign of their sum, and the trailing zero bits that all of them have. In a later
// stage, an integer is the difference from the value that the weight would have if that stage had
// not learned it.
//
// Each context has a model of 16 symbols that adapts with each symbol, so the file stores no
// probabilities. The entropy coder is rANS with four interleaved states. The table of each stage and
// pattern is a separate stream, so that all cores can decode. On amd64 with AVX2, an assembly kernel
// decodes tables, several times as fast as the Go code that it is tested against. It reads the stream
// without branches, which would be hard to predict. It leaves the last 1092 bytes, where a damaged
// stream could end too early, to Go.
//
// If [Options].Size is set, each integer is chosen to minimize distortion + price * bits.
// Distortion is the squared error times how often play reads the weight ([Options].Visits), and
// bits is the cost of the code under the adaptive models at that block. A search over the price
// finds a file that just fits. Video coding calls this rate-distortion optimized quantization.
//
// # Split files
//
// [Split] cuts a file of any kind, including raw models, into parts of at most 15 MiB, for hosts
// that refuse large files. [Join] concatenates them.
//
// # Limits
//
// A quantized model has at most [MaxWeights] weights. It does not contain the trainer's state:
// training can start from it, but not resume. All readers refuse truncated, corrupt and foreign
// files with an error that wraps [ntuple.ErrModel].
//
// # Sources
//
// J. Duda, Asymmetric numeral systems: entropy coding combining speed of Huffman coding with
// compression rate of arithmetic coding (2013); F. Giesen, Interleaved entropy coders (2014), also for
// models that move towards a target. The contexts follow the idea of CABAC:
// D. Marpe, H. Schwarz, T. Wiegand, Context-based adaptive binary arithmetic coding in the H.264/AVC
// video compression standard (2003).
package quant
