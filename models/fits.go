package models

import (
	"afterstate/internal/inputfile"
	"afterstate/internal/memory"
	"afterstate/ntuple/quant"
)

// fits returns a *memory.Error if there is too little memory for a model file's network in 16-bit
// integers. A raw file is mapped and takes none itself. An unreadable file passes: opening it
// reports that.
func fits(path string) error {
	f, err := inputfile.Open(path) // opening a pipe itself would wait for a writer
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if summary, err := quant.ReadSummary(f); err == nil {
		return memory.Check(memory.Plus(info.Size(), decodedBytes(summary)))
	}
	return memory.Check(info.Size() / 2)
}

// decodedBytes is the peak memory of decoding a quantized network: 16 bits a weight and as much
// again for buffers; with several stages also 32 bits a weight.
func decodedBytes(s *quant.Summary) int64 {
	entries := memory.Times(int64(s.Entries()), int64(s.StageCount()))
	if s.StageCount() > 1 {
		return memory.Times(entries, 2+4)
	}
	return memory.Times(entries, 2+2)
}
