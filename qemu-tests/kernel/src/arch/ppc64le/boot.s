# ppc64le: the entry of both CPUs in either byte order, and handlers in real mode.

    # Code that runs in either byte order: what is a trap never taken in ours is a branch over the next word in the
    # other, and leads to code that changes the order (spelled in bytes: mfmsr 11; xori 11,11,1; bcl 20,31,.+4;
    # mflr 10; addi 10,10,20; mtsrr0 10; mtsrr1 11; rfid).
    .macro either_order
    tdi 0, 0, 0x48
    b . + 36
    .byte 0x7d,0x60,0x00,0xa6, 0x69,0x6b,0x00,0x01, 0x42,0x9f,0x00,0x05, 0x7d,0x48,0x02,0xa6
    .byte 0x39,0x4a,0x00,0x14, 0x7d,0x5a,0x03,0xa6, 0x7d,0x7b,0x03,0xa6, 0x4c,0x00,0x00,0x24
    .endm

    # 64-bit mode, floating point and vectors on.
    .macro prepare stacks
    li 3, 1
    sldi 3, 3, 63
    mfmsr 4
    or 3, 3, 4
    oris 3, 3, 0x280
    ori 3, 3, 0x2000
    mtmsrd 3
    isync
    lis 2, .TOC.@ha
    addi 2, 2, .TOC.@l
    lis 3, (\stacks + {faults_top})@ha
    addi 3, 3, (\stacks + {faults_top})@l
    mtsprg 2, 3
    lis 1, (\stacks + {main_top})@ha
    addi 1, 1, (\stacks + {main_top})@l
    li 0, 0
    stdu 0, -112(1)
    .endm

    .section .boot, "ax", @progbits
    .globl boot, second_boot
boot:
    either_order
    prepare {stacks}
    bl kernel_main
    nop
    trap

    .balign 4
second_boot:
    either_order
    prepare ({stacks} + {stacks_size})
    bl second_prepare
    nop
    bl second_main
    nop
    trap

    # The vectors put r1 and r0 into SPRG0 and 1 and their number into r0. The frame: a minimum frame of C; from 112 on
    # r0 to r31, LR, CTR, XER, CR, SRR0, SRR1, DAR, DSISR, vector, FPSCR; from 448 on the vector registers that C may change.
    .text
    .balign 4
    .globl handler
