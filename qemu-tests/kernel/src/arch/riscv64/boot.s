# riscv64: the entry of both harts in M-mode, the way to S-mode, and handlers.

# Where assembly is compiled apart from functions, the assembler does not know that there are
# floating registers.
.option arch, +d

    .section .boot, "ax", @progbits
    .globl boot
boot:
    csrr t0, mhartid
    bnez t0, park
    la s2, {stacks}
    la s3, first
    j supervise

    # Harts other than the first wait here until the kernel names the second.
park:
    li t1, 1
    bne t0, t1, park
    la t1, second_go
2:  .word 0x0100000F
    lw t2, (t1)
    beqz t2, 2b
    fence
    la s2, {stacks}
    li t0, {stacks_size}
    add s2, s2, t0
    la s3, second

    # To S-mode at s3 with the stacks at s2: all memory open, traps delegated, counters and timer compare in reach,
    # floating point on.
supervise:
    li t0, -1
    csrw pmpaddr0, t0
    li t0, 0x1F
    csrw pmpcfg0, t0
    li t0, 0xB1FF
    csrw medeleg, t0
    li t0, 0x222
    csrw mideleg, t0
    li t0, 7
    csrw mcounteren, t0
    li t0, 1
    slli t0, t0, 63
    csrs 0x30A, t0
    la t0, machine
    csrw mtvec, t0
    csrwi mie, 8
    li t0, 0x1800
    csrc mstatus, t0
    li t0, 0x6800
    csrs mstatus, t0
    csrw mepc, s3
    li t0, {faults_top}
    add t0, s2, t0
    csrw sscratch, t0
    la t0, handler
    csrw stvec, t0
    li t0, {main_top}
    add sp, s2, t0
    mret

first:
    li s0, 0
    call kernel_main
    unimp

second:
    li s0, 0
    call second_prepare
    call second_main
    unimp

    # A software interrupt asks to fetch code anew; any other trap in M-mode leaves nothing but to fail.
    .balign 4
machine:
    csrw mscratch, t0
    csrr t0, mcause
    bgez t0, lost
    fence.i
    csrr t0, mhartid
    bnez t0, 2f
    lui t0, 0x2000
    sw zero, 0(t0)
    j 3f
2:  lui t0, 0x2000
    sw zero, 4(t0)
3:  csrr t0, mscratch
    mret

lost:
    li t0, 0x100000
    li t1, 0x13333
    sw t1, (t0)
    j lost

    # The frame: x1 to x31 at 8 times their number (x2 is the interrupted stack), sepc at 0, sstatus at 256, fcsr at
    # 264, then from 288 on f0 to f31.
    .balign 4
