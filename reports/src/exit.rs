//! Exit codes of `tvm-ffi-verify`. They never change their meaning.

/// The target conforms: something was decided, and nothing that was decided is broken but for known failures. Clients find what
/// they need. Nothing differs that counts.
pub const CONFORMS: u8 = 0;
/// The target does not conform, a client does not find what it needs, or something differs that counts.
pub const DOES_NOT_CONFORM: u8 = 1;
/// The command line or one of its inputs is wrong; nothing is said about the target.
pub const USAGE: u8 = 2;
/// The harness failed, so the run cannot be trusted either way.
pub const HARNESS_FAILED: u8 = 3;
/// There is nothing to tell: no check decided anything, as none was selected or none is applicable; a list is empty; or no file
/// has to do with the library.
pub const NOTHING_RAN: u8 = 4;
/// The run was interrupted, so what it says is not all that there is to say.
pub const INTERRUPTED: u8 = 5;
