//! The clauses of one area.

use maud::{Markup, html};
use tvm_ffi_spec::clause::{Area, Clause};

use crate::{
    entries::area_page,
    frame::Page,
    parts::{heading, since},
    text::{code, name, prose},
};

/// Where an example stands on its own before `main`.
const BEFORE_MAIN: &str = "\n---\n";

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
        @if let Some(example) = &clause.example {
            details { summary { "example in C" } pre { (code(&program(example))) } }
        }
    }
}

/// The example as it stands in a file.
fn program(example: &str) -> String {
    let (before, main) = example.split_once(BEFORE_MAIN).unwrap_or(("", example));
    let indented: String = main.trim().lines().map(|line| format!("  {line}\n").replace("  \n", "\n")).collect();
    let before = before.trim();
    format!("{before}{}int main(void) {{\n{indented}}}", if before.is_empty() { "" } else { "\n\n" })
}
