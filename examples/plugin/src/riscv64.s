# The entry on QEMU's `virt` without firmware, in machine mode.
    .section .entry, "ax", @progbits
    .globl entry
entry:
    la sp, stack_top
    call kernel
