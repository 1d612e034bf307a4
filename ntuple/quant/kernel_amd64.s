//go:build amd64 && !purego

#include "textflag.h"
#include "go_asm.h"

DATA wordOnes<>+0(SB)/8, $0x0001000100010001
DATA wordOnes<>+8(SB)/8, $0x0001000100010001
GLOBL wordOnes<>(SB), RODATA|NOPTR, $16

DATA wordMost<>+0(SB)/8, $0x7fff7fff7fff7fff
DATA wordMost<>+8(SB)/8, $0x7fff7fff7fff7fff
GLOBL wordMost<>(SB), RODATA|NOPTR, $16

#define IN (unpacker_ransDecoder+ransDecoder_in)
#define POS (unpacker_ransDecoder+ransDecoder_pos)
#define STATES (unpacker_ransDecoder+ransDecoder_states)
#define SHORT (unpacker_ransDecoder+ransDecoder_short)
#define INNER (unpacker_around+around_inner)
#define OUTER (unpacker_around+around_outer)
#define BEFORE (unpacker_maskContext+maskContext_before)
#define NEAR (unpacker_maskContext+maskContext_near)
#define FAR (unpacker_maskContext+maskContext_far)
#define ONES (unpacker_maskContext+maskContext_ones)
#define TWOS (unpacker_maskContext+maskContext_twos)

// Registers: DI the unpacker, R8 a model, R9 a state, R14 stateMin. AX, BX and CX are for anything.

// MODEL adds model number AX to R8, an array of them.
#define MODEL \
	SHLL $5, AX \
	ADDQ AX, R8

// FIND decodes a symbol by R8 from R9, and adapts the model. R10 becomes twice the symbol plus 2: the
// symbols whose parts begin above are the last ones of the 16. After the last symbol's part begins the
// next model with 0, as good as 1 << 15.
#define FIND \
	MOVL R9, AX \
	ANDL $0x7fff, AX \
	VMOVD AX, X0 \
	VPBROADCASTW X0, Y0 \
	VMOVDQU (R8), Y1 \
	VPCMPGTW Y0, Y1, Y2 \
	VPMOVMSKB Y2, R10 \
	TZCNTL R10, R10 \
	MOVWLZX -2(R8)(R10*1), BX \
	MOVWLZX (R8)(R10*1), CX \
	SUBL BX, CX \
	ANDL $0x7fff, CX \
	SHRQ $15, R9 \
	IMULQ CX, R9 \
	ADDQ AX, R9 \
	SUBQ BX, R9 \
	MOVL R10, CX \
	SHLL $4, CX \
	LEAQ ·targets(SB), BX \
	VMOVDQU -32(BX)(CX*1), Y2 \
	VPSUBW Y1, Y2, Y2 \
	VPSRAW $const_slowness, Y2, Y2 \
	VPADDW Y1, Y2, Y2 \
	VMOVDQU Y2, (R8)

// REFILL reads four bytes if R9 is too small.
#define REFILL(short, done) \
	CMPQ R9, R14 \
	JAE done \
	MOVQ POS(DI), CX \
	LEAQ 4(CX), BX \
	CMPQ BX, (IN+8)(DI) \
	JA short \
	MOVQ IN(DI), AX \
	MOVL (AX)(CX*1), CX \
	SHLQ $32, R9 \
	ORQ CX, R9 \
	MOVQ BX, POS(DI) \
	JMP done \
short: \
	MOVB $1, SHORT(DI) \
	ORQ R14, R9 \
done:

// func blockKernel(tables **unpacker, n int)
TEXT ·blockKernel(SB), NOSPLIT, $64-16
	MOVL $const_stateMin, R14
	XORL R13, R13              // the turn of a row
	LEAQ ·spread(SB), DX

rows:
	XORL R12, R12              // the number of a table

