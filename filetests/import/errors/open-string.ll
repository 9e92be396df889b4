; test import
; error: 3:19: the string does not end
source_filename = "abc
