; test import
; error: the text is for wasm32-unknown-unknown
target triple = "wasm32-unknown-unknown"
