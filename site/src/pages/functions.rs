//! The exported functions.

use maud::html;
use tvm_ffi_spec::{abi::abi, clause::clauses};

use crate::{
    frame::Page,
    parts::{declaration, heading, since},
    text::name,
};

pub fn page() -> Page {
    let body = html! {
        @for function in &abi().functions {
            (heading(&function.name))
            (declaration(&format!("{};", function.declaration()), &function.doc))
            p { (since(&function.since)) span.faint { ", in " (function.header) ".h, capability " } (name(&function.capability)) }
            @let about: Vec<_> = clauses().filter(|clause| names(&clause.text, &function.name)).collect();
            @if !about.is_empty() {
                p { "Clauses that name it: " @for clause in about { (name(&clause.id)) " " } }
            }
        }
    };
    Page::new("functions.html", "Functions", body)
}

/// Whether a sentence names a function, and not one whose name begins alike.
fn names(text: &str, function: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == function)
}
