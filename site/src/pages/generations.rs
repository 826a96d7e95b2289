//! The older generations of the ABI: what tells a library of each, and what it has otherwise than today's.

use maud::{Markup, html};
use tvm_ffi_spec::{
    abi::{Struct, declarator},
    clause::older_areas,
    generation::{Generation, generations},
};

use crate::{
    drawing::draw,
    entries::{GENERATIONS, anchor, area_page},
    frame::Page,
    parts::heading,
    text::{code, name, prose},
};

pub fn page() -> Page {
    let body = html! {
        p {
            "Real binaries still speak older generations of the ABI, which libraries and clients of today's do not understand. "
            "All other pages are about today's; what stands as there is only named here."
        }
        @for generation in generations().iter().filter(|each| !each.is_today()) { (one(generation)) }
    };
    Page::new(GENERATIONS, "Older generations", body)
}

fn one(generation: &Generation) -> Markup {
    let Generation { title, period, document, evidence, states, as_today, .. } = generation;
    let as_today = [&as_today.structs, &as_today.typedefs, &as_today.functions];
    html! {
        (heading(&generation.name))
        p { "Spoken by " (period) ": " (prose(title)) ". Described by " (prose(document)) "." }
        @for (area, _) in older_areas().iter().filter(|(area, _)| *area == generation.name) {
            p { a href=(area_page(area)) { "The clauses that it alone has" } }
        }
        p {
            "A library of it exports " @for each in &evidence.has { (name(each)) " " }
            @if !evidence.has_one.is_empty() { "and one of " @for each in &evidence.has_one { (name(each)) " " } }
            "and none of " @for each in &evidence.lacks { (name(each)) " " } ". " (prose(&evidence.doc))
        }
        @for state in states { p { "State " (state.name) ", from " (state.since) ": " (prose(&state.doc)) } }
        @if as_today.iter().any(|names| !names.is_empty()) {
            p { "As today: " @for each in as_today.into_iter().flatten() { (name(each)) " " } }
        }
        @for record in &generation.structs { (structure(record)) }
        @for function in &generation.functions {
            h3 id=(anchor(&function.name)) { code { (function.name) } }
            pre { (code(&format!("{};", function.declaration()))) }
            p {
                (prose(&function.doc)) " "
                span.faint { "since " (function.since) @if let Some(until) = &function.until { ", until " (until) } }
            }
        }
        @for group in &generation.enums {
            h3 { code { (group.name) } }
            div.wide { table { tbody {
                @for constant in &group.constants {
                    tr { td { code { (constant.name) } } td { (constant.value) } td { (prose(&constant.doc)) } }
                }
            } } }
        }
    }
}

fn structure(record: &Struct) -> Markup {
    html! {
        h3 { code { (record.name) } }
        p { (prose(&record.doc)) }
        (draw(record))
        div.wide { table { tbody {
            @for field in &record.fields {
                tr { td { (field.offset.0) } td { (code(&declarator(&field.ty, &field.name))) } td { (prose(&field.doc)) } }
            }
        } } }
    }
}
