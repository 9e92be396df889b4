" Files of Medium IR.
autocmd BufRead,BufNewFile *.mir setfiletype mir
