//! Programs of any calls in any order: no program harms the reference, and it does what the release does.

use bolero::check;
use tvm_ffi_fuzz::program::lockstep::Lockstep;
use tvm_ffi_verify::side_by_side;

/// Under a fuzzing engine programs run in its own process, where it sees which code they reach; otherwise each in one of
/// its own, so that what ends it is an answer, too.
fn run(lockstep: &Lockstep, bytes: &[u8]) {
    if cfg!(fuzzing) { lockstep.run(bytes) } else { lockstep.run_apart(bytes) }
}

#[test]
fn no_program_harms_the_reference() {
    let lockstep = Lockstep::new(&[side_by_side::reference()]);
    check!().with_max_len(560).for_each(|bytes: &[u8]| run(&lockstep, bytes));
}

#[test]
fn the_reference_does_what_the_release_does() {
    let Some(release) = side_by_side::release() else { return };
    let lockstep = Lockstep::new(&[side_by_side::reference(), release]);
    check!().with_max_len(560).for_each(|bytes: &[u8]| run(&lockstep, bytes));
}
