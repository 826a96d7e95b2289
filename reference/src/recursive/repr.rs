//! Values as texts for people: `(1, "a", {"k": [...]})`, `my.Pair(first=1, second=None)`.
//!
//! What is met again is not walked again: a finished object repeats its text, one that is still being written is `...`.
//! An object in a circle is written anew, as its text is another one wherever the circle was entered elsewhere. The ways
//! through circles that cross can be too many for that: in the end what has been written before is `...`, too.
//! The texts of a walk grow at their end only, so that an object's text is a range of the walk's.

use std::{
    collections::HashSet,
    env,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    vec,
};

use tvm_ffi_spec::*;

use super::children::{Children, Kind, address, ended};
use crate::{
    border::error::Result,
    container::{
        held::{Parts, Visited},
        shape,
    },
    function::{self, Function, row, sentinels, signature::Signature},
    object::ObjectRef,
    reflection::{bigint, create, enums::EnumObject, field::Field},
    scalar::{decimal, dtype},
    system::memory::{self, RoomFor},
    tensor::Tensor,
    types::{attribute, schema::Type, type_table},
    value::{
        any::{Any, AnyView},
        text,
    },
    walk::{
        addresses::ByAddress,
        recursion::{Fold, Visit, fold},
        stack_guard,
    },
};

/// The text of a value. With `TVM_FFI_REPR_WITH_ADDR=1` in the environment, objects have their addresses with them.
///
/// # Errors
/// `ValueError` for values nested too deep, and what getters and hooks fail with.
pub fn repr(value: &Any) -> Result<Vec<u8>> {
    let with_addresses = env::var_os("TVM_FFI_REPR_WITH_ADDR").is_some_and(|value| value == "1");
    repr_within(&Arc::default(), with_addresses, Visited::root(value.clone(), false))
}

fn repr_within(state: &Arc<Mutex<State>>, with_addresses: bool, root: Visited) -> Result<Vec<u8>> {
    stack_guard::check()?;
    let mut writer = Writer { state: Arc::clone(state), walk: 0, text: Vec::new(), with_addresses };
    writer.walk = {
        let mut state = writer.lock();
        state.texts.push(Vec::new());
        state.texts.len() - 1
    };
    let walked = fold(&mut writer, root);
    // Further walks may repeat what this one has written.
    writer.show_text();
    walked?;
    let state = writer.lock();
    let mut text = memory::room(state.texts[writer.walk].len())?;
    text.extend_from_slice(&state.texts[writer.walk]);
    Ok(text)
}

/// What a walk and those that its hooks start have in common.
#[derive(Default)]
struct State {
    /// What each walk has written; nothing while it goes on with that.
    texts: Vec<Vec<u8>>,
    /// Where the texts of objects are that may be met again; nowhere if they are in circles. The reference keeps the
    /// address from being another object's.
    done: ByAddress<usize, (ObjectRef, Option<Span>)>,
    /// The objects that are being written, and how many were when each was begun.
    open: ByAddress<usize, usize>,
    /// The number of the outermost object that is `...` in the text of the innermost one.
    cut: Option<usize>,
    /// How many times objects in circles were written.
    circles: usize,
}

/// How many times objects in circles are written anew.
const MOST_CIRCLES: usize = 1 << 16;

/// A part of what a walk has written.
#[derive(Clone)]
struct Span {
    walk: usize,
    range: Range<usize>,
}

/// Where the text of an object begins, and what was cut before in the text around it.
#[derive(Clone, Copy)]
struct Begun {
    start: usize,
    cut_before: Option<usize>,
}

struct Writer {
    state: Arc<Mutex<State>>,
    walk: usize,
    /// What the walk has written. While a hook runs, it is with the others.
    text: Vec<u8>,
    with_addresses: bool,
}

/// An object whose children are being written.
struct Frame {
    object: Visited,
    type_index: i32,
    kind: Kind,
    children: Parts,
    fields: vec::IntoIter<Field>,
    begun: Begun,
    /// How many children have been begun.
    count: usize,
}

