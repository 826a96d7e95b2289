//! What the documents promise, and the clauses that decide it.

use maud::html;
use tvm_ffi_spec::promise::{DOCUMENTS, promises};

use crate::{
    frame::Page,
    text::{name, prose},
};

pub fn page() -> Page {
    let body = html! {
        @for document in DOCUMENTS {
            h2 id=(document) { (document) }
            div.wide { table {
                thead { tr { th { "place" } th { "promise" } th { "decided by" } } }
                tbody {
                    @for promise in promises().iter().filter(|promise| promise.document == *document) {
                        tr {
                            td { (promise.place) }
                            td { (prose(&promise.text)) }
                            td {
                                @for id in &promise.clauses { (name(id)) " " }
                                @if let Some(missing) = &promise.missing { p.faint { "Not decided: " (prose(missing)) } }
                                @if let Some(unseen) = &promise.unseen { p.faint { "Cannot be seen: " (prose(unseen)) } }
                            }
                        }
                    }
                }
            } }
        }
    };
    Page::new("promises.html", "Promises", body)
}
