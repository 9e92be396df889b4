//! The s390x backend of mir-nostd.
#![no_std]
#![deny(unsafe_code)]