impl Fold for Writer {
    type Input = Visited;
    type Output = ();
    type Frame = Frame;
    const NAME: &'static str = "ObjectGraphDFS";

    fn visit(&mut self, value: Visited) -> Result<Visit<Frame, ()>> {
        if self.write_plain(value.value.view())? {
            return Ok(Visit::Done(()));
        }
        Ok(self.begin(value)?.map_or(Visit::Done(()), Visit::Enter))
    }

    fn next(&mut self, frame: &mut Frame) -> Result<Option<Visited>> {
        for child in frame.children.by_ref() {
            self.text.room_for(SEPARATOR)?;
            match frame.kind {
                _ if frame.count == 0 => {}
                Kind::Map if frame.count % 2 == 1 => self.text.extend_from_slice(b": "),
                _ => self.text.extend_from_slice(b", "),
            }
            if let Some(field) = frame.fields.next() {
                self.write(field.name())?;
                self.write(b"=")?;
            }
            frame.count += 1;
            if !self.write_plain(child.view())? {
                return Ok(Some(frame.object.part(child.had(frame.kind.holder()))));
            }
        }
        Ok(None)
    }

    fn feed(&mut self, _: &mut Frame, _: ()) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self, frame: Frame) -> Result<()> {
        self.write(match (frame.type_index, frame.kind) {
            (kTVMFFIArray, _) if frame.count == 1 => b",)",
            (kTVMFFIArray, _) => b")",
            (kTVMFFIList, _) => b"]",
            (_, Kind::Map) => b"}",
            _ if frame.count > 0 => b")",
            _ => b"",
        })?;
        if !matches!(frame.kind, Kind::Object { .. }) {
            self.write_address(&frame.object)?;
        }
        self.close(&frame.object, frame.begun)
    }

    fn abandon(&mut self, frame: Frame) {
        self.forget(&frame.object, frame.begun);
    }
}

impl Writer {
    /// Writes the beginning of an object that has parts, or all of one that has none.
    fn begin(&mut self, visited: Visited) -> Result<Option<Frame>> {
        let Some(object) = visited.value.object() else { return self.write(b"None").map(|()| None) };
        let type_index = object.type_index();
        if let Some(text) = leaf_text(object, visited.value.view())? {
            self.write(&text)?;
            if type_index == kTVMFFITensor {
                self.write_address(&visited)?;
            }
            return Ok(None);
        }
        if visited.noted && self.repeat(&visited, address(object))? {
            return Ok(None);
        }
        let begun = self.open(&visited)?;
        if let Some(hook) = create::function_of(&attribute::REPR, type_index) {
            self.write_by_hook(&visited, object.clone(), begun, &hook)?;
            return Ok(None);
        }
        if let Some(name) = object.cast_ref().map(EnumObject::content).map(|content| content.str_index) {
            self.write(format!("{}.", type_table::key_of(type_index)).as_bytes())?;
            self.write(name.view().as_str().unwrap_or_default())?;
            self.write_address(&visited)?;
            self.close(&visited, begun)?;
            return Ok(None);
        }
        // SAFETY: the frame has both the object and its children.
        let children = unsafe { Children::of(object, kTVMFFIFieldFlagBitMaskReprOff) };
        let (kind, children, fields) = without_hidden_fields(children.inspect_err(|_| self.forget(&visited, begun))?);
        let bracket: &[u8] = match (type_index, kind) {
            (kTVMFFIArray, _) => b"(",
            (kTVMFFIList, _) => b"[",
            (_, Kind::Map) => b"{",
            _ => {
                self.write(type_table::key_of(type_index).as_bytes())?;
                self.write_address(&visited)?;
                if fields.len() > 0 { b"(" } else { b"" }
            }
        };
        self.write(bracket)?;
        Ok(Some(Frame { object: visited, type_index, kind, children, fields, begun, count: 0 }))
    }

