//! The global functions that walk.

use super::{compare, deep_copy::deep_copy, hash::recursive_hash, repr::repr};
use crate::{
    function::row::{Row, row},
    value::{any::Any, text},
};

/// Functions of this subject.
pub const GLOBALS: &[Row] = &[
    row("ffi.DeepCopy(0: Any) -> Any", |args| deep_copy(&args.any(0).to_owned()?)),
    row("ffi.ReprPrint(0: Any) -> str", |args| text::string(&repr(&args.any(0).to_owned()?)?)),
    row("ffi.RecursiveHash(0: Any) -> int", |args| Ok(recursive_hash(&args.any(0).to_owned()?)?.into())),
];

/// The five comparisons.
pub const COMPARISONS: &[Row] = &[
    row("ffi.RecursiveEq(0: Any, 1: Any) -> bool", |args| {
        compare::equal(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(Any::from)
    }),
    row("ffi.RecursiveLt(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order < 0).into())
    }),
    row("ffi.RecursiveLe(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order <= 0).into())
    }),
    row("ffi.RecursiveGt(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order > 0).into())
    }),
    row("ffi.RecursiveGe(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order >= 0).into())
    }),
];
