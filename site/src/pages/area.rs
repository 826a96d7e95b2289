//! The clauses of one area.

use maud::{Markup, html};
use tvm_ffi_spec::clause::{Area, Clause};

use crate::{
    entries::area_page,
    frame::Page,
    parts::{heading, since},
    text::{code, name, prose},
};

pub fn page(name: &str, area: &Area) -> Page {
    let body = html! { @for clause in &area.clauses { (one(clause)) } };
    Page::new(&area_page(name), &area.title, body)
}

fn one(clause: &Clause) -> Markup {
    html! {
        (heading(&clause.id))
        p { span class=(clause.level) { (clause.level) } " " (prose(&clause.text)) }
        p { "Otherwise: " (prose(&clause.why)) }
        p.faint {
            "Basis: " (clause.basis)
            @if let Some(client) = &clause.client { " (" (prose(client)) ")" }
            ". Source: " (prose(&clause.source))
        }
        p {
            (since(&clause.since))
            @if let Some(until) = &clause.until { span.faint { ", until " (until) } }
            span.faint { ", capability " } (name(&clause.capability))
            @if let Some(end) = &clause.ended_by { span.faint { ", ended by " } (name(end)) }
        }
        @if let Some(program) = clause.program() {
            details { summary { "example in C" } pre { (code(&program)) } }
        }
    }
}
