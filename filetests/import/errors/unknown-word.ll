; test import
; error: 3:1: `definee` begins nothing that a module has
definee void @f()
