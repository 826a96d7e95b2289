//! A program as C, to be pasted into a report: a line for each operation, between what all programs need. It is compiled
//! with `-I c_fixtures/include` or a release's headers, linked with the library, and prints what each call comes to.

use tvm_ffi_spec::*;

use super::{
    machine::{CALLEES, Operand},
    pool,
    verb::{Operation, Want},
};

/// The program of these lines.
pub fn program(lines: &[String]) -> String {
    let main = lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    let count = lines.len().max(1);
    let prelude = include_str!("prelude.c");
    format!("{prelude}\nint main(void) {{\n  TVMFFIAny v[{count}] = {{{{0}}}};\n{main}  return 0;\n}}\n")
}

/// The operation of that number.
pub fn line(number: usize, operation: &Operation) -> String {
    let verb = operation.verb;
    // A global function takes values, whatever they are.
    let spelt = |want| Some(want).filter(|_| verb.function.is_some());
    let (wants, more) = (verb.wants.iter().map(spelt), std::iter::repeat(verb.more.as_ref()));
    let args: Vec<String> =
        operation.args.iter().zip(wants.chain(more)).map(|(arg, want)| argument(arg, want)).collect();
    let out = format!("&v[{number}]");
    let call = match verb.function {
        None if args.is_empty() => format!("call(\"{}\", NULL, 0, {out})", verb.name),
        None => format!("call(\"{}\", (TVMFFIAny[]){{{}}}, {}, {out})", verb.name, args.join(", "), args.len()),
        Some((_, template)) => {
            let rest = &args[verb.wants.len().min(args.len())..];
            // A compound literal is not empty.
            let list = if rest.is_empty() { "none()".to_owned() } else { rest.join(", ") };
            let mut text = template.replace("{*}", &list).replace("{n}", &rest.len().to_string());
            for (place, arg) in args.iter().enumerate() {
                text = text.replace(&format!("{{{place}}}"), arg);
            }
            text.replace("{out}", &out)
        }
    };
    format!("RUN({number}, {call});")
}

/// An argument as the call spells it: as a value for what takes values, else as C has it.
fn argument(operand: &Operand, want: Option<&Want>) -> String {
    match (want, operand) {
        (Some(Want::Value(_)) | None, _) => value(operand),
        (Some(Want::Object("ffi.BigInt")), Operand::Made(number)) => number.to_string(),
        (Some(Want::Object(_)), Operand::Made(number)) => format!("v[{number}].v_obj"),
        (Some(Want::Bytes(_)), Operand::Bytes(bytes)) => format!("BYTES({})", literal(bytes)),
        (Some(Want::CStr), Operand::CStr(number)) => literal(pool::C_TEXTS[*number].to_bytes()),
        (Some(Want::Number(_)), Operand::Int(number)) => int(*number),
        (Some(Want::Dtype), Operand::Dtype(DLDataType { code, bits, lanes })) => {
            format!("(DLDataType){{{code}, {bits}, {lanes}}}")
        }
        (Some(Want::Callee), Operand::Callee(number)) => CALLEES[*number].0.to_owned(),
        (Some(Want::Shape), Operand::Shape(number)) => shape(*number),
        _ => value(operand),
    }
}

fn value(operand: &Operand) -> String {
    match operand {
        Operand::Made(number) => format!("v[{number}]"),
        Operand::Moved(number) => format!("moved(&v[{number}])"),
        Operand::None => "none()".to_owned(),
        Operand::Bool(value) => format!("plain(kTVMFFIBool, {})", u8::from(*value)),
        Operand::Int(value) => format!("plain(kTVMFFIInt, {})", int(*value)),
        Operand::Float(value) => format!("plain(kTVMFFIFloat, {}) /* {value:?} */", int(value.to_bits() as i64)),
        Operand::Dtype(DLDataType { code, bits, lanes }) => format!("dtype((DLDataType){{{code}, {bits}, {lanes}}})"),
        Operand::Device(DLDevice { device_type, device_id }) => format!("device({device_type}, {device_id})"),
        Operand::Pointer(address) => format!("pointer((void*){address})"),
        Operand::CStr(number) => format!("c_str({})", literal(pool::C_TEXTS[*number].to_bytes())),
        Operand::Bytes(bytes) => format!("byte_array(BYTES({}))", literal(bytes)),
        Operand::Callee(number) => format!("pointer((void*){})", CALLEES[*number].0),
        Operand::Shape(number) => shape(*number),
        Operand::Borrowed(number) => format!("borrowed(&(DLTensor){})", tensor(*number)),
    }
}

fn shape(number: usize) -> String {
    let extents = pool::SHAPES[number];
    let list: Vec<String> = extents.iter().map(i64::to_string).collect();
    let list = if list.is_empty() { "0".to_owned() } else { list.join(", ") };
    format!("(int64_t[]){{{list}}}, {}", extents.len())
}

fn tensor(number: usize) -> String {
    let ndim = pool::SHAPES[number].len();
    let shape = shape(number);
    let extents = shape.rsplit_once(", ").map_or("", |(extents, _)| extents);
    format!("{{words, {{kDLCPU, 0}}, {ndim}, {{kDLFloat, 32, 1}}, {extents}, NULL, 0}}")
}

/// C has no literal for the least integer.
fn int(value: i64) -> String {
    if value == i64::MIN { "INT64_MIN".to_owned() } else { value.to_string() }
}

/// A C string literal. What is no printable ASCII is written in octal, which ends after three digits.
fn literal(bytes: &[u8]) -> String {
    let shown = |byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", bytes.iter().map(shown).collect::<String>())
}
