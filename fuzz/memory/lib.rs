//! A place for the test of the memory that rules take, which builds `domain` alone.
