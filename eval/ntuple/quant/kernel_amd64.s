//go:build amd64 && !purego

#include "textflag.h"
#include "go_asm.h"

#define IN (unpacker_ransDecoder+ransDecoder_in)
#define POS (unpacker_ransDecoder+ransDecoder_pos)
#define STATES (unpacker_ransDecoder+ransDecoder_states)
#define INNER (unpacker_around+around_inner)
#define OUTER (unpacker_around+around_outer)

// Registers: DI is the address of the unpacker, SI of the next bytes of its stream, R8 of a model, and R15 of
// the constants, some of which are in Y6 to Y9. AX, BX, CX and Y0 to Y5 hold temporary values.

// FIND decodes a symbol from a state with the model R8, and adapts the model. It sets symbol to twice the
// decoded symbol plus 2: the position of the first part that begins above the value in the state. The end of
// the last part is read from the next model, which begins with 0, and 0 is 1 << 15 modulo 1 << 15. Y6 and Y7
// are kernelConstants.earliest and reach.
#define FIND(state, symbol) \
	MOVL state, AX \
	ANDL $0x7fff, AX \
	VMOVD AX, X0 \
	VPBROADCASTW X0, Y0 \
	VMOVDQU (R8), Y1 \
	VPCMPGTW Y0, Y1, Y2 \
	VPMOVMSKB Y2, symbol \
	TZCNTL symbol, symbol \
	MOVWLZX -2(R8)(symbol*1), BX \
	MOVWLZX (R8)(symbol*1), CX \
	SUBL BX, CX \
	ANDL $0x7fff, CX \
	SUBL BX, AX \
	SHRQ $15, state \
	IMULQ CX, state \
	ADDQ AX, state \
	VPSUBW Y1, Y6, Y3 \
	VPAND Y7, Y2, Y2 \
	VPADDW Y3, Y2, Y2 \
	VPSRAW $const_slowness, Y2, Y2 \
	VPADDW Y1, Y2, Y2 \
	VMOVDQU Y2, (R8)

// REFILL reads four bytes if a state is too small. It has no branch, since that would be hard to predict.
#define REFILL(state) \
	MOVL (SI), AX \
	MOVQ state, BX \
	SHLQ $32, BX \
	ORQ AX, BX \
	LEAQ 4(SI), CX \
	CMPQ state, kernelConstants_minimum(R15) \
	CMOVQCS BX, state \
	CMOVQCS CX, SI

// CELL sets distance to the distance from block DX to its neighbour in cell k of the plan R8, and BX to the
// neighbour's mask; R14 is the address of all masks. It increments R13 if the mask is not zero.
#define CELL(k, distance) \
	MOVQ (plan_cells+k*cell__size+cell_upper)(R8), CX \
	SHRXQ CX, DX, AX \
	ANDQ (plan_cells+k*cell__size+cell_mask)(R8), AX \
	MOVQ (plan_cells+k*cell__size+cell_lower)(R8), CX \
	SHRXQ CX, DX, BX \
	ANDQ (plan_cells+k*cell__size+cell_mask)(R8), BX \
	LEAQ (BX)(AX*4), AX \
	MOVQ (plan_cells+k*cell__size+cell_distance)(R8)(AX*8), AX \
	MOVQ AX, distance \
	ADDQ DX, AX \
	MOVQ (R14)(AX*8), BX \
	CMPQ BX, $1 \
	SBBL $-1, R13

// BORDER sets around.inner[k][0] for the block at address CX, given the distance to the neighbours' block,
// and prefetches that block.
#define BORDER(k, distance) \
	MOVQ distance, BX \
	MOVQ BX, AX \
	SHLQ $6, AX \
	PREFETCHT0 (CX)(AX*2) \
	PREFETCHT0 64(CX)(AX*2) \
	ADDQ $(3<<(2*k)), AX \
	TESTQ BX, BX \
	CMOVQEQ BX, AX \
	MOVQ AX, (INNER+32*k)(DI)

// SIDE sets outer, an entry of around.outer, for the block at address CX, given the distance to the
// neighbours' block, and prefetches that block.
#define SIDE(distance, outer) \
	MOVQ distance, AX \
	SHLQ $6, AX \
	PREFETCHT0 (CX)(AX*2) \
	PREFETCHT0 64(CX)(AX*2) \
	MOVQ AX, outer

