//! The ppc64le backend of mir-nostd.
#![no_std]
#![deny(unsafe_code)]
