//go:build amd64 && !purego

#include "textflag.h"
#include "go_asm.h"

// CONSTANT defines 32 bytes that repeat the eight bytes of value.
#define CONSTANT(name, value) \
	DATA name<>+0(SB)/8, value \
	DATA name<>+8(SB)/8, value \
	DATA name<>+16(SB)/8, value \
	DATA name<>+24(SB)/8, value \
	GLOBL name<>(SB), RODATA|NOPTR, $32

CONSTANT(nibble, $0x0f0f0f0f0f0f0f0f)
CONSTANT(half, $0x0303030303030303)
CONSTANT(two, $0x0401040104010401)   // factors that join two pairs of bits to four bits
CONSTANT(four, $0x1001100110011001)  // the same for two groups of four bits
CONSTANT(eight, $0x0100000101000001) // the same for two groups of eight bits

#define CONSTANTS \
	VMOVDQU nibble<>(SB), X3 \
	VMOVDQU half<>(SB), X4 \
	VMOVDQU two<>(SB), Y5 \
	VMOVDQU four<>(SB), Y6 \
	VMOVDQU eight<>(SB), Y7

// SPREAD expands the 16 nibbles of X0 to bytes: their lower two bits in the lower half of
// Y0, their upper two bits in the upper half.
#define SPREAD \
	VPSRLW $4, X0, X1 \
	VPAND X3, X0, X0 \
	VPAND X3, X1, X1 \
	VPUNPCKLBW X1, X0, X0 \
	VPSRLW $2, X0, X1 \
	VPAND X4, X0, X0 \
	VPAND X4, X1, X1 \
	VINSERTI128 $1, X1, Y0, Y0

// SHUFFLE writes the eight indices of a pattern to (DI), given its control at (SI). The
// control picks eight bytes for each index, two indices at a time. Then the bytes of an
// index are joined to 16 bits, separately in both halves of the registers, and finally the
// upper halves of the exponents are placed above the lower halves.
#define SHUFFLE \
	VPSHUFB (SI), Y0, Y1 \
	VPSHUFB 32(SI), Y0, Y2 \
	VPSHUFB 64(SI), Y0, Y8 \
	VPSHUFB 96(SI), Y0, Y9 \
	VPMADDUBSW Y5, Y1, Y1 \
	VPMADDUBSW Y5, Y2, Y2 \
	VPMADDUBSW Y5, Y8, Y8 \
	VPMADDUBSW Y5, Y9, Y9 \
	VPACKUSWB Y2, Y1, Y1 \
	VPACKUSWB Y9, Y8, Y8 \
	VPMADDUBSW Y6, Y1, Y1 \
	VPMADDUBSW Y6, Y8, Y8 \
	VPMADDWD Y7, Y1, Y1 \
	VPMADDWD Y7, Y8, Y8 \
	VPERM2I128 $0x31, Y8, Y1, Y2 \
	VPERM2I128 $0x20, Y8, Y1, Y1 \
	VPSLLD 128(SI), Y2, Y2 \
	VPOR Y2, Y1, Y1 \
	VMOVDQU Y1, (DI)

// SUM adds the weights at the eight indices at (DI) in the table R9 to X0.
#define SUM \
	MOVL 0(DI), AX \
	MOVL 4(DI), BX \
	MOVL 8(DI), DX \
	MOVL 12(DI), R10 \
	VMOVSS (R9)(AX*4), X1 \
	VMOVSS (R9)(DX*4), X2 \
	VADDSS (R9)(BX*4), X1, X1 \
	VADDSS (R9)(R10*4), X2, X2 \
	MOVL 16(DI), AX \
	MOVL 20(DI), BX \
	MOVL 24(DI), DX \
	MOVL 28(DI), R10 \
	VMOVSS (R9)(AX*4), X3 \
	VMOVSS (R9)(DX*4), X4 \
	VADDSS (R9)(BX*4), X3, X3 \
	VADDSS (R9)(R10*4), X4, X4 \
	VADDSS X2, X1, X1 \
	VADDSS X4, X3, X3 \
	VADDSS X3, X1, X1 \
	VADDSS X1, X0, X0