    fn write_by_hook(&mut self, visited: &Visited, object: ObjectRef, begun: Begun, hook: &Function) -> Result<()> {
        let (state, with_addresses) = (Arc::downgrade(&self.state), self.with_addresses);
        static SIGNATURE: Signature = Signature::new("(0: AnyView) -> str");
        let go_on = row::typed(&SIGNATURE, move |args| {
            let state = state.upgrade().ok_or_else(ended)?;
            text::string(&repr_within(&state, with_addresses, Visited::root(args.any(0).to_owned()?, true))?)
        })?;
        let type_index = object.type_index();
        let (object, go_on) = (Any::from(object), Any::from(go_on));
        self.show_text();
        let answer = function::call(hook, &[*object.view(), *go_on.view()]);
        self.take_text();
        let text = answer.and_then(|answer| match answer.view().as_str() {
            Some(text) => Ok(text.to_vec()),
            None => Err(Type::Str.refuse(answer.view())),
        });
        let text = text.inspect_err(|_| self.forget(visited, begun))?;
        self.write(&text)?;
        if matches!(type_index, kTVMFFIArray | kTVMFFIList | kTVMFFIMap | kTVMFFIDict) {
            self.write_address(visited)?;
        }
        self.close(visited, begun)
    }

    /// Puts what the walk has written with that of the others.
    fn show_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.lock().texts[self.walk] = text;
    }

    /// Takes it back.
    fn take_text(&mut self) {
        let text = std::mem::take(&mut self.lock().texts[self.walk]);
        self.text = text;
    }

    /// Writes an object that has been met before.
    fn repeat(&mut self, visited: &Visited, address: usize) -> Result<bool> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { texts, done, open, cut, circles } = &mut *state;
        let number = match (open.get(&address), done.get(&address)) {
            (Some(&number), _) => number,
            (None, Some((_, Some(Span { walk, range })))) => {
                self.text.room_for(range.len())?;
                if *walk == self.walk {
                    self.text.extend_from_within(range.clone());
                    return Ok(true);
                }
                // Where a walk on another thread has its text at itself, the object is written anew.
                let text = texts[*walk].get(range.clone());
                return Ok(text.map(|text| self.text.extend_from_slice(text)).is_some());
            }
            (None, Some((_, None))) if *circles > MOST_CIRCLES => 0,
            _ => return Ok(false),
        };
        *cut = Some(cut.map_or(number, |cut| cut.min(number)));
        drop(state);
        self.write(b"...")?;
        self.write_address(visited)?;
        Ok(true)
    }

    /// Begins the text of an object.
    fn open(&self, visited: &Visited) -> Result<Begun> {
        let mut begun = Begun { start: self.text.len(), cut_before: None };
        if visited.noted
            && let Some(object) = visited.value.object()
        {
            let State { open, cut, .. } = &mut *self.lock();
            open.room_for(1)?;
            open.insert(address(object), open.len());
            begun.cut_before = cut.take();
        }
        Ok(begun)
    }

    /// Ends the text of an object.
    fn close(&self, visited: &Visited, begun: Begun) -> Result<()> {
        if visited.noted
            && let Some(object) = visited.value.object()
        {
            let State { done, open, cut, circles, .. } = &mut *self.lock();
            let number = open.remove(&address(object));
            let is_in_circle = cut.is_some() && *cut <= number;
            *circles += usize::from(is_in_circle);
            *cut = cut.iter().copied().chain(begun.cut_before).min();
            done.room_for(1)?;
            let span = Span { walk: self.walk, range: begun.start..self.text.len() };
            done.insert(address(object), (object.clone(), (!is_in_circle).then_some(span)));
        }
        Ok(())
    }

    fn forget(&self, visited: &Visited, begun: Begun) {
        if visited.noted
            && let Some(object) = visited.value.object()
        {
            let State { open, cut, .. } = &mut *self.lock();
            open.remove(&address(object));
            *cut = cut.iter().copied().chain(begun.cut_before).min();
        }
    }

    fn write(&mut self, text: &[u8]) -> Result<()> {
        self.text.room_for(text.len())?;
        self.text.extend_from_slice(text);
        Ok(())
    }

    fn write_address(&mut self, visited: &Visited) -> Result<()> {
        match visited.value.object() {
            Some(object) if self.with_addresses => self.write(format!("@{:#x}", address(object)).as_bytes()),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Leaves out fields whose names belong to those of an ancestor.
fn without_hidden_fields(children: Children) -> (Kind, Parts, vec::IntoIter<Field>) {
    let Children { kind, values, fields } = children;
    if !matches!(kind, Kind::Object { .. }) {
        return (kind, values, Vec::new().into_iter());
    }
    let mut names = HashSet::new();
    let visible = values.zip(fields).filter(|(_, field)| names.insert(field.name()));
    let (values, fields): (Vec<_>, Vec<_>) = visible.map(|(value, field)| (value.to_owned(), field)).unzip();
    (kind, Parts::Copied(values.into_iter()), fields.into_iter())
}

// ---------------------------------------------------------------------------------------------------------------------
// Values that refer to no other
// ---------------------------------------------------------------------------------------------------------------------

/// As much room as what stands between two children, or the text of a number, takes.
const SEPARATOR: usize = 64;

impl Writer {
    /// Writes a value that is no object, or a String or Bytes; `false` for others.
    #[inline]
    fn write_plain(&mut self, value: &AnyView<'_>) -> Result<bool> {
        self.text.room_for(SEPARATOR)?;
        let payload = value.raw().payload();
        match value.type_index() {
            kTVMFFINone => self.text.extend_from_slice(b"None"),
            kTVMFFIBool => self.text.extend_from_slice(if payload != 0 { b"True" } else { b"False" }),
            kTVMFFIInt => decimal::write_int(&mut self.text, payload as i64),
            kTVMFFIFloat => decimal::write_general(&mut self.text, f64::from_bits(payload), 6),
            kTVMFFIDataType => {
                // SAFETY: the value is a data type.
                self.write(dtype::print(unsafe { value.raw().value.v_dtype }, dtype::registered_name)?.as_bytes())?
            }
            // SAFETY: the value is a device.
            kTVMFFIDevice => self.write(device_text(unsafe { value.raw().value.v_device }).as_bytes())?,
            kTVMFFISmallStr | kTVMFFIStr => write_quoted(&mut self.text, value.as_str().unwrap_or_default())?,
            kTVMFFISmallBytes | kTVMFFIBytes => {
                write_quoted_bytes(&mut self.text, value.as_bytes().unwrap_or_default())?
            }
            kTVMFFIStaticObjectBegin.. => return Ok(false),
            other => self.write(type_table::key_of(other).as_bytes())?,
        }
        Ok(true)
    }
}

/// The text of an object that has no parts, but for a tensor's address.
fn leaf_text(object: &ObjectRef, value: &AnyView<'_>) -> Result<Option<Vec<u8>>> {
    let text = match object.type_index() {
        kTVMFFIObject if sentinels::is_missing(value) => "<MISSING>".to_owned(),
        kTVMFFIObject if sentinels::is_kwargs(value) => "<KWARGS>".to_owned(),
        kTVMFFIBigInt => bigint::decimal(bigint::words(value)?),
        kTVMFFIShape => joined("Shape(", object.cast_ref().map(shape::extents).unwrap_or_default(), ")")?,
        kTVMFFITensor => {
            let Some(tensor) = object.cast_ref().map(Tensor::dl_tensor) else { return Ok(None) };
            let extents = match usize::try_from(tensor.ndim) {
                // SAFETY: a tensor has as many extents as dimensions.
                Ok(1..) => unsafe { std::slice::from_raw_parts(tensor.shape, tensor.ndim as usize) },
                _ => &[],
            };
            let dtype = dtype::print(tensor.dtype, dtype::registered_name)?;
            joined(&format!("{dtype}["), extents, &format!("]@{}", device_text(tensor.device)))?
        }
        _ => return Ok(None),
    };
    Ok(Some(text.into_bytes()))
}

fn joined(before: &str, extents: &[i64], after: &str) -> Result<String> {
    let mut text = before.as_bytes().to_vec();
    for (index, &extent) in extents.iter().enumerate() {
        text.room_for(SEPARATOR)?;
        text.extend_from_slice(if index == 0 { b"" } else { b", " });
        decimal::write_int(&mut text, extent);
    }
    text.room_for(after.len())?;
    text.extend_from_slice(after.as_bytes());
    // All of the parts are UTF-8.
    Ok(String::from_utf8(text).unwrap_or_default())
}

fn device_text(DLDevice { device_type, device_id }: DLDevice) -> String {
    const NAMES: [(i32, &str); 16] = [
        (kDLCPU, "cpu"),
        (kDLCUDA, "cuda"),
        (kDLCUDAHost, "cuda_host"),
        (kDLOpenCL, "opencl"),
        (kDLVulkan, "vulkan"),
        (kDLMetal, "metal"),
        (kDLVPI, "vpi"),
        (kDLROCM, "rocm"),
        (kDLROCMHost, "rocm_host"),
        (kDLExtDev, "ext_dev"),
        (kDLCUDAManaged, "cuda_managed"),
        (kDLOneAPI, "oneapi"),
        (kDLWebGPU, "webgpu"),
        (kDLHexagon, "hexagon"),
        (kDLMAIA, "maia"),
        (kDLTrn, "trn"),
    ];
    let name = NAMES.iter().find(|(code, _)| *code == device_type).map_or("unknown", |(_, name)| name);
    format!("{name}:{device_id}")
}

/// The longest escape, `\U0010ffff`, and a quote behind it.
const LONGEST_ESCAPE: usize = 11;

/// Writes bytes as `b"..."`.
fn write_quoted_bytes(out: &mut Vec<u8>, content: &[u8]) -> Result<()> {
    out.room_for(content.len() + LONGEST_ESCAPE)?;
    out.extend_from_slice(b"b\"");
    for &byte in content {
        out.room_for(LONGEST_ESCAPE)?;
        match byte {
            b'"' | b'\\' | ..b' ' | 0x7f.. => out.extend_from_slice(format!("\\x{byte:02x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
    Ok(())
}

/// Writes a string as `"..."`: escapes for what is no printable ASCII, but for the sequences that color a terminal's text.
fn write_quoted(out: &mut Vec<u8>, content: &[u8]) -> Result<()> {
    out.room_for(content.len() + LONGEST_ESCAPE)?;
    out.push(b'"');
    let mut rest = content;
    loop {
        let is_plain = |byte: &u8| matches!(byte, b' '..0x7f) && !matches!(byte, b'"' | b'\\');
        let (plain, escaped) = rest.split_at(rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len()));
        out.room_for(plain.len() + LONGEST_ESCAPE)?;
        out.extend_from_slice(plain);
        rest = escaped;
        let Some((&byte, tail)) = rest.split_first() else { break };
        if let Some(length) = color_sequence(rest) {
            out.room_for(LONGEST_ESCAPE + length)?;
            out.extend_from_slice(b"\\x1b");
            out.extend_from_slice(&rest[1..length]);
            rest = &rest[length..];
            continue;
        }
        let (escape, length) = match byte {
            b'\n' => ("\\n".to_owned(), 1),
            b'\t' => ("\\t".to_owned(), 1),
            b'\r' => ("\\r".to_owned(), 1),
            b'"' | b'\\' => (format!("\\{}", char::from(byte)), 1),
            _ => match code_point(byte, tail) {
                Some((code, 4)) => (format!("\\U{code:08x}"), 4),
                Some((code, length)) => (format!("\\u{code:04x}"), length),
                None => (format!("\\x{byte:02x}"), 1),
            },
        };
        out.extend_from_slice(escape.as_bytes());
        rest = &rest[length..];
    }
    out.push(b'"');
    Ok(())
}

/// The length of a sequence that begins here and sets the color of a terminal's text, or clears a line.
fn color_sequence(text: &[u8]) -> Option<usize> {
    let parameters = text.strip_prefix(b"\x1b[")?;
    let end = parameters.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';'))?;
    matches!(parameters[end], b'm' | b'K').then_some(end + 3)
}

/// The code point of two or more bytes of UTF-8, and how many they are. As in the releases, only the form counts: the
/// code may be one that UTF-8 writes with fewer bytes, or none at all.
fn code_point(first: u8, tail: &[u8]) -> Option<(u32, usize)> {
    let (bits, length) = match first {
        0xc0..0xe0 => (first & 0x1f, 2),
        0xe0..0xf0 => (first & 0x0f, 3),
        0xf0..0xf8 => (first & 0x07, 4),
        _ => return None,
    };
    let code = tail
        .get(..length - 1)?
        .iter()
        .try_fold(u32::from(bits), |code, &byte| (byte & 0xc0 == 0x80).then_some(code << 6 | u32::from(byte & 0x3f)));
    Some((code?, length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::{
        container::{array, list, map},
        function::from_closure,
        test_values,
    };

    fn text(value: impl Into<Any>) -> String {
        String::from_utf8(repr(&value.into()).unwrap()).unwrap()
    }

    fn string(content: &[u8]) -> Any {
        text::string(content).unwrap()
    }

    // Known answers: what the releases write.
    #[rstest]
    #[case(Any::NONE, "None")]
    #[case(true.into(), "True")]
    #[case(1e20.into(), "1e+20")]
    #[case(123_456_789.0.into(), "1.23457e+08")]
    #[case((-f64::NAN).into(), "-nan")]
    #[case(string(b""), r#""""#)]
    #[case(string("é\u{1f600}\u{1}\u{7f}\"\\\n".as_bytes()), r#""\u00e9\U0001f600\x01\x7f\"\\\n""#)]
    #[case(string(b"\xff\xc3"), r#""\xff\xc3""#)]
    #[case(string(b"\x1b[0;31mred\x1b[0m\x1b[9"), r#""\x1b[0;31mred\x1b[0m\x1b[9""#)]
    #[case(text::bytes(b"\xff\"ab\\").unwrap(), r#"b"\xff\x22ab\x5c""#)]
    #[case(shape::new(&[1, -2]).unwrap().into(), "Shape(1, -2)")]
    #[case(array::new(vec![1.into()]).unwrap().into(), "(1,)")]
    #[case(array::new(vec![1.into(), 2.into()]).unwrap().into(), "(1, 2)")]
    #[case(list::new(vec![1.into()]).unwrap().into(), "[1]")]
    #[case(map::new(vec![(1.into(), 2.into()), (3.into(), 4.into())]).unwrap().into(), "{1: 2, 3: 4}")]
    #[case(from_closure(|_| Ok(Any::NONE)).into(), "ffi.Function")]
    #[case(sentinels::missing().unwrap(), "<MISSING>")]
    fn values_have_texts(#[case] value: Any, #[case] expected: &str) {
        assert_eq!(text(value), expected);
    }

    #[test]
    fn what_is_met_again_is_not_walked_again() {
        let shared = Any::from(list::new(vec![1.into()]).unwrap());
        assert_eq!(text(array::new(vec![shared.clone(), shared]).unwrap()), "([1], [1])");
        let cyclic = test_values::cyclic_list();
        assert_eq!(text(cyclic.clone()), "[...]");
        test_values::break_cycle(&cyclic);
        // Two lists in each other: each is whole beside the other.
        let (one, other) = (list::new(Vec::new()).unwrap(), list::new(vec![1.into()]).unwrap());
        list::push(&one, other.clone().into()).unwrap();
        list::push(&other, one.clone().into()).unwrap();
        let both = array::new(vec![one.clone().into(), other.into(), one.clone().into()]).unwrap();
        assert_eq!(text(both), "([[1, ...]], [1, [...]], [[1, ...]])");
        list::clear(&one).unwrap();
    }

    #[test]
    fn depth_is_no_danger() {
        assert_eq!(text(test_values::nested_lists(100_000)).len(), 200_002);
    }

    proptest! {
        #[test]
        fn any_value_has_a_printable_text(sample in test_values::values()) {
            prop_assert!(text(sample.value()).bytes().all(|byte| matches!(byte, b' '..=b'~')));
        }
    }
}
