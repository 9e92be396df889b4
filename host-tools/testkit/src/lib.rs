//! What the tests share: failing allocators, generators, oracles, the file-test runner.
