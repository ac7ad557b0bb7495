#include "textflag.h"

// func scanAVX2(query *int16, rows *int8, out *int32, n, dim int)
//
// A row's bytes are widened 16 at a time, multiplied with the widened query and
// added in pairs; two sums run side by side, so that one does not wait for the
// other. n is at least 1, dim a multiple of 16 and at least 16.
TEXT ·scanAVX2(SB), NOSPLIT, $0-40
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ out+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ dim+32(FP), BX

row:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  SI, R8
	MOVQ  BX, R9

pair:
	CMPQ R9, $32
	JLT  single
	VPMOVSXBW (DI), Y2
	VPMOVSXBW 16(DI), Y3
	VPMADDWD  (R8), Y2, Y2
	VPMADDWD  32(R8), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ $32, DI
	ADDQ $64, R8
	SUBQ $32, R9
	JMP  pair

single:
	TESTQ R9, R9
	JZ    sum
	VPMOVSXBW (DI), Y2
	VPMADDWD  (R8), Y2, Y2
	VPADDD    Y2, Y0, Y0
	ADDQ $16, DI

sum:
	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DX)
	ADDQ $4, DX
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET
