# riscv64: the header of the file, which no tool writes for this ISA, and the entry.

    # The numbers are those of Microsoft's "PE Format"; names in capitals stand for numbers of
    # riscv64.ld. What is at an offset in the file is there in memory too.
    .section .header, "a", @progbits
    # What remains of MS-DOS has the format's name, and the offset of what follows.
    .ascii "MZ"
    .zero 58
    .4byte 64

    # The file header says: RISC-V of 64 bits, two sections, no symbols; an executable that may lie
    # anywhere.
    .ascii "PE\0\0"
    .2byte 0x5064, 2
    .4byte 0, 0, 0
    .2byte sections - optional, 0x22

    # The optional header, PE32+, begins with the bytes of code, of data and of what is not in the
    # file, the entry, and where the code starts.
optional:
    .2byte 0x20B, 0
    .4byte CODE_BYTES, DATA_BYTES, 0, START, CODE
    # Then come the address to prefer, alignments in memory and in the file, versions.
    .8byte 0
    .4byte 4096, 4096, 0, 0, 0, 0
    # The bytes of all and of what comes before the sections follow, no checksum, and the kind: an
    # EFI application.
    .4byte IMAGE_BYTES, CODE, 0
    .2byte 10, 0
    # The firmware decides on stack and heap. Of six tables none is there: the last would have it
    # relocate the image, which the entry does.
    .8byte 0, 0, 0, 0
    .4byte 0, 6
    .8byte 0, 0, 0, 0, 0, 0

    # A section has a name, bytes and start in memory, bytes and start in the file, nothing that
    # objects have, and flags.
sections:
    .ascii ".text\0\0\0"
    .4byte CODE_BYTES, CODE, CODE_BYTES, CODE, 0, 0, 0, 0x60000020
    .ascii ".data\0\0\0"
    .4byte DATA_BYTES, DATA, DATA_BYTES, DATA, 0, 0, 0, 0xC0000040

    # The firmware enters with the image's handle in a0 and the system table in a1, which Rust gets.
    # Before, the floating registers are turned on (sstatus.FS), which U-Boot in M-mode has not
    # done, and each relocation (place, type, offset) puts the address of what is at the offset in
    # its place. All are of type R_RISCV_RELATIVE; if not, the application ends with EFI_LOAD_ERROR.
    .section .text.start, "ax", @progbits
    .globl start
start:
    li t0, 0x2000
    csrs sstatus, t0
    lla t0, image
    lla t1, relocations
    lla t2, relocations_end
    li t3, 3
1:  bgeu t1, t2, 2f
    ld t4, 8(t1)
    bne t4, t3, 3f
    ld t4, 0(t1)
    ld t5, 16(t1)
    add t4, t4, t0
    add t5, t5, t0
    sd t5, 0(t4)
    addi t1, t1, 24
    j 1b
2:  tail {main}
3:  li a0, 0x8000000000000001
    ret