handler:
    mfsprg 1, 2
    addi 1, 1, -1024
    std 0, 432(1)
    std 2, 128(1)
    std 3, 136(1)
    std 4, 144(1)
    std 5, 152(1)
    std 6, 160(1)
    std 7, 168(1)
    std 8, 176(1)
    std 9, 184(1)
    std 10, 192(1)
    std 11, 200(1)
    std 12, 208(1)
    std 13, 216(1)
    std 14, 224(1)
    std 15, 232(1)
    std 16, 240(1)
    std 17, 248(1)
    std 18, 256(1)
    std 19, 264(1)
    std 20, 272(1)
    std 21, 280(1)
    std 22, 288(1)
    std 23, 296(1)
    std 24, 304(1)
    std 25, 312(1)
    std 26, 320(1)
    std 27, 328(1)
    std 28, 336(1)
    std 29, 344(1)
    std 30, 352(1)
    std 31, 360(1)
    mfsprg 3, 0
    std 3, 120(1)
    mfsprg 3, 1
    std 3, 112(1)
    mflr 3
    std 3, 368(1)
    mfctr 3
    std 3, 376(1)
    mfxer 3
    std 3, 384(1)
    mfcr 3
    std 3, 392(1)
    mfsrr0 3
    std 3, 400(1)
    mfsrr1 3
    std 3, 408(1)
    mfdar 3
    std 3, 416(1)
    mfdsisr 3
    std 3, 424(1)
    mfmsr 3
    oris 3, 3, 0x280
    ori 3, 3, 0x2000
    mtmsrd 3
    isync
    li 4, 448
    stxvd2x 0, 4, 1
    li 4, 464
    stxvd2x 1, 4, 1
    li 4, 480
    stxvd2x 2, 4, 1
    li 4, 496
    stxvd2x 3, 4, 1
    li 4, 512
    stxvd2x 4, 4, 1
    li 4, 528
    stxvd2x 5, 4, 1
    li 4, 544
    stxvd2x 6, 4, 1
    li 4, 560
    stxvd2x 7, 4, 1
    li 4, 576
    stxvd2x 8, 4, 1
    li 4, 592
    stxvd2x 9, 4, 1
    li 4, 608
    stxvd2x 10, 4, 1
    li 4, 624
    stxvd2x 11, 4, 1
    li 4, 640
    stxvd2x 12, 4, 1
    li 4, 656
    stxvd2x 13, 4, 1
    li 4, 672
    stxvd2x 32, 4, 1
    li 4, 688
    stxvd2x 33, 4, 1
    li 4, 704
    stxvd2x 34, 4, 1
    li 4, 720
    stxvd2x 35, 4, 1
    li 4, 736
    stxvd2x 36, 4, 1
    li 4, 752
    stxvd2x 37, 4, 1
    li 4, 768
    stxvd2x 38, 4, 1
    li 4, 784
    stxvd2x 39, 4, 1
    li 4, 800
    stxvd2x 40, 4, 1
    li 4, 816
    stxvd2x 41, 4, 1
    li 4, 832
    stxvd2x 42, 4, 1
    li 4, 848
    stxvd2x 43, 4, 1
    li 4, 864
    stxvd2x 44, 4, 1
    li 4, 880
    stxvd2x 45, 4, 1
    li 4, 896
    stxvd2x 46, 4, 1
    li 4, 912
    stxvd2x 47, 4, 1
    li 4, 928
    stxvd2x 48, 4, 1
    li 4, 944
    stxvd2x 49, 4, 1
    li 4, 960
    stxvd2x 50, 4, 1
    li 4, 976
    stxvd2x 51, 4, 1
    mffs 0
    stfd 0, 440(1)
    li 3, 0
    std 3, 0(1)
    lis 2, .TOC.@ha
    addi 2, 2, .TOC.@l
    addi 3, 1, 368
    bl trap_taken
    nop
    lfd 0, 440(1)
    mtfsf 0xFF, 0
    li 4, 448
    lxvd2x 0, 4, 1
    li 4, 464
    lxvd2x 1, 4, 1
    li 4, 480
    lxvd2x 2, 4, 1
    li 4, 496
    lxvd2x 3, 4, 1
    li 4, 512
    lxvd2x 4, 4, 1
    li 4, 528
    lxvd2x 5, 4, 1
    li 4, 544
    lxvd2x 6, 4, 1
    li 4, 560
    lxvd2x 7, 4, 1
    li 4, 576
    lxvd2x 8, 4, 1
    li 4, 592
    lxvd2x 9, 4, 1
    li 4, 608
    lxvd2x 10, 4, 1
    li 4, 624
    lxvd2x 11, 4, 1
    li 4, 640
    lxvd2x 12, 4, 1
    li 4, 656
    lxvd2x 13, 4, 1
    li 4, 672
    lxvd2x 32, 4, 1
    li 4, 688
    lxvd2x 33, 4, 1
    li 4, 704
    lxvd2x 34, 4, 1
    li 4, 720
    lxvd2x 35, 4, 1
    li 4, 736
    lxvd2x 36, 4, 1
    li 4, 752
    lxvd2x 37, 4, 1
    li 4, 768
    lxvd2x 38, 4, 1
    li 4, 784
    lxvd2x 39, 4, 1
    li 4, 800
    lxvd2x 40, 4, 1
    li 4, 816
    lxvd2x 41, 4, 1
    li 4, 832
    lxvd2x 42, 4, 1
    li 4, 848
    lxvd2x 43, 4, 1
    li 4, 864
    lxvd2x 44, 4, 1
    li 4, 880
    lxvd2x 45, 4, 1
    li 4, 896
    lxvd2x 46, 4, 1
    li 4, 912
    lxvd2x 47, 4, 1
    li 4, 928
    lxvd2x 48, 4, 1
    li 4, 944
    lxvd2x 49, 4, 1
    li 4, 960
    lxvd2x 50, 4, 1
    li 4, 976
    lxvd2x 51, 4, 1
    ld 3, 368(1)
    mtlr 3
    ld 3, 376(1)
    mtctr 3
    ld 3, 384(1)
    mtxer 3
    ld 3, 392(1)
    mtcr 3
    ld 3, 400(1)
    mtsrr0 3
    ld 3, 408(1)
    lis 4, 0x783F
    andc 3, 3, 4
    mtsrr1 3
    ld 0, 112(1)
    ld 2, 128(1)
    ld 3, 136(1)
    ld 4, 144(1)
    ld 5, 152(1)
    ld 6, 160(1)
    ld 7, 168(1)
    ld 8, 176(1)
    ld 9, 184(1)
    ld 10, 192(1)
    ld 11, 200(1)
    ld 12, 208(1)
    ld 13, 216(1)
    ld 14, 224(1)
    ld 15, 232(1)
    ld 16, 240(1)
    ld 17, 248(1)
    ld 18, 256(1)
    ld 19, 264(1)
    ld 20, 272(1)
    ld 21, 280(1)
    ld 22, 288(1)
    ld 23, 296(1)
    ld 24, 304(1)
    ld 25, 312(1)
    ld 26, 320(1)
    ld 27, 328(1)
    ld 28, 336(1)
    ld 29, 344(1)
    ld 30, 352(1)
    ld 31, 360(1)
    ld 1, 120(1)
    rfid

    .globl probe, probe_faulted
    .type probe, @function
    .type probe_faulted, @function
