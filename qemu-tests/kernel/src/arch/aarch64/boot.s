// aarch64: the entry at EL1 with the MMU off, handlers, and the second CPU's entry.
//
// The kernel runs on SP_EL0; exceptions switch to SP_EL1 by themselves.

    .section .boot, "ax", @progbits
    .globl boot
boot:
    adrp x2, {stacks}
    add x2, x2, :lo12:{stacks}
    bl prepare
    bl kernel_main
    brk #0

    .globl second_boot
second_boot:
    mov x19, x0
    adrp x2, {stacks}
    add x2, x2, :lo12:{stacks}
    ldr x3, ={stacks_size}
    add x2, x2, x3
    bl prepare
    mov x0, x19
    bl second_prepare
    bl second_main
    brk #0

    // Floating point on, stacks at x2, vectors.
prepare:
    mov x0, #3 << 20
    msr cpacr_el1, x0
    isb
    msr spsel, #1
    ldr x3, ={faults_top}
    add x3, x2, x3
    mov sp, x3
    msr spsel, #0
    ldr x3, ={main_top}
    add x3, x2, x3
    mov sp, x3
    adr x0, vectors
    msr vbar_el1, x0
    mov x29, xzr
    ret

    .ltorg
    .balign 2048
vectors:
    .set vector, 0
    .rept 16
    .balign 128
    sub sp, sp, #800
    stp x0, x1, [sp]
    mov x0, #vector
    b handler
    .set vector, vector + 1
    .endr

    // The frame: x0 to x30, ELR, SPSR, FPSR, FPCR, then from 288 on q0 to q31.
    .balign 128
handler:
    stp x2, x3, [sp, #16]
    stp x4, x5, [sp, #32]
    stp x6, x7, [sp, #48]
    stp x8, x9, [sp, #64]
    stp x10, x11, [sp, #80]
    stp x12, x13, [sp, #96]
    stp x14, x15, [sp, #112]
    stp x16, x17, [sp, #128]
    stp x18, x19, [sp, #144]
    stp x20, x21, [sp, #160]
    stp x22, x23, [sp, #176]
    stp x24, x25, [sp, #192]
    stp x26, x27, [sp, #208]
    stp x28, x29, [sp, #224]
    mrs x1, elr_el1
    stp x30, x1, [sp, #240]
    mrs x1, spsr_el1
    str x1, [sp, #256]
    stp q0, q1, [sp, #288]
    stp q2, q3, [sp, #320]
    stp q4, q5, [sp, #352]
    stp q6, q7, [sp, #384]
    stp q8, q9, [sp, #416]
    stp q10, q11, [sp, #448]
    stp q12, q13, [sp, #480]
    stp q14, q15, [sp, #512]
    stp q16, q17, [sp, #544]
    stp q18, q19, [sp, #576]
    stp q20, q21, [sp, #608]
    stp q22, q23, [sp, #640]
    stp q24, q25, [sp, #672]
    stp q26, q27, [sp, #704]
    stp q28, q29, [sp, #736]
    stp q30, q31, [sp, #768]
    mrs x1, fpsr
    mrs x2, fpcr
    stp x1, x2, [sp, #264]
    mov x1, sp
    bl trap
    ldp x1, x2, [sp, #264]
    msr fpsr, x1
    msr fpcr, x2
    ldp q0, q1, [sp, #288]
    ldp q2, q3, [sp, #320]
    ldp q4, q5, [sp, #352]
    ldp q6, q7, [sp, #384]
    ldp q8, q9, [sp, #416]
    ldp q10, q11, [sp, #448]
    ldp q12, q13, [sp, #480]
    ldp q14, q15, [sp, #512]
    ldp q16, q17, [sp, #544]
    ldp q18, q19, [sp, #576]
    ldp q20, q21, [sp, #608]
    ldp q22, q23, [sp, #640]
    ldp q24, q25, [sp, #672]
    ldp q26, q27, [sp, #704]
    ldp q28, q29, [sp, #736]
    ldp q30, q31, [sp, #768]
    ldr x1, [sp, #256]
    msr spsr_el1, x1
    ldp x30, x1, [sp, #240]
    msr elr_el1, x1
    ldp x2, x3, [sp, #16]
    ldp x4, x5, [sp, #32]
    ldp x6, x7, [sp, #48]
    ldp x8, x9, [sp, #64]
    ldp x10, x11, [sp, #80]
    ldp x12, x13, [sp, #96]
    ldp x14, x15, [sp, #112]
    ldp x16, x17, [sp, #128]
    ldp x18, x19, [sp, #144]
    ldp x20, x21, [sp, #160]
    ldp x22, x23, [sp, #176]
    ldp x24, x25, [sp, #192]
    ldp x26, x27, [sp, #208]
    ldp x28, x29, [sp, #224]
    ldp x0, x1, [sp]
    add sp, sp, #800
    eret

    .text
    .globl probe, probe_faulted
probe:
    stp x29, x30, [sp, #-96]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    adrp x2, probe_stack
    mov x3, sp
    str x3, [x2, :lo12:probe_stack]
    mov x2, x0
    mov x0, x1
    blr x2
    mov x0, #0
2:  ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp x29, x30, [sp], #96
    ret
probe_faulted:
    adrp x2, probe_stack
    ldr x3, [x2, :lo12:probe_stack]
    mov sp, x3
    mov x0, #1
    b 2b

    .bss
    .balign 8
probe_stack:
    .quad 0
