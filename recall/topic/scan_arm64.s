#include "textflag.h"

// The assembler knows no name for these:
#define SMULL_V4_V2_V3 WORD $0x0e23c044   // SMULL  V4.8H, V2.8B, V3.8B
#define SMULL2_V5_V2_V3 WORD $0x4e23c045  // SMULL2 V5.8H, V2.16B, V3.16B
#define SADALP_V0_V4 WORD $0x4e606880     // SADALP V0.4S, V4.8H
#define SADALP_V1_V5 WORD $0x4e6068a1     // SADALP V1.4S, V5.8H

// func scanNEON(query, rows *int8, out *int32, n, dim int)
//
// Sixteen products of bytes at a time, which fit 16 bits, added in pairs to two
// sums of 32 bits. n is at least 1, dim a multiple of 16 and at least 16.
TEXT ·scanNEON(SB), NOSPLIT, $0-40
	MOVD query+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD out+16(FP), R2
	MOVD n+24(FP), R3
	MOVD dim+32(FP), R4

row:
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	MOVD R0, R5
	MOVD R4, R6

step:
	VLD1.P 16(R1), [V2.B16]
	VLD1.P 16(R5), [V3.B16]
	SMULL_V4_V2_V3
	SMULL2_V5_V2_V3
	SADALP_V0_V4
	SADALP_V1_V5
	SUBS $16, R6, R6
	BNE  step

	VADD  V1.S4, V0.S4, V0.S4
	VADDV V0.S4, V0
	FMOVS F0, (R2)
	ADD  $4, R2, R2
	SUBS $1, R3, R3
	BNE  row
	RET
