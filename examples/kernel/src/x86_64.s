# QEMU enters at the address in the note, in 32-bit protected mode. The first gibibyte is mapped at its own address.
    .section .note.pvh, "a", @note; .balign 4
    .long 4, 8, 18; .asciz "Xen"; .quad entry
    .data; .balign 4096
tables: .quad directories + 3; .balign 4096; directories: .quad pages + 3; .balign 4096
pages: .set number, 0; .rept 512; .quad number << 21 | 0x83; .set number, number + 1; .endr
segments: .quad 0, 0x00AF9B000000FFFF; pointer: .short 15; .long segments
    .section .entry, "ax", @progbits; .code32; .globl entry
entry: movl $tables, %eax; movl %eax, %cr3
    movl $0x20, %eax; movl %eax, %cr4                           # physical address extension
    movl $0xC0000080, %ecx; xorl %edx, %edx; movl $0x100, %eax; wrmsr  # long mode
    movl $0x80000011, %eax; movl %eax, %cr0                     # paging
    lgdt pointer; ljmpl $8, $1f; .code64
1:  leaq stack_top(%rip), %rsp; call kernel
