" Medium IR. Instructions and directives are known by their place, as in the language, so there is no list of them.
if exists('b:current_syntax')
  finish
endif

syntax match mirInstruction /\v[a-z][a-z0-9_]*>/ contained
syntax match mirDirective /\v<%(module|endmodule|func|endfunc|proto|import|export|forward|local|global|bss|ref|lref|expr|string)>/ contained
syntax match mirLabel /\v[A-Za-z_$%.][A-Za-z0-9_$%.]*:/ contained nextgroup=mirInstruction,mirDirective,mirLabel skipwhite
" A type before a variable, a memory operand or a result.
syntax match mirType /\v<%([iu]%(8|16|32|64)|f|d|ld|p|blk[0-4]?|rblk)>\ze\s*[:,]|<%([iu]%(8|16|32|64)|ld|rblk)>/
syntax match mirNumber /\v[-+]?<%(0[xX][0-9A-Fa-f_]+|\d[0-9_]*%(\.\d*)?%([eE][-+]?\d+)?)[fl]?>/
syntax region mirString start=/"/ skip=/\\./ end=/"/ oneline contains=mirEscape
syntax match mirEscape /\v\\%([ntvabrf\\'"]|\o{1,3}|x\x\x)/ contained
syntax match mirComment /#.*$/ contains=@Spell
" A statement: labels, then its first word. It comes last, which gives it the first say.
syntax match mirStatement /\v%(^|;)\s*/ nextgroup=mirInstruction,mirDirective,mirLabel

highlight default link mirInstruction Function
highlight default link mirDirective Keyword
highlight default link mirLabel Label
highlight default link mirType Type
highlight default link mirNumber Number
highlight default link mirString String
highlight default link mirEscape SpecialChar
highlight default link mirComment Comment

setlocal commentstring=#\ %s
let b:current_syntax = 'mir'
