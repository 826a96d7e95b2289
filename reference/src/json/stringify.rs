//! Values to JSON texts.

use std::{marker::PhantomData, slice};

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{
        map::{self, Map},
        sequence::{self, Sequence},
    },
    json::plain::plain_prefix,
    object::ObjectRef,
    scalar::decimal,
    system::memory::{self, RoomFor},
    types::type_table,
    value::any::{Any, AnyView},
    walk::{
        addresses::Addresses,
        recursion::{Fold, USUAL_DEPTH, Visit, fold},
    },
};

/// Writes a value as a JSON text: on one line, or with `indent` more spaces in front of each level's lines. An indent of
/// 0 means none; with a negative one, there are lines but no spaces.
///
/// # Errors
/// `ValueError` for a value that has no form in JSON, for a List within itself, and for values nested too deep.
pub fn stringify(value: &Any, indent: Option<i64>) -> Result<Vec<u8>> {
    // Clients pass a C `int`.
    let indent = i64::from(indent.unwrap_or(0) as i32);
    let out = memory::room(FIRST)?;
    let mut writer = Writer { out, indent, margin: 0, open_lists: Addresses::default(), values: PhantomData };
    fold(&mut writer, value.view())?;
    Ok(writer.out)
}

/// As much room as the longest number takes, with whatever stands around it.
const SHORT: usize = 64;

/// The room that a text begins with, so that small ones do not grow.
const FIRST: usize = 4 * SHORT;

struct Writer<'a> {
    out: Vec<u8>,
    indent: i64,
    /// The spaces in front of a line.
    margin: i64,
    open_lists: Addresses,
    /// What is written, where it lies.
    values: PhantomData<&'a Any>,
}

/// A container whose elements are being written. They are where they lie: no foreign code runs meanwhile.
struct Frame<'a> {
    object: &'a ObjectRef,
    elements: Elements<'a>,
    /// Whether an element has been written.
    begun: bool,
}

enum Elements<'a> {
    Sequence(slice::Iter<'a, Any>),
    Map(map::Entries<'a>),
}

impl Elements<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Sequence(elements) => elements.as_slice().is_empty(),
            Self::Map(entries) => entries.len() == 0,
        }
    }
}

impl<'a> Fold for Writer<'a> {
    type Input = &'a AnyView<'a>;
    type Output = ();
    type Frame = Frame<'a>;
    const NAME: &'static str = "Stringify";
    const NESTED: usize = USUAL_DEPTH;

    fn visit(&mut self, value: &'a AnyView<'a>) -> Result<Visit<Frame<'a>, ()>> {
        self.out.room_for(SHORT)?;
        if self.write_leaf(value)? {
            return Ok(Visit::Done(()));
        }
        let Some(object) = value.cast_ref::<ObjectRef>() else { return Err(unsupported(value)) };
        let (bracket, elements) = match (object.cast_ref::<Sequence>(), object.cast_ref::<Map>()) {
            // SAFETY: nothing runs during the walk that could change the container.
            (Some(sequence), _) => (b'[', Elements::Sequence(unsafe { sequence::borrow(sequence) }.iter())),
            // SAFETY: as above.
            (_, Some(map)) => (b'{', Elements::Map(unsafe { map::iter(map) })),
            _ => return Err(unsupported(value)),
        };
        if elements.is_empty() && self.out.is_empty() {
            // There is nothing to walk.
            self.out.push(bracket);
            return self.close(&elements).map(Visit::Done);
        }
        if object.type_index() == kTVMFFIList && !self.open_lists.insert(object.handle().addr())? {
            return Err(Error::new("ValueError", "Cycle detected: List contains itself"));
        }
        self.out.push(bracket);
        self.margin += self.indent;
        Ok(Visit::Enter(Frame { object, elements, begun: false }))
    }

    fn next(&mut self, frame: &mut Frame<'a>) -> Result<Option<&'a AnyView<'a>>> {
        loop {
            self.out.room_for(SHORT)?;
            let value = match &mut frame.elements {
                Elements::Sequence(elements) => {
                    let Some(element) = elements.next() else { return Ok(None) };
                    self.begin_element(&mut frame.begun)?;
                    element
                }
                Elements::Map(entries) => {
                    let Some((key, value)) = entries.next() else { return Ok(None) };
                    self.begin_element(&mut frame.begun)?;
                    write_string(&mut self.out, key_content(key)?)?;
                    self.out.extend_from_slice(if self.indent == 0 { b":" } else { b": " });
                    value
                }
            };
            if !self.write_leaf(value.view())? {
                return Ok(Some(value.view()));
            }
        }
    }

    fn feed(&mut self, _: &mut Frame<'a>, _: ()) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self, frame: Frame<'a>) -> Result<()> {
        self.out.room_for(SHORT)?;
        self.margin -= self.indent;
        self.close(&frame.elements)?;
        if frame.object.type_index() == kTVMFFIList {
            self.open_lists.remove(frame.object.handle().addr());
        }
        Ok(())
    }
}

