// Package release has the tools with which releases are made, and a test of the wheels.
package release

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wheels are the tags of the wheels, with the library of each: its name, what it runs on, and the system's own
// libraries, the only ones that it may need.
var wheels = map[string]struct{ file, machine, needs string }{
	"manylinux_2_17_x86_64":  {"libafterstate.so", "EM_X86_64", `lib(c|pthread)\.so\.[0-9]|ld-linux-x86-64\.so\.2`},
	"manylinux_2_17_aarch64": {"libafterstate.so", "EM_AARCH64", `lib(c|pthread)\.so\.[0-9]|ld-linux-aarch64\.so\.1`},
	"macosx_12_0_x86_64":     {"libafterstate.dylib", "CpuAmd64 12.0", `/usr/lib/libSystem\.B\.dylib`},
	"macosx_12_0_arm64":      {"libafterstate.dylib", "CpuArm64 12.0 signed", `/usr/lib/libSystem\.B\.dylib`},
	"win_amd64":              {"afterstate.dll", "AMD64", `KERNEL32\.dll|api-ms-win-crt-[a-z]+-l1-1-0\.dll`},
}

// library is what a file of a system's format says.
type library struct {
	machine string   // with the oldest version of macOS, and whether it is signed
	needs   []string // libraries
	exports []string // functions
}

// Each wheel has a library for its system that exports the functions of cmd/clib and needs only the system's libraries.
// The environment variable WHEELS names the folder of the wheels.
func TestWheels(t *testing.T) {
	folder := os.Getenv("WHEELS")
	if folder == "" {
		t.Skip("WHEELS is not set")
	}
	all, err := filepath.Glob(folder + "/*.whl")
	if err != nil || len(all) != len(wheels) {
		t.Errorf("%d wheels (%v): want %d", len(all), err, len(wheels))
	}
	functions := exported(t)
	for tag, want := range wheels {
		t.Run(tag, func(t *testing.T) {
			ends := "-py3-none-" + tag + ".whl"
			i := slices.IndexFunc(all, func(name string) bool { return strings.HasSuffix(name, ends) })
			if i < 0 {
				t.Fatal("there is no such wheel")
			}
			files := unpack(t, all[i])
			if files["LICENSE"] == nil || files["THIRD_PARTY_LICENSES.txt"] == nil {
				t.Error("it lacks licences")
			}
			have, err := read(files[want.file])
			if err != nil || have.machine != want.machine {
				t.Fatalf("%s is for %q (%v): want %q", want.file, have.machine, err, want.machine)
			}
			for _, name := range have.needs {
				if !regexp.MustCompile("^(" + want.needs + ")$").MatchString(name) {
					t.Errorf("%s needs %s", want.file, name)
				}
			}
			for _, name := range functions {
				if !slices.Contains(have.exports, name) {
					t.Errorf("%s does not export %s", want.file, name)
				}
			}
		})
	}
}

// exported returns the functions that cmd/clib exports.
func exported(t *testing.T) (names []string) {
	sources, _ := filepath.Glob("../../cmd/clib/*.go")
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^//export (\w+)$`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	if len(names) < 40 {
		t.Fatalf("%d functions of cmd/clib", len(names))
	}
	return names
}

// unpack returns the files of a wheel by their names without folders.
func unpack(t *testing.T, wheel string) map[string][]byte {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err == nil {
			files[path.Base(f.Name)], err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	return files
}

func read(data []byte) (l library, err error) {
	switch {
	case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
		return readELF(data)
	case bytes.HasPrefix(data, []byte("MZ")):
		return readPE(data)
	}
	return readMachO(data)
}

func readELF(data []byte) (l library, err error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return l, err
	}
	l.machine = f.Machine.String()
	symbols, err := f.DynamicSymbols()
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			l.exports = append(l.exports, s.Name)
		}
	}
	if err == nil {
		l.needs, err = f.ImportedLibraries()
	}
	return l, err
}

func readMachO(data []byte) (l library, err error) {
	const buildVersion, codeSignature, external, undefined = 0x32, 0x1d, 1, 0
	f, err := macho.NewFile(bytes.NewReader(data))
	if err != nil {
		return l, err
	}
	l.machine = f.Cpu.String()
	for _, load := range f.Loads {
		raw := load.Raw()
		switch f.ByteOrder.Uint32(raw) {
		case buildVersion:
			oldest := f.ByteOrder.Uint32(raw[12:])
			l.machine += fmt.Sprintf(" %d.%d", oldest>>16, oldest>>8&0xff)
		case codeSignature:
			l.machine += " signed"
		}
	}
	for _, s := range f.Symtab.Syms {
		if s.Type&external != 0 && s.Sect != undefined {
			l.exports = append(l.exports, strings.TrimPrefix(s.Name, "_"))
		}
	}
	l.needs, err = f.ImportedLibraries()
	return l, err
}

func readPE(data []byte) (l library, err error) {
	f, err := pe.NewFile(bytes.NewReader(data))
	if err != nil {
		return l, err
	}
	if f.Machine == pe.IMAGE_FILE_MACHINE_AMD64 {
		l.machine = "AMD64"
	}
	symbols, err := f.ImportedSymbols()
	for _, s := range symbols {
		_, dll, _ := strings.Cut(s, ":")
		l.needs = append(l.needs, dll)
	}
	// The directory of exports has the number of names in bytes 24 to 27, and the address of their addresses after 32.
	at := func(address uint32) []byte {
		for _, s := range f.Sections {
			if address >= s.VirtualAddress && address < s.VirtualAddress+s.Size {
				return data[s.Offset+address-s.VirtualAddress:]
			}
		}
		return make([]byte, 36)
	}
	header, _ := f.OptionalHeader.(*pe.OptionalHeader64)
	directory := at(header.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT].VirtualAddress)
	names := at(binary.LittleEndian.Uint32(directory[32:]))
	for i := range binary.LittleEndian.Uint32(directory[24:]) {
		name, _, _ := bytes.Cut(at(binary.LittleEndian.Uint32(names[4*i:])), []byte{0})
		l.exports = append(l.exports, string(name))
	}
	return l, err
}
