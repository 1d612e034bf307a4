package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"afterstate/internal/atomicfile"
	"afterstate/internal/xdg"
)

// CachedSignature is [Signature], computed once for each build: it is kept in a folder, in a
// file that is named by the hash of the running executable. Where that cannot be read or
// is damaged the signature is computed again; where it cannot be written, or folder is "",
// it is not kept.
func CachedSignature(ctx context.Context, folder string) (string, error) {
	build, err := executableHash()
	if err != nil || folder == "" {
		return Signature(ctx)
	}
	return cached(ctx, filepath.Join(folder, "signature-"+build), Signature)
}

// LocalSignature is CachedSignature in the user's folder of caches.
func LocalSignature(ctx context.Context) (string, error) {
	folder, err := xdg.Cache()
	if err != nil {
		folder = "" // there is no such place
	}
	return CachedSignature(ctx, folder)
}

// cached is a signature from a file, or computed and written there.
func cached(ctx context.Context, path string, compute func(context.Context) (string, error)) (string, error) {
	var signature string
	if data, err := os.ReadFile(path); err == nil {
		if n, _ := fmt.Sscanf(string(data), "%16s ", &signature); n == 1 && string(data) == cacheEntry(path, signature) {
			return signature, nil
		}
	}
	signature, err := compute(ctx)
	if err == nil && os.MkdirAll(filepath.Dir(path), 0o755) == nil {
		_ = atomicfile.Write(path, []byte(cacheEntry(path, signature)), 0o644) // it only saves time
	}
	return signature, err
}

// cacheEntry is a signature with a checksum of it and of the build that it belongs to.
func cacheEntry(path, signature string) string {
	return fmt.Sprintf("%s %08x\n", signature, crc32.ChecksumIEEE([]byte(filepath.Base(path)+signature)))
}

// executableHash names the running build, in 32 hexadecimal digits.
func executableHash() (string, error) {
	f, err := os.Open("/proc/self/exe") // the running one, even where its file was replaced
	if err != nil {
		path, err := os.Executable()
		if err != nil {
			return "", err
		}
		if f, err = os.Open(path); err != nil {
			return "", err
		}
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