// func shuffle(dst *SymIndices, controls *control, n int, board uint64)
TEXT ·shuffle(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ controls+8(FP), SI
	MOVQ n+16(FP), CX
	VMOVQ board+24(FP), X0
	CONSTANTS
	SPREAD
pattern:
	SHUFFLE
	ADDQ $144, SI
	ADDQ $32, DI
	DECQ CX
	JNZ pattern
	VZEROUPPER
	RET

// FETCH prefetches the weight at the index k(DI) in the table R9, whose weights have the
// given number of bytes.
#define FETCH(k, bytes) \
	MOVL k(DI), AX \
	PREFETCHT0 (R9)(AX*bytes)

// LOCATE is the code of locate for weights of the given number of bytes, with b in R11,
// controls in R10 and patterns in R13.
#define LOCATE(bytes) \
	CONSTANTS \
	LEAQ Batch_At(R11), R8 \
	LEAQ Batch_views(R11), R15 \
	LEAQ Batch_tables(R11), BX \
	MOVQ Batch_N(R11), R12 \
board: \
	MOVQ (R8), DI \
	VMOVQ (R15), X0 \
	MOVQ (BX), DX \
	MOVQ R10, SI \
	MOVQ R13, CX \
	SPREAD \
pattern: \
	SHUFFLE \
	MOVQ (DX), R9 \
	FETCH(0, bytes) \
	FETCH(4, bytes) \
	FETCH(8, bytes) \
	FETCH(12, bytes) \
	FETCH(16, bytes) \
	FETCH(20, bytes) \
	FETCH(24, bytes) \
	FETCH(28, bytes) \
	ADDQ $8, DX \
	ADDQ $144, SI \
	ADDQ $32, DI \
	DECQ CX \
	JNZ pattern \
	ADDQ $24, R8 \
	ADDQ $8, R15 \
	ADDQ $8, BX \
	DECQ R12 \
	JNZ board \
	VZEROUPPER \
	RET

// func locate(b *Batch, controls *control, patterns int)
TEXT ·locate(SB), NOSPLIT, $0-24
	MOVQ b+0(FP), R11
	MOVQ controls+8(FP), R10
	MOVQ patterns+16(FP), R13
	LOCATE(4)

// func locate16(b *Batch, controls *control, patterns int)
TEXT ·locate16(SB), NOSPLIT, $0-24
	MOVQ b+0(FP), R11
	MOVQ controls+8(FP), R10
	MOVQ patterns+16(FP), R13
	LOCATE(2)

// func sums(b *Batch, patterns int)
TEXT ·sums(SB), NOSPLIT, $0-16
	MOVQ b+0(FP), R11
	MOVQ patterns+8(FP), R13
	LEAQ Batch_At(R11), R12
	LEAQ Batch_tables(R11), SI
	LEAQ Batch_Values(R11), R15
	MOVQ Batch_N(R11), R11
sums:
	MOVQ (R12), DI
	MOVQ (SI), R8
	MOVQ R13, CX
	VXORPS X0, X0, X0
table:
	MOVQ (R8), R9
	SUM
	ADDQ $8, R8
	ADDQ $32, DI
	DECQ CX
	JNZ table
	VMOVSS X0, (R15)
	ADDQ $24, R12
	ADDQ $8, SI
	ADDQ $4, R15
	DECQ R11
	JNZ sums
	RET

// func sum(at *SymIndices, tables **float32, patterns int) float32
TEXT ·sum(SB), NOSPLIT, $0-28
	MOVQ at+0(FP), DI
	MOVQ tables+8(FP), R8
	MOVQ patterns+16(FP), CX
	VXORPS X0, X0, X0
table:
	MOVQ (R8), R9
	SUM
	ADDQ $8, R8
	ADDQ $32, DI
	DECQ CX
	JNZ table
	VMOVSS X0, ret+24(FP)
	RET

// SUM16 adds the weights at the eight indices at (DI) in the table R9, half of them to R14
// and half to R10.
#define SUM16 \
	MOVL 0(DI), AX \
	MOVL 4(DI), BX \
	MOVL 8(DI), DX \
	MOVWLSX (R9)(AX*2), AX \
	MOVWLSX (R9)(BX*2), BX \
	MOVWLSX (R9)(DX*2), DX \
	ADDL AX, R14 \
	ADDL BX, R10 \
	ADDL DX, R14 \
	MOVL 12(DI), AX \
	MOVL 16(DI), BX \
	MOVL 20(DI), DX \
	MOVWLSX (R9)(AX*2), AX \
	MOVWLSX (R9)(BX*2), BX \
	MOVWLSX (R9)(DX*2), DX \
	ADDL AX, R10 \
	ADDL BX, R14 \
	ADDL DX, R10 \
	MOVL 24(DI), AX \
	MOVL 28(DI), BX \
	MOVWLSX (R9)(AX*2), AX \
	MOVWLSX (R9)(BX*2), BX \
	ADDL AX, R14 \
	ADDL BX, R10

// func sums16(b *Batch, patterns int)
TEXT ·sums16(SB), NOSPLIT, $0-16
	MOVQ b+0(FP), R11
	MOVQ patterns+8(FP), R13
	LEAQ Batch_At(R11), R12
	LEAQ Batch_tables(R11), SI
	LEAQ Batch_totals(R11), R15
	MOVQ Batch_N(R11), R11
sums:
	MOVQ (R12), DI
	MOVQ (SI), R8
	MOVQ R13, CX
	XORL R14, R14
	XORL R10, R10
table:
	MOVQ (R8), R9
	SUM16
	ADDQ $8, R8
	ADDQ $32, DI
	DECQ CX
	JNZ table
	ADDL R10, R14
	MOVL R14, (R15)
	ADDQ $24, R12
	ADDQ $8, SI
	ADDQ $4, R15
	DECQ R11
	JNZ sums
	RET

// func sum16(at *SymIndices, tables **float32, patterns int) int32
TEXT ·sum16(SB), NOSPLIT, $0-28
	MOVQ at+0(FP), DI
	MOVQ tables+8(FP), R8
	MOVQ patterns+16(FP), CX
	XORL R14, R14
	XORL R10, R10
table:
	MOVQ (R8), R9
	SUM16
	ADDQ $8, R8
	ADDQ $32, DI
	DECQ CX
	JNZ table
	ADDL R10, R14
	MOVL R14, ret+24(FP)
	RET

// ADD adds X5 to the weight at the index k(DI) in the table R9.
#define ADD(k, reg) \
	MOVL k(DI), reg \
	VADDSS (R9)(reg*4), X5, X1 \
	VMOVSS X1, (R9)(reg*4)

// func add(at *SymIndices, tables **float32, patterns int, step float32)
TEXT ·add(SB), NOSPLIT, $0-28
	MOVQ at+0(FP), DI
	MOVQ tables+8(FP), R8
	MOVQ patterns+16(FP), CX
	VMOVSS step+24(FP), X5
table:
	MOVQ (R8), R9
	ADD(0, AX)
	ADD(4, BX)
	ADD(8, DX)
	ADD(12, R10)
	ADD(16, AX)
	ADD(20, BX)
	ADD(24, DX)
	ADD(28, R10)
	ADDQ $8, R8
	ADDQ $32, DI
	DECQ CX
	JNZ table
	RET
