# x86_64: the entry by PVH in 32-bit protected mode, the way to long mode, handlers, and the second CPU's way from real
# mode. AT&T syntax.

    .section .note.pvh, "a", @note
    .balign 4
    .long 4, 8, 18
    .asciz "Xen"
    .quad boot32

    # One gibibyte mapped at its own address, to get to long mode; the kernel's own tables follow soon.
    .section .bss.boot_tables, "aw", @nobits
    .balign 4096
boot_tables:
    .space 3 * 4096

    .section .rodata.boot, "a", @progbits
    .balign 8
boot_gdt:
    .quad 0, 0x00af9b000000ffff, 0x00cf93000000ffff
boot_gdt_pointer:
    .short 23
    .long boot_gdt

    .section .boot, "ax", @progbits
    .code32
    .globl boot32
boot32:
    cld
    movl $boot_tables, %edi
    leal 0x1003(%edi), %eax
    movl %eax, (%edi)
    leal 0x2003(%edi), %eax
    movl %eax, 0x1000(%edi)
    leal 0x2000(%edi), %edx
    movl $0x83, %eax
2:  movl %eax, (%edx)
    addl $8, %edx
    addl $0x200000, %eax
    cmpl $0x40000083, %eax
    jb 2b
    movl %edi, %cr3
    # PAE, and SSE with its exceptions; long mode and no-execute; paging and write protection.
    movl $0x620, %eax
    movl %eax, %cr4
    movl $0xC0000080, %ecx
    xorl %edx, %edx
    movl $0x900, %eax
    wrmsr
    movl $0x80010013, %eax
    movl %eax, %cr0
    lgdt boot_gdt_pointer
    ljmpl $8, $boot64

    .code64
boot64:
    movw $16, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    leaq {stacks} + {main_top}(%rip), %rsp
    xorl %ebp, %ebp
    call kernel_main
    ud2

    # The second CPU starts here, copied to the page that the start-up message names, in real mode.
    .globl second_boot, second_boot_end, second_boot_tables
    .code16
second_boot:
    cli
    cld
    xorw %ax, %ax
    movw %ax, %ds
    lgdtl {page} + second_gdt_pointer - second_boot
    movl $0x620, %eax
    movl %eax, %cr4
    movl {page} + second_boot_tables - second_boot, %eax
    movl %eax, %cr3
    movl $0xC0000080, %ecx
    xorl %edx, %edx
    movl $0x900, %eax
    wrmsr
    movl $0x80010013, %eax
    movl %eax, %cr0
    ljmpl $8, $second64
    .balign 4
second_gdt_pointer:
    .short 23
    .long boot_gdt
second_boot_tables:
    .long 0
second_boot_end:

    .code64
second64:
    movw $16, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    leaq {stacks} + {stacks_size} + {main_top}(%rip), %rsp
    xorl %ebp, %ebp
    call second_prepare
    call second_main
    ud2

    .text
    # One entry of 16 bytes per vector; those that push no error code push 0 instead.
    .balign 16
    .globl vectors
vectors:
    .set vector, 0
    .rept 48
    .balign 16
    .if vector == 8 || (vector >= 10 && vector <= 14) || vector == 17
    .else
    pushq $0
    .endif
    pushq $vector
    jmp handler
    .set vector, vector + 1
    .endr

handler:
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rbx
    pushq %rbp
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    cld
    leaq 15 * 8(%rsp), %rdi
    subq $512, %rsp
    fxsave64 (%rsp)
    call trap
    fxrstor64 (%rsp)
    addq $512, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rbp
    popq %rbx
    popq %rdx
    popq %rcx
    popq %rax
    addq $16, %rsp
    iretq

    .globl probe, probe_faulted
probe:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    movq %rsp, probe_stack(%rip)
    movq %rdi, %rax
    movq %rsi, %rdi
    call *%rax
    xorl %eax, %eax
3:  addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
probe_faulted:
    movq probe_stack(%rip), %rsp
    movl $1, %eax
    jmp 3b

    .bss
    .balign 8
probe_stack:
    .quad 0