row:
	MOVQ tables+0(FP), BX
	MOVQ (BX)(R12*8), DI
	MOVQ unpacker_mask(DI), R11
	LEAQ ·rowShifts(SB), CX
	MOVBLZX (CX)(R13*1), CX
	MOVQ $const_borders, AX
	MOVQ R11, BX
	SHLQ $4, BX
	ANDNQ BX, AX, BX
	ORQ NEAR(DI), BX
	SHRXQ CX, BX, BX
	ANDL $15, BX
	MOVWLZX (DX)(BX*2), AX
	MOVQ R11, BX
	SHLQ $16, BX
	ORQ FAR(DI), BX
	SHRXQ CX, BX, BX
	ANDL $15, BX
	MOVWLZX (DX)(BX*2), R9
	ADDL R9, AX
	SHRXQ CX, ONES(DI), BX
	ANDL $15, BX
	MOVWLZX (DX)(BX*2), BX
	ADDL BX, AX
	SHRXQ CX, TWOS(DI), BX
	ANDL $15, BX
	MOVWLZX (DX)(BX*2), BX
	LEAL (AX)(BX*2), AX
	SHRXQ CX, BEFORE(DI), BX
	ANDL $1, BX
	LEAL (BX)(AX*2), AX
	MOVL CX, shift-16(SP)
	MOVQ unpacker_models(DI), R8
	LEAQ models_rows(R8), R8
	MODEL
	MOVL R13, BX
	ANDL $3, BX
	MOVQ STATES(DI)(BX*8), R9
	FIND
	REFILL(rowShort, rowRefilled)
	MOVL R13, BX
	ANDL $3, BX
	MOVQ R9, STATES(DI)(BX*8)
	MOVL R10, BX
	SHRL $1, BX
	DECL BX
	MOVL shift-16(SP), CX
	SHLXQ CX, BX, AX
	ORQ AX, R11
	MOVQ R11, unpacker_mask(DI)
	LEAL (BX)(CX*4), BX
	LEAQ ·turned(SB), AX
	MOVQ (AX)(BX*8), AX
	ORQ AX, unpacker_todo(DI)
	INCQ R12
	CMPQ R12, n+8(FP)
	JB row
	INCL R13
	CMPL R13, $16
	JB rows

	VMOVDQU wordOnes<>(SB), X5
	VMOVDQU wordMost<>(SB), X6

	// The tables that have integers left are order[0] to order[R11-1]; R12 is the number of the present.
	XORL R12, R12
	MOVQ n+8(FP), R11
	MOVQ tables+0(FP), BX

copy:
	MOVQ (BX)(R12*8), AX
	MOVQ AX, order-64(SP)(R12*8)
	INCQ R12
	CMPQ R12, R11
	JB copy

nextTable:
	INCQ R12
	CMPQ R12, R11
	JB table
	XORL R12, R12

