/* Begins `main` on QEMU's riscv64 machine `virt`, without firmware, and leaves QEMU with what it returns as its exit status. */
        .section .text.entry, "ax"
        .globl  entry
entry:  csrr    t0, mhartid
        bnez    t0, wait                /* one processor is enough */
        li      t0, 0x2000              /* mstatus.FS: floating-point instructions are allowed */
        csrs    mstatus, t0
        la      sp, stack_top
        call    main
        slli    a0, a0, 16
        li      t0, 0x3333              /* the test device: exit with the status in the upper half */
        or      a0, a0, t0
        li      t1, 0x100000
        sw      a0, 0(t1)
wait:   wfi
        j       wait
