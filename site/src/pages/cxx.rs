//! The C++ symbols that clients link to.

use maud::html;
use tvm_ffi_spec::abi::abi;

use crate::{
    frame::Page,
    parts::{heading, since},
    text::{code, name},
};

pub fn page() -> Page {
    let body = html! {
        p { "A declaration is seen from within the namespace " code { "tvm::ffi" } "." }
        @for symbol in &abi().cxx_symbols {
            (heading(&symbol.name))
            pre { (code(&symbol.declaration)) }
            p {
                @if let Some(size) = symbol.size { "Data of " (size) " bytes. " }
                (since(&symbol.since))
                @if let Some(until) = &symbol.until { span.faint { ", until " (until) } }
                span.faint { ", capability " } (name(&symbol.capability))
            }
        }
    };
    Page::new("cxx.html", "C++ symbols", body)
}
