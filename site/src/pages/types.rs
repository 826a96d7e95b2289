//! The types and attribute columns that a library registers when it is loaded.

use maud::{Markup, html};
use tvm_ffi_spec::abi::{Type, abi};

use crate::{
    frame::Page,
    parts::{heading, metadata, since},
    text::{name, prose},
};

pub fn page() -> Page {
    let body = html! {
        @for ty in &abi().types { (one(ty)) }
        @for column in &abi().attributes {
            (heading(&column.name))
            p { "An attribute column. " (since(&column.since)) }
            @if !column.entries.is_empty() {
                div.wide { table {
                    thead { tr { th { "type" } th { "value" } } }
                    tbody {
                        @for entry in &column.entries {
                            tr {
                                td { (name(&entry.type_key)) }
                                td {
                                    @match entry.value { Some(value) => (value), None => (name(&entry.kind)) }
                                    @if let Some(release) = &entry.since { " " (since(release)) }
                                }
                            }
                        }
                    }
                } }
            }
        }
    };
    Page::new("types.html", "Types and attribute columns", body)
}

fn one(ty: &Type) -> Markup {
    html! {
        (heading(&ty.key))
        p {
            @match ty.index {
                Some(index) => { "Type index " (index) },
                None => "Its index is given out when the library is loaded, from 128 on",
            }
            @if !ty.ancestors.is_empty() {
                ", below " @for (n, key) in ty.ancestors.iter().enumerate() { @if n > 0 { " › " } (name(key)) }
            }
            ". " (since(&ty.since))
        }
        @if let Some(known) = &ty.metadata {
            p { "An instance has " (known.size) " bytes" @if known.creator { ", and a function makes one" } "." }
        }
        @if !ty.fields.is_empty() {
            div.wide { table {
                thead { tr { th { "offset" } th { "size" } th { "field" } th { "what it is" } } }
                tbody {
                    @for field in &ty.fields {
                        tr {
                            td { (field.offset) }
                            td { (field.size) }
                            td { code { (field.name) } }
                            td { (member(&field.doc, field.since.as_deref(), &field.metadata)) }
                        }
                    }
                }
            } }
        }
        @if !ty.methods.is_empty() {
            div.wide { table {
                thead { tr { th { "method" } th { "what it does" } } }
                tbody {
                    @for method in &ty.methods {
                        tr {
                            td { code { (method.name) } }
                            td { (member(&method.doc, method.since.as_deref(), &method.metadata)) }
                        }
                    }
                }
            } }
        }
    }
}

/// What is told of a field or a method.
fn member(doc: &str, appeared: Option<&str>, text: &str) -> Markup {
    html! {
        (prose(doc))
        @if let Some(release) = appeared { " " (since(release)) }
        (metadata(text))
    }
}
