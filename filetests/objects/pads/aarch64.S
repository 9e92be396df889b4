// A whole program around `run_it`, whose result is the exit status. All of it has landing pads, and says so.
 .text
 .globl _start
_start: hint 34
 bl run_it
 mov x8, 93
 svc 0
 .globl _setjmp
_setjmp: hint 34
 mov x9, sp
 stp x9, x30, [x0]
 stp x19, x20, [x0, 16]
 stp x21, x22, [x0, 32]
 stp x23, x24, [x0, 48]
 stp x25, x26, [x0, 64]
 stp x27, x28, [x0, 80]
 str x29, [x0, 96]
 mov x0, 0
 ret
 .globl longjmp
longjmp: hint 34
 ldp x9, x30, [x0]
 mov sp, x9
 ldp x19, x20, [x0, 16]
 ldp x21, x22, [x0, 32]
 ldp x23, x24, [x0, 48]
 ldp x25, x26, [x0, 64]
 ldp x27, x28, [x0, 80]
 ldr x29, [x0, 96]
 mov w0, w1
 br x30
 .section .note.gnu.property,"a"
 .p2align 3
 .word 4, 16, 5
 .asciz "GNU"
 .word 0xc0000000, 4, 1, 0
 .section .note.GNU-stack,"",@progbits
