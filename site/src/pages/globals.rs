//! The global functions that a library registers when it is loaded.

use maud::html;
use tvm_ffi_spec::abi::abi;

use crate::{
    frame::Page,
    parts::{heading, metadata, since},
    text::code,
};

pub fn page() -> Page {
    let body = html! {
        p { "A signature is as errors about arguments print it; a function that is " code { "packed" } " tells none." }
        @for global in &abi().globals {
            (heading(&global.name))
            p { (code(&global.signature)) }
            p { (since(&global.since)) }
            (metadata(&global.metadata))
        }
    };
    Page::new("globals.html", "Global functions", body)
}
