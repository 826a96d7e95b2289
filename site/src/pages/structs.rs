//! The structs, each drawn as it lies in memory, and the other names of C types.

use maud::{Markup, html};
use tvm_ffi_spec::abi::{Struct, abi, declarator};

use crate::{
    drawing::draw,
    entries::anchor,
    frame::Page,
    parts::{declaration, formerly, heading, since},
    text::{code, prose},
};

pub fn page() -> Page {
    let body = html! {
        p { "Numbers are bytes on 64-bit machines, and in brackets on 32-bit machines. Names between bars lie in the same bytes." }
        @for record in &abi().structs { (one(record)) }
        @for typedef in &abi().typedefs {
            (heading(&typedef.name))
            (declaration(&format!("typedef {};", declarator(&typedef.ty, &typedef.name)), &typedef.doc))
            p { (since(&typedef.since)) span.faint { ", in " (typedef.header) ".h" } }
        }
    };
    Page::new("structs.html", "Structs and other C types", body)
}

fn one(record: &Struct) -> Markup {
    html! {
        (heading(&record.name))
        p { (prose(&record.doc)) }
        p {
            "Size " (both(record.size)) ", alignment " (both(record.align)) ". "
            (since(&record.since)) span.faint { ", in " (record.header) ".h" }
        }
        (formerly(&record.formerly))
        (draw(record))
        div.wide { table {
            thead { tr { th { "offset" } th { "size" } th { "field" } th { "what it is" } } }
            tbody {
                @for field in &record.fields {
                    tr id=(anchor(&format!("{}.{}", record.name, field.name))) {
                        td { (both(field.offset)) }
                        td { (both(field.size)) }
                        td { (code(&declarator(&field.ty, &field.name))) }
                        td {
                            (prose(&field.doc))
                            @if let Some(release) = &field.since { " " (since(release)) }
                            (formerly(&field.formerly))
                        }
                    }
                }
            }
        } }
    }
}

/// A number on 64-bit machines, and on 32-bit machines where it differs.
fn both((wide, narrow): (u32, u32)) -> String {
    if wide == narrow { wide.to_string() } else { format!("{wide} ({narrow})") }
}
