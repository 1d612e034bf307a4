//go:build amd64 && !purego

#include "textflag.h"

DATA absolute<>+0(SB)/8, $0x7fffffff7fffffff
DATA absolute<>+8(SB)/8, $0x7fffffff7fffffff
DATA absolute<>+16(SB)/8, $0x7fffffff7fffffff
DATA absolute<>+24(SB)/8, $0x7fffffff7fffffff
GLOBL absolute<>(SB), RODATA|NOPTR, $32
DATA one<>+0(SB)/8, $0x3f8000003f800000
DATA one<>+8(SB)/8, $0x3f8000003f800000
DATA one<>+16(SB)/8, $0x3f8000003f800000
DATA one<>+24(SB)/8, $0x3f8000003f800000
GLOBL one<>(SB), RODATA|NOPTR, $32

// LEARN updates the weight and the sums at the index k(DI); the weight's step is at k(SP).
#define LEARN(k) \
	MOVL k(DI), AX \
	VMOVSS k(SP), X0 \
	VADDSS (R9)(AX*4), X0, X0 \
	VMOVSS X0, (R9)(AX*4) \
	VMOVSD (R10)(AX*8), X1 \
	VADDPS X8, X1, X1 \
	VMOVSD X1, (R10)(AX*8)

// func coherent(at *ntuple.SymIndices, weights **float32, sums **uint64, patterns int, step, delta, limit float32)
//
// It gathers the signed sums of eight features in Y0 and their sums of absolute errors in
// Y2, so that one division computes all eight ratios.
TEXT ·coherent(SB), NOSPLIT, $32-44
	MOVQ at+0(FP), DI
	MOVQ weights+8(FP), R8
	MOVQ sums+16(FP), R11
	MOVQ patterns+24(FP), CX
	VBROADCASTSS step+32(FP), Y5
	VMOVSS delta+36(FP), X8
	VMOVUPS absolute<>(SB), Y6
	VMOVUPS one<>(SB), Y7
	VANDPS X6, X8, X0
	VUNPCKLPS X0, X8, X8
	VMOVQ X8, X8
	VBROADCASTSS limit+40(FP), Y9
pattern:
	MOVQ (R8), R9
	MOVQ (R11), R10
	MOVL 0(DI), AX
	MOVL 4(DI), BX
	MOVL 8(DI), DX
	MOVL 12(DI), SI
	VMOVSD (R10)(AX*8), X0
	VMOVSD (R10)(DX*8), X1
	VMOVHPS (R10)(BX*8), X0, X0
	VMOVHPS (R10)(SI*8), X1, X1
	MOVL 16(DI), AX
	MOVL 20(DI), BX
	MOVL 24(DI), DX
	MOVL 28(DI), SI
	VMOVSD (R10)(AX*8), X2
	VMOVSD (R10)(DX*8), X3
	VMOVHPS (R10)(BX*8), X2, X2
	VMOVHPS (R10)(SI*8), X3, X3
	VINSERTF128 $1, X2, Y0, Y0
	VINSERTF128 $1, X3, Y1, Y1
	VSHUFPS $0xdd, Y1, Y0, Y2
	VSHUFPS $0x88, Y1, Y0, Y0
	VANDPS Y6, Y0, Y0
	VDIVPS Y2, Y0, Y0
	VMINPS Y7, Y0, Y0
	VMULPS Y5, Y0, Y0
	VMOVUPS Y0, (SP)
	VCMPPS $0x1e, Y9, Y2, Y3 // the sum of absolute errors is above the limit
	VMOVMSKPS Y3, DX
	XORL $0xff, DX // the weights that learn
	JZ next
	CMPL DX, $0xff
	JNE some
	LEARN(0)
	LEARN(4)
	LEARN(8)
	LEARN(12)
	LEARN(16)
	LEARN(20)
	LEARN(24)
	LEARN(28)
next:
	ADDQ $8, R8
	ADDQ $8, R11
	ADDQ $32, DI
	DECQ CX
	JNZ pattern
	VZEROUPPER
	RET
some: // LEARN for the feature of the lowest bit in DX
	BSFL DX, AX
	LEAL -1(DX), SI
	VMOVSS (SP)(AX*4), X0
	MOVL (DI)(AX*4), AX
	VADDSS (R9)(AX*4), X0, X0
	VMOVSS X0, (R9)(AX*4)
	VMOVSD (R10)(AX*8), X1
	VADDPS X8, X1, X1
	VMOVSD X1, (R10)(AX*8)
	ANDL SI, DX
	JNZ some
	JMP next

// func fetch(at *ntuple.SymIndices, sums **uint64, patterns int)
TEXT ·fetch(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), DI
	MOVQ sums+8(FP), R11
	MOVQ patterns+16(FP), CX
pattern:
	MOVQ (R11), R10
	MOVL 0(DI), AX
	MOVL 4(DI), BX
	MOVL 8(DI), DX
	MOVL 12(DI), SI
	PREFETCHT0 (R10)(AX*8)
	PREFETCHT0 (R10)(BX*8)
	PREFETCHT0 (R10)(DX*8)
	PREFETCHT0 (R10)(SI*8)
	MOVL 16(DI), AX
	MOVL 20(DI), BX
	MOVL 24(DI), DX
	MOVL 28(DI), SI
	PREFETCHT0 (R10)(AX*8)
	PREFETCHT0 (R10)(BX*8)
	PREFETCHT0 (R10)(DX*8)
	PREFETCHT0 (R10)(SI*8)
	ADDQ $8, R11
	ADDQ $32, DI
	DECQ CX
	JNZ pattern
	RET