impl Writer<'_> {
    /// Writes a value that has no elements, for which there is [`SHORT`] room; `false` for others.
    #[inline]
    fn write_leaf(&mut self, value: &AnyView<'_>) -> Result<bool> {
        let payload = value.raw().payload();
        match value.type_index() {
            kTVMFFINone => self.out.extend_from_slice(b"null"),
            kTVMFFIBool => self.out.extend_from_slice(if payload != 0 { b"true" } else { b"false" }),
            kTVMFFIInt => decimal::write_int(&mut self.out, payload as i64),
            kTVMFFIFloat => write_number(&mut self.out, f64::from_bits(payload)),
            kTVMFFISmallStr | kTVMFFIStr => write_string(&mut self.out, value.as_str().unwrap_or_default())?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes what stands behind the elements.
    fn close(&mut self, elements: &Elements<'_>) -> Result<()> {
        self.new_line()?;
        self.out.push(match elements {
            Elements::Sequence(_) => b']',
            Elements::Map(_) => b'}',
        });
        Ok(())
    }

    fn begin_element(&mut self, begun: &mut bool) -> Result<()> {
        if std::mem::replace(begun, true) {
            self.out.push(b',');
        }
        self.new_line()
    }

    /// Goes to the next line, if the text has lines.
    #[inline]
    fn new_line(&mut self) -> Result<()> {
        if self.indent == 0 {
            return Ok(());
        }
        let margin = usize::try_from(self.margin).unwrap_or(0);
        let room = self.out.room_for(margin.saturating_add(SHORT));
        room.map_err(|_| Error::new("MemoryError", format!("Cannot indent by {margin} spaces")))?;
        self.out.push(b'\n');
        self.out.resize(self.out.len() + margin, b' ');
        Ok(())
    }
}

fn key_content(key: &Any) -> Result<&[u8]> {
    key.view().as_str().ok_or_else(|| {
        let key = type_table::key_of(key.view().type_index());
        Error::new("ValueError", format!("Expect key to be string, got `{key}`"))
    })
}

#[cold]
fn unsupported(value: &AnyView<'_>) -> Error {
    Error::new("ValueError", format!("Unsupported type: `{}`", type_table::key_of(value.type_index())))
}

/// Writes a number so that it is read as a Float again, and as the same one.
fn write_number(out: &mut Vec<u8>, value: f64) {
    /// From here on, some whole numbers are not representable.
    const WHOLE: f64 = (1_u64 << 53) as f64;
    if value.is_nan() {
        out.extend_from_slice(b"NaN");
    } else if value.is_infinite() {
        out.extend_from_slice(if value < 0.0 { b"-Infinity" } else { b"Infinity" });
    } else if value.abs() < WHOLE && value.trunc() == value {
        if value == 0.0 && value.is_sign_negative() {
            out.push(b'-');
        }
        decimal::write_int(out, value as i64);
        out.extend_from_slice(b".0");
    } else {
        decimal::write_general(out, value, 17);
    }
}

/// Writes a string with quotes and escapes. What is no ASCII passes through.
fn write_string(out: &mut Vec<u8>, content: &[u8]) -> Result<()> {
    out.push(b'"');
    let mut rest = content;
    loop {
        let (plain, escaped) = rest.split_at(plain_prefix(rest, [b'"', b'\\', b'/', 0x7f]));
        out.room_for(plain.len() + SHORT)?;
        out.extend_from_slice(plain);
        let Some((&byte, behind)) = escaped.split_first() else { break };
        match byte {
            b'"' | b'\\' | b'/' => out.extend_from_slice(&[b'\\', byte]),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
        rest = behind;
    }
    out.push(b'"');
    Ok(())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::{
        container::{array, list, map},
        test_values,
        value::text,
        walk::recursion::MAX_DEPTH,
    };

    fn text(value: impl Into<Any>, indent: Option<i64>) -> String {
        String::from_utf8(stringify(&value.into(), indent).unwrap()).unwrap()
    }

    fn error(value: impl Into<Any>) -> String {
        stringify(&value.into(), None).unwrap_err().to_string()
    }

    // Known answers: what the releases write.
    #[rstest]
    #[case(0.1, "0.10000000000000001")]
    #[case(1.0, "1.0")]
    #[case(-0.0, "-0.0")]
    #[case(1e30, "1e+30")]
    #[case(1e-7, "9.9999999999999995e-08")]
    #[case(9_007_199_254_740_991.0, "9007199254740991.0")]
    #[case(9_007_199_254_740_992.0, "9007199254740992")]
    #[case(f64::NAN, "NaN")]
    #[case(f64::NEG_INFINITY, "-Infinity")]
    fn floats_are_written_as_floats(#[case] value: f64, #[case] expected: &str) {
        assert_eq!(text(value, None), expected);
    }

    // Known answers, as above.
    #[rstest]
    #[case(None, r#"{"a":1,"b":[true,null,[],{}]}"#)]
    #[case(Some(0), r#"{"a":1,"b":[true,null,[],{}]}"#)]
    #[case(Some(1), "{\n \"a\": 1,\n \"b\": [\n  true,\n  null,\n  [\n  ],\n  {\n  }\n ]\n}")]
    #[case(Some(-1), "{\n\"a\": 1,\n\"b\": [\ntrue,\nnull,\n[\n],\n{\n}\n]\n}")]
    #[case(Some(1 << 32), r#"{"a":1,"b":[true,null,[],{}]}"#)]
    fn lines_are_indented(#[case] indent: Option<i64>, #[case] expected: &str) {
        let name = |name: &str| text::string(name.as_bytes()).unwrap();
        let empty = [list::empty().unwrap().into(), map::new(vec![]).unwrap().into()];
        let elements = [true.into(), Any::NONE].into_iter().chain(empty).collect();
        let entries = vec![(name("a"), 1.into()), (name("b"), array::new(elements).unwrap().into())];
        assert_eq!(text(map::new(entries).unwrap(), indent), expected);
    }

    #[test]
    fn what_json_has_not_is_refused() {
        assert_eq!(error(map::new_dict(vec![]).unwrap()), "ValueError: Unsupported type: `ffi.Dict`");
        let by_number = map::new(vec![(1.into(), 2.into())]).unwrap();
        assert_eq!(error(by_number), "ValueError: Expect key to be string, got `int`");
    }

    #[test]
    fn depth_is_no_danger() {
        assert_eq!(text(test_values::nested_lists(100_000), None).len(), 200_002);
        let error_text = error(test_values::nested_lists(MAX_DEPTH));
        assert_eq!(error_text, "ValueError: Stringify: maximum stack depth (1048576) exceeded");
        let cyclic = test_values::cyclic_list();
        assert_eq!(error(cyclic.clone()), "ValueError: Cycle detected: List contains itself");
        test_values::break_cycle(&cyclic);
        // Twice is no cycle.
        let shared = list::empty().unwrap();
        assert_eq!(text(list::new(vec![shared.clone().into(), shared.into()]).unwrap(), None), "[[],[]]");
    }
}
