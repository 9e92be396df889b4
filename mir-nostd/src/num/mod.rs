//! Arithmetic and decimal text of every floating format.
