//! The global functions that walk.

use super::{compare, deep_copy::deep_copy, hash::recursive_hash, repr::repr};
use crate::{
    border::error::Result,
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    value::{
        any::{Any, AnyView},
        text,
    },
};

/// Functions of this subject.
pub const GLOBALS: &[Row] = &[
    row("ffi.DeepCopy(0: Any) -> Any", |args| deep_copy(&args.any(0).to_owned()?)),
    row("ffi.ReprPrint(0: Any) -> str", |args| text::string(&repr(&args.any(0).to_owned()?)?)),
    row("ffi.RecursiveHash(0: Any) -> int", |args| {
        let value = &mut Any::default();
        Ok(recursive_hash(args.keepable(0, value)?)?.into())
    }),
];

/// The five comparisons.
pub const COMPARISONS: &[Row] = &[
    row("ffi.RecursiveEq(0: Any, 1: Any) -> bool", |args| with_sides(args, compare::equal).map(Any::from)),
    row("ffi.RecursiveLt(0: Any, 1: Any) -> bool", |args| order(args).map(|order| (order < 0).into())),
    row("ffi.RecursiveLe(0: Any, 1: Any) -> bool", |args| order(args).map(|order| (order <= 0).into())),
    row("ffi.RecursiveGt(0: Any, 1: Any) -> bool", |args| order(args).map(|order| (order > 0).into())),
    row("ffi.RecursiveGe(0: Any, 1: Any) -> bool", |args| order(args).map(|order| (order >= 0).into())),
];

fn order(args: &Arguments<'_>) -> Result<i64> {
    with_sides(args, compare::order)
}

fn with_sides<T>(args: &Arguments<'_>, compare: fn(&AnyView<'_>, &AnyView<'_>) -> Result<T>) -> Result<T> {
    let (lhs, rhs) = (&mut Any::default(), &mut Any::default());
    compare(args.keepable(0, lhs)?, args.keepable(1, rhs)?)
}
