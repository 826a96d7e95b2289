//! JSON: texts, and the form in which graphs of objects are kept as JSON values.

pub mod base64;
pub mod from_graph;
pub mod parse;
mod plain;
pub mod stringify;
pub mod to_graph;

pub use from_graph::from_graph;
pub use parse::parse;
pub use stringify::stringify;
pub use to_graph::to_graph;

use crate::{
    border::error::Result,
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    value::{any::Any, text},
};

/// The functions of this subject.
pub const GLOBALS: &[Row] = &[
    row("ffi.json.Parse(0: str) -> Any", |args| parse(args.str(0)?)),
    row("ffi.json.Stringify(0: Any, 1: Optional<int>) -> str", |args| {
        let indent = args.optional_int(1)?;
        text_of(&args.any(0).to_owned()?, indent)
    }),
    row("ffi.ToJSONGraph(0: Any, 1: Any) -> Any", graph_of),
    row("ffi.ToJSONGraphString(0: Any, 1: Any) -> str", |args| text_of(&graph_of(args)?, None)),
    row("ffi.FromJSONGraph(0: Any) -> Any", |args| from_graph(&args.any(0).to_owned()?)),
    row("ffi.FromJSONGraphString(0: str) -> Any", |args| from_graph(&parse(args.str(0)?)?)),
];

fn text_of(value: &Any, indent: Option<i64>) -> Result<Any> {
    text::string_object(&stringify(value, indent)?).map(Any::from)
}

fn graph_of(args: &Arguments<'_>) -> Result<Any> {
    to_graph(args.any(0).to_owned()?, &args.any(1).to_owned()?)
}
