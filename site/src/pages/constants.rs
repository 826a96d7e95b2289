//! The constants, in their groups.

use maud::html;
use tvm_ffi_spec::abi::abi;

use crate::{
    entries::anchor,
    frame::Page,
    parts::{formerly, heading, since},
    text::prose,
};

pub fn page() -> Page {
    let body = html! {
        @for group in &abi().enums {
            (heading(&group.name))
            p { (prose(&group.doc)) " " span.faint { "In " (group.header) ".h" @if group.macros { ", as macros" } } }
            div.wide { table {
                tbody {
                    @for constant in &group.constants {
                        tr id=(anchor(&constant.name)) {
                            td { code { (constant.name) } }
                            td { (constant.value) }
                            td { (prose(&constant.doc)) " " (since(&constant.since)) (formerly(&constant.formerly)) }
                        }
                    }
                }
            } }
        }
    };
    Page::new("constants.html", "Constants", body)
}
