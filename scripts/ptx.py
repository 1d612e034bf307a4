"""Compiles the kernels of package learn/device/kernels to PTX with NVRTC, which needs no graphics processor.

    python3 -m venv venv && venv/bin/pip install nvidia-cuda-nvrtc-cu12==12.1.105
    venv/bin/python scripts/ptx.py

PTX of this version needs a driver of series 530 or later. The first line of the result has the SHA-256 of the source
files, which a test compares.
"""

import ctypes
import hashlib
import pathlib
import sys

VERSION = (12, 1)
# 7.0 (Volta) is the first processor whose lanes wait for each other as the kernels need it. Without fused
# multiply-add, additions and multiplications round as on the CPU.
OPTIONS = [b"--gpu-architecture=compute_70", b"--fmad=false", b"--std=c++17"]


def library() -> ctypes.CDLL:
    for folder in map(pathlib.Path, sys.path):
        for file in folder.glob("nvidia/cuda_nvrtc/lib/libnvrtc.so.12"):
            return ctypes.CDLL(str(file))
    sys.exit("NVRTC is missing: pip install nvidia-cuda-nvrtc-cu12==12.1.105")


def main() -> None:
    nvrtc = library()
    version = (ctypes.c_int(), ctypes.c_int())
    nvrtc.nvrtcVersion(ctypes.byref(version[0]), ctypes.byref(version[1]))
    found = (version[0].value, version[1].value)
    if found != VERSION:
        sys.exit(f"NVRTC {found}: must be {VERSION}, so that everybody makes the same PTX")

    folder = pathlib.Path(__file__).parent.parent / "learn/device/kernels"
    source = (folder / "kernel.cu").read_bytes()
    files = sorted(file for file in [*folder.glob("*.h"), *folder.glob("*.cu")] if file.name != "emulate.h")
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    options = [*OPTIONS, f"--include-path={folder}".encode()]
    program = ctypes.c_void_p()
    size = ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", 0, None, None)
    status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    if log.value.strip() or status != 0:
        sys.exit(log.value.decode())
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    ptx = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, ptx)
    (folder / "kernel.ptx").write_bytes(f"// source {digest}\n".encode() + ptx.value.lstrip())


main()