// COUNT adds 1 to the byte of each entry that is set in a mask: in Y4 for entries 0 to 31, in Y5 for the others.
#define COUNT(mask) \
	VPBROADCASTQ mask, Y0 \
	VPSHUFB kernelConstants_lowBytes(R15), Y0, Y1 \
	VPSHUFB kernelConstants_highBytes(R15), Y0, Y2 \
	VPAND Y8, Y1, Y1 \
	VPAND Y8, Y2, Y2 \
	VPCMPEQB Y8, Y1, Y1 \
	VPCMPEQB Y8, Y2, Y2 \
	VPSUBB Y1, Y4, Y4 \
	VPSUBB Y2, Y5, Y5

// CONTEXTS replaces the counts of each row's four entries by what other blocks add to the row's context. That
// is a number in base 6 whose digits are the counts, times 2, plus the row's lowest bit in X10, as an offset
// into models.rows.
#define CONTEXTS(counts) \
	VPMADDUBSW counts, Y3, counts \
	VPMADDWD Y9, counts, counts \
	VPSLLD $6, counts, counts \
	VPBROADCASTD X10, Y0 \
	VPSRLVD kernelConstants_rowShifts(R15), Y0, Y0 \
	VPSLLD $31, Y0, Y0 \
	VPSRLD $26, Y0, Y0 \
	VPADDD Y0, counts, counts

// Offsets of variables on the stack:
//   OTHERS      what other blocks add to the context of each row
//   ROWS        what each decoded row adds to the contexts of later rows
//   DISTANCES   distances to the neighbours' blocks
//   LAST        the last address in the stream at which a block may begin
//   END, SIZES  hint.end and hint.sizes of an integer
//   MINUS       -1 if the integer is negative, else 0
//   FIRST       address of the block
#define OTHERS 0
#define ROWS 64
#define DISTANCES 128
#define LAST 176
#define END 184
#define SIZES 188
#define MINUS 192
#define FIRST 200

// ROW decodes row r; R8 is what the rows before it add to its context. It adds the row to the block's mask
// (R13), and the integers that are not zero to the integers to decode (DX).
#define ROW(r, state) \
	ADDL (OTHERS+4*r)(SP), R8 \
	ADDQ unpacker_models(DI), R8 \
	ADDQ $models_rows, R8 \
	FIND(state, R14) \
	REFILL(state) \
	MOVL (kernelConstants_spread-4)(R15)(R14*2), AX \
	MOVL AX, (ROWS+4*r)(SP) \
	ORQ (kernelConstants_turned+128*r-8)(R15)(R14*4), DX \
	SHRL $1, R14 \
	SHLQ $(4*r), R14 \
	ADDQ R14, R13

// ALONE, AFTER and BETWEEN decode a row that no, one or two decoded rows of the block are neighbours of.
#define ALONE(r, state) \
	XORL R8, R8 \
	ROW(r, state)
#define AFTER(r, near, state) \
	MOVL (ROWS+4*near)(SP), R8 \
	ROW(r, state)
#define BETWEEN(r, near, far, state) \
	MOVL (ROWS+4*near)(SP), R8 \
	ADDL (ROWS+4*far)(SP), R8 \
	ROW(r, state)

// NEIGHBOURS sets X2 to the six neighbours of the entry at address R13; AX is its index in
// kernelConstants.entries.
#define NEIGHBOURS \
	MOVQ OUTER(DI), BX \
	MOVWLZX (R13)(BX*2), BX \
	VMOVD BX, X2 \
	MOVQ (OUTER+8)(DI), BX \
	VPINSRW $1, (R13)(BX*2), X2, X2 \
	MOVQ (OUTER+16)(DI), BX \
	VPINSRW $2, (R13)(BX*2), X2, X2 \
	MOVBLZX (kernelConstants_entries+1)(R15)(AX*4), BX \
	MOVQ (INNER+64)(DI)(BX*8), BX \
	VPINSRW $3, (R13)(BX*2), X2, X2 \
	MOVBLZX (kernelConstants_entries+2)(R15)(AX*4), BX \
	MOVQ (INNER+32)(DI)(BX*8), BX \
	VPINSRW $4, (R13)(BX*2), X2, X2 \
	MOVBLZX (kernelConstants_entries+3)(R15)(AX*4), BX \
	MOVQ INNER(DI)(BX*8), BX \
	VPINSRW $5, (R13)(BX*2), X2, X2

