# s390x: the entry of both CPUs with address translation off, and handlers, which run with it off.

    # Floating point on, stacks at r1.
    .macro prepare
    stctg %c0, %c0, 512
    lg %r2, 512
    oilh %r2, 4
    stg %r2, 512
    lctlg %c0, %c0, 512
    lgr %r15, %r1
    agfi %r15, {main_top} - 160
    lghi %r2, 0
    stg %r2, 0(%r15)
    .endm

    .section .boot, "ax", @progbits
    .globl boot, second_boot
boot:
    larl %r1, {stacks}
    prepare
    brasl %r14, kernel_main
    j .

second_boot:
    larl %r1, {prefix}
    st %r1, 512
    spx 512
    larl %r1, {stacks}
    agfi %r1, {stacks_size}
    prepare
    brasl %r14, second_prepare
    brasl %r14, second_main
    j .

    # Faults and external interrupts each have a place for registers, a word with the top of their stack, and a place for
    # the PSW to return by in the low memory of each CPU. The frame: from 160 on the general registers and the old PSW,
    # floating point control, and from 320 on the floating point registers.
    .text
    .globl program_interrupt
program_interrupt:
    stmg %r0, %r15, 896
    lg %r15, 768
    aghi %r15, -448
    mvc 160(128, %r15), 896
    mvc 288(16, %r15), 336
    lghi %r3, 0
    brasl %r14, handle
    mvc 896(128), 160(%r15)
    mvc 800(16), 288(%r15)
    lmg %r0, %r15, 896
    lpswe 800

    .globl external_interrupt
external_interrupt:
    stmg %r0, %r15, 1024
    lg %r15, 776
    aghi %r15, -448
    mvc 160(128, %r15), 1024
    mvc 288(16, %r15), 304
    lghi %r3, 1
    brasl %r14, handle
    mvc 1024(128), 160(%r15)
    mvc 816(16), 288(%r15)
    lmg %r0, %r15, 1024
    lpswe 816

handle:
    stg %r14, 312(%r15)
    std %f0, 320(%r15)
    std %f1, 328(%r15)
    std %f2, 336(%r15)
    std %f3, 344(%r15)
    std %f4, 352(%r15)
    std %f5, 360(%r15)
    std %f6, 368(%r15)
    std %f7, 376(%r15)
    std %f8, 384(%r15)
    std %f9, 392(%r15)
    std %f10, 400(%r15)
    std %f11, 408(%r15)
    std %f12, 416(%r15)
    std %f13, 424(%r15)
    std %f14, 432(%r15)
    std %f15, 440(%r15)
    stfpc 304(%r15)
    la %r2, 160(%r15)
    brasl %r14, trap
    lfpc 304(%r15)
    ld %f0, 320(%r15)
    ld %f1, 328(%r15)
    ld %f2, 336(%r15)
    ld %f3, 344(%r15)
    ld %f4, 352(%r15)
    ld %f5, 360(%r15)
    ld %f6, 368(%r15)
    ld %f7, 376(%r15)
    ld %f8, 384(%r15)
    ld %f9, 392(%r15)
    ld %f10, 400(%r15)
    ld %f11, 408(%r15)
    ld %f12, 416(%r15)
    ld %f13, 424(%r15)
    ld %f14, 432(%r15)
    ld %f15, 440(%r15)
    lg %r14, 312(%r15)
    br %r14

    .globl probe, probe_faulted
probe:
    stmg %r6, %r15, 48(%r15)
    aghi %r15, -224
    std %f8, 160(%r15)
    std %f9, 168(%r15)
    std %f10, 176(%r15)
    std %f11, 184(%r15)
    std %f12, 192(%r15)
    std %f13, 200(%r15)
    std %f14, 208(%r15)
    std %f15, 216(%r15)
    larl %r1, probe_stack
    stg %r15, 0(%r1)
    lgr %r1, %r2
    lgr %r2, %r3
    basr %r14, %r1
    lghi %r2, 0
2:
    ld %f8, 160(%r15)
    ld %f9, 168(%r15)
    ld %f10, 176(%r15)
    ld %f11, 184(%r15)
    ld %f12, 192(%r15)
    ld %f13, 200(%r15)
    ld %f14, 208(%r15)
    ld %f15, 216(%r15)
    lmg %r6, %r15, 272(%r15)
    br %r14
probe_faulted:
    larl %r1, probe_stack
    lg %r15, 0(%r1)
    lghi %r2, 1
    j 2b

    .bss
    .balign 8
probe_stack:
    .quad 0
