//! The first page: what there is, and the areas of the clauses.

use maud::html;
use tvm_ffi_spec::{
    abi::abi,
    clause::{Basis, Level, area_names, areas, clauses},
    promise::promises,
};

use crate::{entries::area_page, frame::Page};

pub fn page() -> Page {
    let abi = abi();
    let count = |level| clauses().filter(|clause| clause.level == level).count();
    let body = html! {
        p {
            "The C ABI of TVM FFI as data: " (abi.functions.len()) " functions, " (abi.structs.len()) " structs, "
            (abi.globals.len()) " global functions, " (abi.types.len()) " types, " (abi.releases.len()) " releases, and "
            (clauses().count()) " numbered clauses (" (count(Level::Must)) " MUST, " (count(Level::Should)) " SHOULD) which decide "
            (promises().len()) " promises of its documents."
        }
        h2 { "Areas" }
        div.wide { table {
            thead { tr { th { "area" } th { "about" } th { "MUST" } th { "SHOULD" } } }
            tbody {
                @for (name, area) in area_names().zip(areas()) {
                    @let count = |level| area.clauses.iter().filter(|clause| clause.level == level).count();
                    tr {
                        td { a href=(area_page(name)) { (area.prefix) } }
                        td { (area.title) }
                        td { (count(Level::Must)) }
                        td { (count(Level::Should)) }
                    }
                }
            }
        } }
        h2 { "What clauses rest on" }
        div.wide { table {
            tbody {
                @for basis in Basis::ALL {
                    tr {
                        td { (basis) }
                        td { (clauses().filter(|clause| clause.basis == *basis).count()) }
                        td { (basis.meaning()) "." }
                    }
                }
            }
        } }
    };
    Page::new("index.html", "Clauses", body)
}