// HINT sets CX to hint.sign, AX to hint.sizes and END to hint.end, from the neighbours in X2.
#define HINT \
	VPABSW X2, X3 \
	VPMINUW kernelConstants_maximum(R15), X3, X3 \
	VPMADDWD X9, X2, X4 \
	VPMADDWD X9, X3, X3 \
	VPHADDD X3, X4, X3 \
	VPHADDD X3, X3, X3 \
	VMOVQ X3, BX \
	VPADDW kernelConstants_minusOnes(R15), X2, X4 \
	VPANDN X4, X2, X4 \
	VPHMINPOSUW X4, X4 \
	VMOVD X4, AX \
	MOVWLZX AX, AX \
	POPCNTL AX, AX \
	MOVL AX, END(SP) \
	RORXQ $32, BX, AX \
	MOVL BX, CX \
	SARL $31, CX \
	XORL CX, BX \
	SUBL CX, BX \
	ANDL $2, CX \
	ADDL BX, BX \
	CMPL AX, BX \
	ADCL $1, CX \
	LEAL 1(AX)(AX*1), AX \
	LZCNTL AX, AX \
	XORL $31, AX

// INTEGER decodes the next integer in DX with two states, or jumps to done if there is none. BP is the number
// of bits of its magnitude. Only one of the two refills of the second state can take place, before or after
// the bits between the highest and the lowest set bit, so both use the same four bytes.
#define INTEGER(first, second, long, bits, done) \
	TZCNTQ DX, AX \
	JCS done \
	BLSRQ DX, DX \
	MOVBLZX kernelConstants_entries(R15)(AX*4), R13 \
	ADDQ FIRST(SP), R13 \
	NEIGHBOURS \
	HINT \
	MOVL AX, SIZES(SP) \
	MOVBLZX kernelConstants_minBits(R15)(AX*1), BP \
	LEAL (CX)(AX*8), R8 \
	SHLL $5, R8 \
	ADDQ unpacker_models(DI), R8 \
	ADDQ $models_starts, R8 \
	FIND(first, R14) \
	REFILL(first) \
	MOVBLSX (kernelConstants_minus-2)(R15)(R14*1), AX \
	MOVL AX, MINUS(SP) \
	SUBL $2, R14 \
	SHRL $2, R14 \
	CMPL R14, $const_startLengths \
	JEQ long \
	ADDL R14, BP \
bits: \
	MOVL END(SP), R8 \
	CMPL BP, R8 \
	CMOVLLT BP, R8 \
	SHLL $5, R8 \
	MOVL BP, BX \
	SHLL $10, BX \
	ADDQ unpacker_models(DI), BX \
	LEAQ (models_ends-1024)(BX)(R8*1), R8 \
	FIND(second, R14) \
	SHRL $1, R14 \
	DECL R14 \
	MOVL (SI), BX \
	LEAQ 4(SI), R8 \
	MOVQ second, AX \
	SHLQ $32, AX \
	ORQ BX, AX \
	CMPQ second, kernelConstants_minimum(R15) \
	CMOVQCS AX, second \
	CMOVQCS R8, SI \
	LEAL -2(BP), CX \
	XORL AX, AX \
	SUBL R14, CX \
	CMOVLMI AX, CX \
	BZHIQ CX, second, AX \
	SHRXQ CX, second, second \
	LEAL 1(AX)(AX*1), AX \
	SHLXL R14, AX, AX \
	DECL BP \
	BTSL BP, AX \
	MOVL MINUS(SP), CX \
	XORL CX, AX \
	SUBL CX, AX \
	MOVW AX, (R13) \
	MOVQ second, AX \
	SHLQ $32, AX \
	ORQ BX, AX \
	CMPQ second, kernelConstants_minimum(R15) \
	CMOVQCS AX, second \
	CMOVQCS R8, SI

// LONG decodes the number of bits of an integer if the symbol of models.starts cannot code it.
#define LONG(state, bits) \
	MOVL SIZES(SP), R8 \
	ANDL $15, R8 \
	SHLL $5, R8 \
	ADDQ unpacker_models(DI), R8 \
	ADDQ $models_long, R8 \
	FIND(state, BP) \
	REFILL(state) \
	SHRL $1, BP \
	JMP bits

// func tableKernel(u *unpacker, stop int)
TEXT ·tableKernel(SB), NOSPLIT, $208-16
	MOVQ u+0(FP), DI
	LEAQ ·constants(SB), R15
	MOVQ IN(DI), SI
	MOVQ (IN+8)(DI), AX
	LEAQ -const_maxBytes(SI)(AX*1), AX
	MOVQ AX, LAST(SP)
	ADDQ POS(DI), SI
	VMOVDQU kernelConstants_earliest(R15), Y6
	VMOVDQU kernelConstants_reach(R15), Y7
	VMOVDQU kernelConstants_byteBits(R15), Y8
	VMOVDQU kernelConstants_words(R15), Y9

