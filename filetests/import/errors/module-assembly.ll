; test import
; error: 3:1: assembly cannot be expressed in Medium IR
module asm "nop"
