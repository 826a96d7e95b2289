//! A struct as its bytes lie in memory on a 64-bit machine: a row for each word, a box for what lies in it.

use maud::{Markup, html};
use tvm_ffi_spec::abi::{Field, Struct};

/// The bytes of a row.
const WORD: u32 = 8;

/// Bytes that belong together.
struct Span<'a> {
    start: u32,
    end: u32,
    /// What lies there: nothing for padding, several for a union.
    fields: Vec<&'a Field>,
}

/// What lies in a struct, byte for byte, in order.
fn spans(record: &Struct) -> Vec<Span<'_>> {
    let mut spans: Vec<Span<'_>> = Vec::new();
    let padding = |start, end| Span { start, end, fields: Vec::new() };
    for field in &record.fields {
        let (start, end) = (field.offset.0, field.offset.0 + field.size.0);
        match spans.last_mut() {
            Some(last) if start < last.end => {
                last.end = last.end.max(end);
                last.fields.push(field);
            }
            last => {
                let before = last.map_or(0, |last| last.end);
                if before < start {
                    spans.push(padding(before, start));
                }
                spans.push(Span { start, end, fields: vec![field] });
            }
        }
    }
    let end = spans.last().map_or(0, |last| last.end);
    if end < record.size.0 {
        spans.push(padding(end, record.size.0));
    }
    spans
}

/// The drawing. A box that goes on in the next row says so.
pub fn draw(record: &Struct) -> Markup {
    let spans = spans(record);
    let rows = (0..record.size.0.div_ceil(WORD)).map(|row| row * WORD);
    html! {
        div.wide {
            table.bytes {
                thead { tr { th { "byte" } @for byte in 0..WORD { th { "+" (byte) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            th { (row) }
                            @for span in spans.iter().filter(|span| span.start < row + WORD && span.end > row) {
                                (cell(span, row))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The part of a span that lies in a row.
fn cell(span: &Span, row: u32) -> Markup {
    let bytes = span.end.min(row + WORD) - span.start.max(row);
    let goes_on = span.start < row;
    html! {
        td colspan=(bytes) class=(if span.fields.is_empty() { "padding" } else { "field" }) {
            @if goes_on {
                "…"
            } @else if span.fields.is_empty() {
                "padding"
            } @else {
                @for (n, field) in span.fields.iter().enumerate() {
                    @if n > 0 { " | " }
                    code { (field.name) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::abi::abi;

    use super::*;

    #[test]
    fn every_byte_lies_in_one_span() {
        for record in &abi().structs {
            let mut end = 0;
            for span in spans(record) {
                assert_eq!(span.start, end, "{}", record.name);
                end = span.end;
            }
            assert_eq!(end, record.size.0, "{}", record.name);
        }
    }
}