block:
	MOVQ unpacker_block(DI), DX
	CMPQ DX, stop+8(FP)
	JGE end
	CMPQ SI, LAST(SP)
	JHI end
	INCQ unpacker_block(DI)
	MOVQ unpacker_table(DI), AX
	MOVQ DX, BX
	SHLQ $7, BX
	ADDQ BX, AX
	MOVQ AX, FIRST(SP)
	VPXOR X0, X0, X0
	VMOVDQU Y0, (AX)
	VMOVDQU Y0, 32(AX)
	VMOVDQU Y0, 64(AX)
	VMOVDQU Y0, 96(AX)
	MOVQ unpacker_plan(DI), R8
	MOVQ unpacker_masks(DI), R14
	XORL R13, R13
	CELL(0, (DISTANCES+0)(SP))
	SHRQ $3, BX
	VMOVQ BX, X10
	CELL(1, (DISTANCES+8)(SP))
	SHRQ $12, BX
	ANDQ kernelConstants_borders(R15), BX
	VMOVQ BX, X11
	CELL(2, (DISTANCES+16)(SP))
	SHRQ $48, BX
	VMOVQ BX, X12
	CELL(3, (DISTANCES+24)(SP))
	VMOVQ BX, X13
	CELL(4, (DISTANCES+32)(SP))
	VMOVQ BX, X14
	CELL(5, (DISTANCES+40)(SP))
	VMOVQ BX, X15
	MOVQ unpacker_models(DI), R8
	SHLL $5, R13
	LEAQ models_filled(R8)(R13*1), R8
	MOVL DX, R10
	ANDL $3, R10
	MOVQ STATES(DI)(R10*8), R9
	FIND(R9, R14)
	REFILL(R9)
	MOVQ R9, STATES(DI)(R10*8)
	CMPL R14, $2
	JEQ block

	// The block is not empty.
	MOVQ FIRST(SP), CX
	BORDER(0, (DISTANCES+0)(SP))
	BORDER(1, (DISTANCES+8)(SP))
	BORDER(2, (DISTANCES+16)(SP))
	SIDE((DISTANCES+24)(SP), OUTER(DI))
	SIDE((DISTANCES+32)(SP), (OUTER+8)(DI))
	SIDE((DISTANCES+40)(SP), (OUTER+16)(DI))
	VPXOR X4, X4, X4
	VPXOR X5, X5, X5
	COUNT(X11)
	COUNT(X12)
	COUNT(X13)
	COUNT(X14)
	COUNT(X15)
	VMOVDQU kernelConstants_digits(R15), Y3
	CONTEXTS(Y4)
	VMOVDQU Y4, OTHERS(SP)
	VPSRLQ $32, X10, X10
	CONTEXTS(Y5)
	VMOVDQU Y5, (OTHERS+32)(SP)
	MOVQ STATES(DI), R9
	MOVQ (STATES+8)(DI), R10
	MOVQ (STATES+16)(DI), R11
	MOVQ (STATES+24)(DI), R12
	XORL DX, DX
	MOVQ $-0x1111111111111111, R13 // because ROW adds one more than the row to each nibble
	ALONE(0, R9)
	AFTER(1, 0, R10)
	AFTER(4, 0, R11)
	AFTER(2, 1, R12)
	BETWEEN(5, 4, 1, R9)
	AFTER(8, 4, R10)
	AFTER(3, 2, R11)
	BETWEEN(6, 5, 2, R12)
	BETWEEN(9, 8, 5, R9)
	AFTER(12, 8, R10)
	BETWEEN(7, 6, 3, R11)
	BETWEEN(10, 9, 6, R12)
	BETWEEN(13, 12, 9, R9)
	BETWEEN(11, 10, 7, R10)
	BETWEEN(14, 13, 10, R11)
	BETWEEN(15, 14, 11, R12)
	MOVQ unpacker_masks(DI), AX
	MOVQ unpacker_block(DI), BX
	MOVQ R13, -8(AX)(BX*8)

integers:
	INTEGER(R9, R10, long, bits, done)
	INTEGER(R11, R12, otherLong, otherBits, done)
	JMP integers

done:
	MOVQ R9, STATES(DI)
	MOVQ R10, (STATES+8)(DI)
	MOVQ R11, (STATES+16)(DI)
	MOVQ R12, (STATES+24)(DI)
	JMP block

long:
	LONG(R9, bits)

otherLong:
	LONG(R11, otherBits)

end:
	SUBQ IN(DI), SI
	MOVQ SI, POS(DI)
	VZEROUPPER
	RET

// func countsZeros() bool
TEXT ·countsZeros(SB), NOSPLIT, $0-1
	MOVL $1, AX
	LZCNTL AX, AX              // processors without LZCNT execute BSR instead, which returns 0
	CMPL AX, $31
	SETEQ ret+0(FP)
	RET
