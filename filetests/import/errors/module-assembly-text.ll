; test import
; error: 3:1: assembly cannot be expressed in Medium IR: `.globl f`
module asm ".globl f"
