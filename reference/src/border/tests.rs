//! Errors on both sides of the border.

use std::slice;

use rstest::rstest;

use tvm_ffi_spec::{TVMFFIByteArray, TVMFFIErrorCell};

use super::{
    error::{Error, ErrorObject, Result},
    error_object::new_object,
    guard::guard,
    raised::{set_raised, take_raised},
};
use crate::{
    object::TypedRef,
    value::{any::Any, text},
};

fn cell(error: &ErrorObject) -> &TVMFFIErrorCell {
    // SAFETY: every error begins with its cell.
    unsafe { error.data() }
}

fn text(array: TVMFFIByteArray) -> String {
    // SAFETY: every text of an error ends with a NUL that does not count.
    let bytes = unsafe { slice::from_raw_parts(array.data.cast::<u8>(), array.size + 1) };
    assert_eq!(bytes.last(), Some(&0));
    String::from_utf8(bytes[..array.size].to_vec()).unwrap()
}

fn taken() -> (String, String) {
    let error = take_raised().unwrap();
    (text(cell(&error).kind), text(cell(&error).message))
}

#[rstest]
#[case::replace(0, "new", "new")]
#[case::append(1, "new", "oldnew")]
#[case::append_nothing(1, "", "old")]
#[case::replace_by_nothing(0, "", "")]
fn a_backtrace_is_replaced_or_extended(#[case] mode: i32, #[case] update: &str, #[case] expected: &str) {
    let error = new_object(b"K", b"M", b"old", None, None).unwrap();
    let update = TVMFFIByteArray::new(update.as_bytes());
    // SAFETY: the error is alive and nobody else reads it.
    unsafe { cell(&error).update_backtrace.unwrap()(error.handle(), &update, mode) };
    assert_eq!(text(cell(&error).backtrace), expected);
    assert_eq!((text(cell(&error).kind), text(cell(&error).message)), ("K".into(), "M".into()));
}

#[test]
fn a_backtrace_may_be_extended_by_itself() {
    let error = new_object(b"K", b"M", b"twice ", None, None).unwrap();
    let own = cell(&error).backtrace;
    // SAFETY: the error is alive and nobody else reads it.
    unsafe { cell(&error).update_backtrace.unwrap()(error.handle(), &own, 1) };
    assert_eq!(text(cell(&error).backtrace), "twice twice ");
}

#[test]
fn cause_and_context_are_owned() {
    let cause = new_object(b"K", b"cause", b"", None, None).unwrap();
    let context = text::string_object(b"context").unwrap().into_object();
    let error = new_object(b"K", b"M", b"", Some(cause.clone()), Some(context.clone())).unwrap();
    assert_eq!(cell(&error).cause_chain, cause.handle());
    assert!(!cause.is_unique() && !context.is_unique());
    drop(error);
    assert!(cause.is_unique() && context.is_unique());
}

#[test]
fn the_border_reports_errors_and_panics() {
    assert_eq!(guard(|| Ok(())), 0);
    assert_eq!(guard(|| Err(Error::new("ValueError", "no"))), -1);
    assert_eq!(taken(), ("ValueError".into(), "no".into()));
    assert_eq!(guard(|| panic!("at the {}", "disco")), -1);
    assert_eq!(taken(), ("InternalError".into(), "at the disco".into()));
}

#[test]
fn results_are_small() {
    assert_eq!((size_of::<Result<()>>(), size_of::<Result<i64>>(), size_of::<Result<Any>>()), (8, 16, 24));
}

#[test]
fn what_a_callee_has_raised_stays() {
    Error::new("IndexError", "first").raise();
    assert_eq!(guard(|| Err(Error::raised())), -1);
    assert_eq!(taken(), ("IndexError".into(), "first".into()));
    assert_eq!(guard(|| Err(Error::raised())), -1);
    assert_eq!(taken().0, "InternalError");
}

#[test]
fn an_error_becomes_an_object_beside_the_raised_one() {
    Error::new("IndexError", "raised").raise();
    let object = Error::new("ValueError", "object").into_object();
    assert_eq!((object.kind(), object.message()), (&b"ValueError"[..], &b"object"[..]));
    assert_eq!(taken(), ("IndexError".into(), "raised".into()));
}

#[test]
fn the_slot_belongs_to_its_thread_and_ends_with_it() {
    let error = new_object(b"K", b"M", b"", None, None).unwrap();
    set_raised(Some(error.clone()));
    let mine = error.clone();
    std::thread::spawn(move || {
        assert!(take_raised().is_none());
        set_raised(Some(mine));
    })
    .join()
    .unwrap();
    assert_eq!(take_raised().unwrap().handle(), error.handle());
    assert!(error.is_unique());
}