probe:
    addis 2, 12, .TOC. - probe@ha
    addi 2, 2, .TOC. - probe@l
    .localentry probe, . - probe
    mflr 0
    std 0, 16(1)
    stdu 1, -208(1)
    std 2, 24(1)
    std 14, 48(1)
    std 15, 56(1)
    std 16, 64(1)
    std 17, 72(1)
    std 18, 80(1)
    std 19, 88(1)
    std 20, 96(1)
    std 21, 104(1)
    std 22, 112(1)
    std 23, 120(1)
    std 24, 128(1)
    std 25, 136(1)
    std 26, 144(1)
    std 27, 152(1)
    std 28, 160(1)
    std 29, 168(1)
    std 30, 176(1)
    std 31, 184(1)
    mfcr 0
    std 0, 192(1)
    lis 5, probe_stack@ha
    std 1, probe_stack@l(5)
    mr 12, 3
    mtctr 12
    mr 3, 4
    bctrl
    ld 2, 24(1)
    li 3, 0
3:
    ld 14, 48(1)
    ld 15, 56(1)
    ld 16, 64(1)
    ld 17, 72(1)
    ld 18, 80(1)
    ld 19, 88(1)
    ld 20, 96(1)
    ld 21, 104(1)
    ld 22, 112(1)
    ld 23, 120(1)
    ld 24, 128(1)
    ld 25, 136(1)
    ld 26, 144(1)
    ld 27, 152(1)
    ld 28, 160(1)
    ld 29, 168(1)
    ld 30, 176(1)
    ld 31, 184(1)
    ld 0, 192(1)
    mtcr 0
    addi 1, 1, 208
    ld 0, 16(1)
    mtlr 0
    blr
probe_faulted:
    lis 5, probe_stack@ha
    ld 1, probe_stack@l(5)
    ld 2, 24(1)
    li 3, 1
    b 3b

    .bss
    .balign 8
probe_stack:
    .quad 0
