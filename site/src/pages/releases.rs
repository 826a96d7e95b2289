//! The public releases, and the capabilities by which one is told from another.

use maud::html;
use tvm_ffi_spec::abi::abi;

use crate::{
    entries::anchor,
    frame::Page,
    parts::{heading, since},
    text::{name, prose},
};

pub fn page() -> Page {
    let abi = abi();
    let body = html! {
        div.wide { table {
            thead { tr { th { "release" } th { "date" } th { "claims" } th { "SHA-256 of the library" } } }
            tbody {
                @for release in abi.releases.iter().rev() {
                    tr id=(anchor(&release.name)) {
                        td { span.yanked[release.yanked] { (release.name) } @if release.yanked { " (yanked)" } }
                        td { (release.date) }
                        td { (release.claims) }
                        td { code { (release.library) } }
                    }
                }
            }
        } }
        @for capability in &abi.capabilities {
            (heading(&capability.name))
            p { (prose(&capability.doc)) " " (since(&capability.since)) }
            @let shown = [&capability.functions, &capability.globals, &capability.type_keys];
            @if shown.iter().any(|names| !names.is_empty()) {
                p { "Shown by " @for witness in shown.into_iter().flatten() { (name(witness)) " " } }
            }
            @if !capability.implied_by.is_empty() {
                p { "Vouched for by " @for later in &capability.implied_by { (name(later)) " " } }
            }
        }
    };
    Page::new("releases.html", "Releases and capabilities", body)
}