handler:
    csrrw sp, sscratch, sp
    addi sp, sp, -544
    sd x1, 8(sp)
    sd x3, 24(sp)
    sd x4, 32(sp)
    sd x5, 40(sp)
    sd x6, 48(sp)
    sd x7, 56(sp)
    sd x8, 64(sp)
    sd x9, 72(sp)
    sd x10, 80(sp)
    sd x11, 88(sp)
    sd x12, 96(sp)
    sd x13, 104(sp)
    sd x14, 112(sp)
    sd x15, 120(sp)
    sd x16, 128(sp)
    sd x17, 136(sp)
    sd x18, 144(sp)
    sd x19, 152(sp)
    sd x20, 160(sp)
    sd x21, 168(sp)
    sd x22, 176(sp)
    sd x23, 184(sp)
    sd x24, 192(sp)
    sd x25, 200(sp)
    sd x26, 208(sp)
    sd x27, 216(sp)
    sd x28, 224(sp)
    sd x29, 232(sp)
    sd x30, 240(sp)
    sd x31, 248(sp)
    csrrw t0, sscratch, sp
    sd t0, 16(sp)
    addi t0, sp, 544
    csrw sscratch, t0
    csrr t0, sepc
    sd t0, 0(sp)
    csrr t0, sstatus
    sd t0, 256(sp)
    csrr t0, fcsr
    sd t0, 264(sp)
    fsd f0, 288(sp)
    fsd f1, 296(sp)
    fsd f2, 304(sp)
    fsd f3, 312(sp)
    fsd f4, 320(sp)
    fsd f5, 328(sp)
    fsd f6, 336(sp)
    fsd f7, 344(sp)
    fsd f8, 352(sp)
    fsd f9, 360(sp)
    fsd f10, 368(sp)
    fsd f11, 376(sp)
    fsd f12, 384(sp)
    fsd f13, 392(sp)
    fsd f14, 400(sp)
    fsd f15, 408(sp)
    fsd f16, 416(sp)
    fsd f17, 424(sp)
    fsd f18, 432(sp)
    fsd f19, 440(sp)
    fsd f20, 448(sp)
    fsd f21, 456(sp)
    fsd f22, 464(sp)
    fsd f23, 472(sp)
    fsd f24, 480(sp)
    fsd f25, 488(sp)
    fsd f26, 496(sp)
    fsd f27, 504(sp)
    fsd f28, 512(sp)
    fsd f29, 520(sp)
    fsd f30, 528(sp)
    fsd f31, 536(sp)
    mv a0, sp
    call trap
    fld f0, 288(sp)
    fld f1, 296(sp)
    fld f2, 304(sp)
    fld f3, 312(sp)
    fld f4, 320(sp)
    fld f5, 328(sp)
    fld f6, 336(sp)
    fld f7, 344(sp)
    fld f8, 352(sp)
    fld f9, 360(sp)
    fld f10, 368(sp)
    fld f11, 376(sp)
    fld f12, 384(sp)
    fld f13, 392(sp)
    fld f14, 400(sp)
    fld f15, 408(sp)
    fld f16, 416(sp)
    fld f17, 424(sp)
    fld f18, 432(sp)
    fld f19, 440(sp)
    fld f20, 448(sp)
    fld f21, 456(sp)
    fld f22, 464(sp)
    fld f23, 472(sp)
    fld f24, 480(sp)
    fld f25, 488(sp)
    fld f26, 496(sp)
    fld f27, 504(sp)
    fld f28, 512(sp)
    fld f29, 520(sp)
    fld f30, 528(sp)
    fld f31, 536(sp)
    ld t0, 264(sp)
    csrw fcsr, t0
    ld t0, 256(sp)
    csrw sstatus, t0
    ld t0, 0(sp)
    csrw sepc, t0
    ld x1, 8(sp)
    ld x3, 24(sp)
    ld x4, 32(sp)
    ld x5, 40(sp)
    ld x6, 48(sp)
    ld x7, 56(sp)
    ld x8, 64(sp)
    ld x9, 72(sp)
    ld x10, 80(sp)
    ld x11, 88(sp)
    ld x12, 96(sp)
    ld x13, 104(sp)
    ld x14, 112(sp)
    ld x15, 120(sp)
    ld x16, 128(sp)
    ld x17, 136(sp)
    ld x18, 144(sp)
    ld x19, 152(sp)
    ld x20, 160(sp)
    ld x21, 168(sp)
    ld x22, 176(sp)
    ld x23, 184(sp)
    ld x24, 192(sp)
    ld x25, 200(sp)
    ld x26, 208(sp)
    ld x27, 216(sp)
    ld x28, 224(sp)
    ld x29, 232(sp)
    ld x30, 240(sp)
    ld x31, 248(sp)
    ld sp, 16(sp)
    sret

    .text
    .globl probe, probe_faulted
probe:
    addi sp, sp, -112
    sd ra, 0(sp)
    sd s0, 8(sp)
    sd s1, 16(sp)
    sd s2, 24(sp)
    sd s3, 32(sp)
    sd s4, 40(sp)
    sd s5, 48(sp)
    sd s6, 56(sp)
    sd s7, 64(sp)
    sd s8, 72(sp)
    sd s9, 80(sp)
    sd s10, 88(sp)
    sd s11, 96(sp)
    la t0, probe_stack
    sd sp, (t0)
    mv t0, a0
    mv a0, a1
    jalr t0
    li a0, 0
3:
    ld ra, 0(sp)
    ld s0, 8(sp)
    ld s1, 16(sp)
    ld s2, 24(sp)
    ld s3, 32(sp)
    ld s4, 40(sp)
    ld s5, 48(sp)
    ld s6, 56(sp)
    ld s7, 64(sp)
    ld s8, 72(sp)
    ld s9, 80(sp)
    ld s10, 88(sp)
    ld s11, 96(sp)
    addi sp, sp, 112
    ret
probe_faulted:
    la t0, probe_stack
    ld sp, (t0)
    li a0, 1
    j 3b

    .bss
    .balign 8
probe_stack:
    .quad 0
    .globl second_go
second_go:
    .word 0