table:
	MOVQ order-64(SP)(R12*8), DI
	MOVQ unpacker_todo(DI), BX
	TESTQ BX, BX
	JZ finished
	TZCNTQ BX, AX
	BLSRQ BX, BX
	MOVQ BX, unpacker_todo(DI)
	MOVQ unpacker_turn(DI), DX // 0 or 16, the place of the next state
	LEAQ ·entryTurns(SB), BX
	MOVBLZX (BX)(AX*1), AX
	MOVQ unpacker_at(DI), BX
	ADDQ AX, BX
	MOVQ unpacker_table(DI), R13
	LEAQ (R13)(BX*2), R13      // the entry

	// X2 becomes the six neighbours.
	MOVQ OUTER(DI), BX
	MOVWLZX (R13)(BX*2), BX
	VMOVD BX, X2
	MOVQ (OUTER+8)(DI), BX
	VPINSRW $1, (R13)(BX*2), X2, X2
	MOVQ (OUTER+16)(DI), BX
	VPINSRW $2, (R13)(BX*2), X2, X2
	MOVL AX, CX
	SHRL $4, CX
	MOVQ (INNER+64)(DI)(CX*8), BX
	VPINSRW $3, (R13)(BX*2), X2, X2
	MOVL AX, CX
	SHRL $2, CX
	ANDL $3, CX
	MOVQ (INNER+32)(DI)(CX*8), BX
	VPINSRW $4, (R13)(BX*2), X2, X2
	ANDL $3, AX
	MOVQ INNER(DI)(AX*8), BX
	VPINSRW $5, (R13)(BX*2), X2, X2

	// BX becomes their sum, AX that of their magnitudes, CX what bits any of them has.
	VPABSW X2, X3
	VPMINUW X6, X3, X3
	VPMADDWD X5, X2, X4
	VPMADDWD X5, X3, X3
	VPHADDD X3, X4, X3
	VPHADDD X3, X3, X3
	VMOVQ X3, BX
	VPSRLDQ $8, X2, X4
	VPOR X4, X2, X2
	VPSRLDQ $4, X2, X4
	VPOR X4, X2, X2
	VMOVD X2, CX
	MOVL CX, AX
	SHRL $16, AX
	ORL AX, CX
	BTSL $16, CX
	TZCNTL CX, CX
	MOVL CX, hintEnd-16(SP)
	MOVQ BX, AX
	SHRQ $32, AX

	// CX becomes the sign, AX the number of bits.
	MOVL BX, CX
	SARL $31, CX
	XORL CX, BX
	SUBL CX, BX
	ANDL $2, CX
	ADDL BX, BX
	CMPL AX, BX
	ADCL $1, CX
	LEAL 1(AX)(AX*1), AX
	BSRL AX, AX
	MOVL AX, hintSizes-20(SP)
	LEAL (CX)(AX*8), AX
	MOVQ unpacker_models(DI), R8
	LEAQ models_starts(R8), R8
	MODEL
	MOVQ STATES(DI)(DX*1), R9
	FIND
	REFILL(startShort, startRefilled)
	MOVQ R9, STATES(DI)(DX*1)
	LEAL -2(R10), AX
	SHRL $1, AX
	MOVL AX, CX
	ANDL $1, CX
	NEGL CX
	MOVL CX, minus-24(SP)
	SHRL $1, AX
	MOVL hintSizes-20(SP), CX
	CMPL AX, $const_startLengths
	JEQ long
	LEAQ ·leasts(SB), BX
	MOVBLZX (BX)(CX*1), BX
	ADDL AX, BX

bits:
	// BX is the number of bits.
	MOVL BX, length-28(SP)
	MOVL hintEnd-16(SP), AX
	CMPL AX, BX
	CMOVLGT BX, AX
	DECL BX
	SHLL $5, BX
	ADDL BX, AX
	MOVQ unpacker_models(DI), R8
	LEAQ models_ends(R8), R8
	MODEL
	MOVQ (STATES+8)(DI)(DX*1), R9
	FIND
	REFILL(endShort, endRefilled)
	MOVL R10, AX
	SHRL $1, AX                // the zero bits at the end plus one
	MOVL length-28(SP), BX
	XORL R10, R10
	MOVL BX, CX
	SUBL AX, CX
	DECL CX                    // the bits between the first and the last that is set
	CMOVLMI R10, CX
	BZHIQ CX, R9, R10
	SHRXQ CX, R9, R9
	SHLXQ AX, R10, R10
	MOVL $1, CX
	SHLXQ AX, CX, AX
	SHLXQ BX, CX, BX
	ORL BX, AX
	SHRL $1, AX
	ORL R10, AX
	MOVL minus-24(SP), CX
	XORL CX, AX
	SUBL CX, AX
	MOVW AX, (R13)
	REFILL(bitsShort, bitsRefilled)
	MOVQ R9, (STATES+8)(DI)(DX*1)
	XORL $16, DX
	MOVQ DX, unpacker_turn(DI)
	JMP nextTable

finished:
	DECQ R11
	JZ done
	MOVQ order-64(SP)(R11*8), AX
	MOVQ AX, order-64(SP)(R12*8)
	CMPQ R12, R11
	JB table
	XORL R12, R12
	JMP table

long:
	MOVL CX, AX
	ANDL $15, AX
	MOVQ unpacker_models(DI), R8
	LEAQ models_long(R8), R8
	MODEL
	MOVQ STATES(DI)(DX*1), R9
	FIND
	REFILL(longShort, longRefilled)
	MOVQ R9, STATES(DI)(DX*1)
	MOVL R10, BX
	SHRL $1, BX
	JMP bits

done:
	VZEROUPPER
	RET
