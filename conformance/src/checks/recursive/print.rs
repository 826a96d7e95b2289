//! Printed forms.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::Homemade,
        model::Value,
        node::{ending_node, fields_of, node_type},
        samples::Place,
        tensor::INT32,
        view,
    },
    trial::Trial,
};

/// None, booleans, integers and floats are printed as in Python.
#[check(REC_0022)]
fn repr_scalars(t: &Trial) -> Verdict {
    let all = [
        (Value::None, "None"),
        (Value::Bool(true), "True"),
        (Value::Bool(false), "False"),
        (Value::Int(-5), "-5"),
        (Value::float(1.5), "1.5"),
        (Value::float(0.1), "0.1"),
        (Value::float(1e300), "1e+300"),
    ];
    all.iter().try_for_each(|(value, text)| t.prints(&value.build(t)?.any(), text))
}

/// Strings are printed in double quotes with escapes, and Bytes with a `b` before the quotes.
#[check(REC_0023)]
fn repr_strings(t: &Trial) -> Verdict {
    let all = [
        (Value::str(""), r#""""#),
        (Value::str("text"), r#""text""#),
        (Value::str("a string on the heap"), r#""a string on the heap""#),
        (Value::str("a\"\\\n\t\r"), r#""a\"\\\n\t\r""#),
        (Value::Bytes(b"ab\xff".to_vec()), r#"b"ab\xff""#),
    ];
    all.iter().try_for_each(|(value, text)| t.prints(&value.build(t)?.any(), text))
}

/// Every ASCII character is printed as itself or as its escape, in a String and in Bytes, between others and as the last.
#[check(REC_0023)]
fn repr_of_every_character(t: &Trial) -> Verdict {
    for byte in (0..0x80_u8).filter(|byte| *byte != b'\'') {
        let number = format!("\\x{byte:02x}");
        let plain = char::from(byte).to_string();
        let in_string = match byte {
            b'\n' => "\\n".to_owned(),
            b'\r' => "\\r".to_owned(),
            b'\t' => "\\t".to_owned(),
            b'"' | b'\\' => format!("\\{plain}"),
            0x20..0x7f => plain.clone(),
            _ => number.clone(),
        };
        let in_bytes = if matches!(byte, b'"' | b'\\') || !(0x20..0x7f).contains(&byte) { number } else { plain };
        for (before, behind) in [("", ""), ("a text of some ", ""), ("of ", " b and more"), ("", "b")] {
            let text = [before.as_bytes(), &[byte], behind.as_bytes()].concat();
            t.prints(&t.string(&text)?.any(), &format!("\"{before}{in_string}{behind}\""))?;
            t.prints(&t.bytes(&text)?.any(), &format!("b\"{before}{in_bytes}{behind}\""))?;
        }
    }
    Ok(())
}

/// The character that begins a sequence for a terminal is printed as its escape whatever follows it, and what follows as itself.
#[check(REC_0023)]
fn repr_of_terminal_sequences(t: &Trial) -> Verdict {
    for behind in
        ["", "[", "[m", "[0m", "[31m", "[1;31m", "[;m", "[K", "[2K", "[31", "[1;", "[31x", "[ 1m", "31m", "]0m"]
    {
        for (before, after) in [("", ""), ("red: ", "text"), ("a text of some length ", " and more of it")] {
            let text = format!("{before}\x1b{behind}{after}");
            let printed = format!("\"{before}\\x1b{behind}{after}\"");
            t.prints(&t.string(text.as_bytes())?.any(), &printed)?;
            t.prints(&t.bytes(text.as_bytes())?.any(), &format!("b{printed}"))?;
            // Two, one right behind the other.
            let printed = format!("\"{before}\\x1b{behind}\\x1b{behind}\"");
            t.prints(&t.string(format!("{before}\x1b{behind}\x1b{behind}").as_bytes())?.any(), &printed)?;
        }
    }
    Ok(())
}

/// A character beyond ASCII is printed as its code point, and a byte that is no part of one as a byte.
#[check(REC_0023)]
fn repr_beyond_ascii(t: &Trial) -> Verdict {
    let all: [(&[u8], &str); 8] = [
        ("\u{e9}".as_bytes(), r#""\u00e9""#),
        ("\u{20ac}".as_bytes(), r#""\u20ac""#),
        ("\u{1f600}".as_bytes(), r#""\U0001f600""#),
        ("\u{10ffff}a".as_bytes(), r#""\U0010ffffa""#),
        (b"\x01\x7f", r#""\x01\x7f""#),
        (b"\xff", r#""\xff""#),
        (b"\xe2\x82", r#""\xe2\x82""#),
        (b"\xf0\x9f\x98a", r#""\xf0\x9f\x98a""#),
    ];
    all.iter().try_for_each(|(text, printed)| t.prints(&t.string(text)?.any(), printed))
}

/// An Array is printed in parentheses, with a comma behind a single element, and a List in brackets.
#[check(REC_0024)]
fn repr_sequences(t: &Trial) -> Verdict {
    use Value::{Array, Int, List};
    let all = [
        (Array(vec![]), "()"),
        (Array(vec![Int(1)]), "(1,)"),
        (Array(vec![Int(1), Value::str("x")]), r#"(1, "x")"#),
        (List(vec![]), "[]"),
        (List(vec![Int(1)]), "[1]"),
        (List(vec![Int(1), Array(vec![Int(2), Int(3)])]), "[1, (2, 3)]"),
    ];
    all.iter().try_for_each(|(value, text)| t.prints(&value.build(t)?.any(), text))?;
    let shared = List(vec![Int(1)]).build(t)?;
    t.prints(&t.call_global("ffi.Array", &[shared.any(), shared.any()])?.any(), "([1], [1])")
}

/// A Map and a Dict are printed in braces, with their entries in order.
#[check(REC_0025)]
fn repr_maps(t: &Trial) -> Verdict {
    let entries = vec![(Value::str("a"), Value::Int(1)), (Value::Int(2), Value::None)];
    t.prints(&Value::Map(vec![]).build(t)?.any(), "{}")?;
    t.prints(&Value::Map(entries.clone()).build(t)?.any(), r#"{"a": 1, 2: None}"#)?;
    t.prints(&Value::Dict(entries).build(t)?.any(), r#"{"a": 1, 2: None}"#)
}

/// Data types, devices and Shapes are printed as `float32`, `cuda:1` and `Shape(1, 2)`.
#[check(REC_0026)]
fn repr_plain(t: &Trial) -> Verdict {
    t.prints(&TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002), "float32")?;
    t.prints(&TVMFFIAny::new(kTVMFFIDevice, 0x1_0000_0002), "cuda:1")?;
    t.prints(&t.call_global("ffi.Shape", &[view::int(1), view::int(2)])?.any(), "Shape(1, 2)")
}

/// A Tensor is printed as its data type, its shape in brackets, and its device behind `@`.
#[check(REC_0034)]
fn repr_tensors(t: &Trial) -> Verdict {
    t.prints(&t.tensor_of_four(INT32, &[2, 2], [1, 2, 3, 4])?.any(), "int32[2, 2]@cpu:0")?;
    t.prints(&t.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?.any(), "int32[4]@cpu:0")?;
    for (shape, printed) in
        [(&[][..], "[]"), (&[0], "[0]"), (&[2, 0, 2], "[2, 0, 2]"), (&[1, 1, 2, 2, 1], "[1, 1, 2, 2, 1]")]
    {
        t.prints(&t.tensor_of_four(INT32, shape, [1, 2, 3, 4])?.any(), &format!("int32{printed}@cpu:0"))?;
    }
    Ok(())
}

/// The object that stands for what is missing is printed as `<MISSING>`, and no other plain object is.
#[check(REC_0035)]
fn repr_missing(t: &Trial) -> Verdict {
    t.prints(&t.call_global("ffi.GetInvalidObject", &[])?.any(), "<MISSING>")?;
    let other = Homemade::new(kTVMFFIObject, ());
    let text = t.text(&t.call_global("ffi.ReprPrint", &[other.view()])?.any())?;
    t.ne("another object of type ffi.Object as it is printed", text.as_slice(), b"<MISSING>")
}

/// An object without printable fields is printed as its type key.
#[check(REC_0027)]
fn repr_objects(t: &Trial) -> Verdict {
    t.prints(&t.global("ffi.ReprPrint")?.any(), "ffi.Function")
}

/// A container that stands twice in a value is printed as often, each time in full.
#[check(REC_0037)]
fn repr_shared(t: &Trial) -> Verdict {
    for kind in Place::all(t)?.into_iter().filter(|kind| *kind != Place::Alone) {
        let shared = kind.put(t, &view::int(1))?;
        let once = t.text(&t.call_global("ffi.ReprPrint", &[shared.any()])?.any())?;
        t.that("the printed form of what is shared", !once.is_empty(), "a text", "an empty one")?;
        for make in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
            let both = t.call_global(make, &[view::int(7), shared.any(), view::int(8), shared.any()])?;
            let text = t.text(&t.call_global("ffi.ReprPrint", &[both.any()])?.any())?;
            let count = text.windows(once.len()).filter(|part| *part == once).count();
            let what = format!("how often {} stands in {}", once.escape_ascii(), text.escape_ascii());
            t.eq(what, count, 2)?;
        }
    }
    Ok(())
}

/// A List that contains itself is printed with `...` in the place of itself, and one that only stands twice without.
#[check(REC_0028)]
fn repr_cycle(t: &Trial) -> Verdict {
    let dots_in = |value: &Owned| -> Verdict<_> {
        let text = t.text(&t.call_global("ffi.ReprPrint", &[value.any()])?.any())?;
        Ok((text.windows(3).filter(|part| *part == b"...").count(), text))
    };
    let list = t.list_in_itself()?;
    let (dots, text) = dots_in(&list)?;
    t.that("the printed form of a List of 1 and itself", dots == 1, "`...` once", text.escape_ascii())?;
    t.clear_list(&list)?;
    // What was printed before is not being printed.
    let (dots, text) = dots_in(&t.call_global("ffi.Array", &[list.any(), list.any()])?)?;
    t.that("the printed form of what stands twice", dots == 0, "no dots", text.escape_ascii())
}

/// A List that contains itself is printed as any List, with `...` for itself.
#[check(REC_0024)]
fn repr_cycle_in_brackets(t: &Trial) -> Verdict {
    let list = t.list_in_itself()?;
    t.prints(&list.any(), "[1, ...]")?;
    t.clear_list(&list)
}

/// A container is printed with its address behind it, be it empty or not, and an object with fields with its address behind its type, where the
/// environment asks for that: by themselves, in one another, and each time that they are there.
#[check(REC_0040, fresh)]
fn repr_with_addresses(t: &Trial) -> Verdict {
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("TVM_FFI_REPR_WITH_ADDR", "1") };
    let kind = node_type(t, ADDRESSED, kTVMFFISEqHashKindTreeNode, [0; 2])?;
    let is_printed = |value: &TVMFFIAny| -> Verdict {
        let text = t.text(&t.call_global("ffi.ReprPrint", &[*value])?.any())?;
        t.eq("the printed form", String::from_utf8_lossy(&text).into_owned(), addressed(t, value)?)
    };
    let (int, parentheses) = (view::int, t.string(b"() [] {}")?);
    let hold = |make: &str, values: &[TVMFFIAny]| t.container_of(make, values);
    let (containers, mut turn) = (t.containers()?, 0);
    for inner in &containers {
        for values in [&[][..], &[int(5)], &[int(5), parentheses.any(), int(6)]] {
            let part = hold(inner, values)?;
            is_printed(&part.any())?;
            for outer in &containers {
                let twice = hold(outer, &[part.any(), int(7), part.any()])?;
                is_printed(&twice.any())?;
                let empty = hold(outer, &[])?;
                // In each kind of container in turn, around each kind.
                let around = containers[(turn + turn / containers.len()) % containers.len()];
                turn += 1;
                is_printed(&hold(around, &[twice.any(), empty.any(), part.any(), empty.any()])?.any())?;
                let object = t.own(ending_node(kind, twice.any(), empty.any()).view());
                is_printed(&object.any())?;
                is_printed(&hold(outer, &[object.any(), part.any(), object.any()])?.any())?;
            }
            for make in ["ffi.Map", "ffi.Dict"] {
                is_printed(&t.call_global(make, &[part.any(), int(1), int(2), part.any()])?.any())?;
            }
        }
    }
    Ok(())
}

/// The type of objects that are printed with their address.
const ADDRESSED: &str = "verify.Addressed";

/// A value as it is printed with addresses: an integer, a text of a few words, a container, or an object of two fields.
fn addressed(t: &Trial, value: &TVMFFIAny) -> Verdict<String> {
    let object = value.payload() as TVMFFIObjectHandle;
    let at = format!("@{:#x}", object.addr());
    let each = |values: Vec<TVMFFIAny>| values.iter().map(|value| addressed(t, value)).collect::<Verdict<Vec<_>>>();
    Ok(match value.type_index {
        kTVMFFIInt => (value.payload() as i64).to_string(),
        kTVMFFIStr | kTVMFFISmallStr => format!("\"{}\"", String::from_utf8_lossy(&t.text(value)?)),
        kTVMFFIArray => {
            let items = each(t.sequence(object)?.items)?;
            format!("({}{}){at}", items.join(", "), if items.len() == 1 { "," } else { "" })
        }
        kTVMFFIList => format!("[{}]{at}", each(t.sequence(object)?.items)?.join(", ")),
        kTVMFFIMap | kTVMFFIDict => {
            let entry = |(key, value): (TVMFFIAny, TVMFFIAny)| -> Verdict<String> {
                Ok(format!("{}: {}", addressed(t, &key)?, addressed(t, &value)?))
            };
            let entries = t.map(object)?.entries.into_iter().map(entry).collect::<Verdict<Vec<_>>>()?;
            format!("{{{}}}{at}", entries.join(", "))
        }
        _ => {
            let fields = fields_of(value).ok_or_else(|| t.failure("an object", "its fields", "nothing"))?;
            format!("{ADDRESSED}{at}(first={}, second={})", addressed(t, &fields.first)?, addressed(t, &fields.second)?)
        }
    })
}
