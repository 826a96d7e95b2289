//! What calls take and give out, as C spells it.

use std::ffi::{c_char, c_void};

use tvm_ffi_spec::*;

use super::{
    course::CALLBACK,
    places::{Kind, Places},
    value::{self, Statement, literal},
};
use crate::client::memory;

/// What a call takes.
pub trait Argument {
    /// The argument of that name in C.
    fn spell(&self, name: &str, statement: &mut Statement<'_>) -> String;

    /// Learns what the call has written through the argument. Answers the function that says it, and the variable.
    fn learn(&self, _name: &str, _call: u32, _places: &mut Places) -> Option<(&'static str, String)> {
        None
    }
}

/// What a call returns.
pub trait Answer {
    /// What stands before the call.
    fn declare(call: u32) -> String
    where
        Self: Sized;

    /// The status of the call in C.
    fn status(&self, _call: u32) -> String {
        "0".to_owned()
    }

    /// Learns what was returned. Answers the function that says it, and the variable.
    fn learn(&self, _call: u32, _places: &mut Places) -> Option<(&'static str, String)> {
        None
    }
}

impl Argument for i32 {
    fn spell(&self, name: &str, statement: &mut Statement<'_>) -> String {
        let index = name.ends_with("type_index").then(|| statement.places.index(*self)).flatten();
        index.unwrap_or_else(|| if *self == i32::MIN { "INT32_MIN".to_owned() } else { self.to_string() })
    }
}

/// Pointers to functions. What those of the suite's own do when they are called is written, too; deleters are stood in for.
impl<F: Copy> Argument for Option<F> {
    fn spell(&self, name: &str, statement: &mut Statement<'_>) -> String {
        match (self, name) {
            (None, _) => "NULL".to_owned(),
            (Some(_), "safe_call") if statement.callback > 0 => format!("{CALLBACK}{}", statement.callback),
            (Some(_), "safe_call") => "stand_in".to_owned(),
            (Some(_), "deleter") => "end_stand_in".to_owned(),
            _ => statement.leave_out("it hands over a function of the suite's own"),
        }
    }
}

impl<T: Pointed> Argument for *const T {
    fn spell(&self, name: &str, statement: &mut Statement<'_>) -> String {
        T::spell(*self, name, statement)
    }
}

impl<T: Pointed> Argument for *mut T {
    fn spell(&self, name: &str, statement: &mut Statement<'_>) -> String {
        match T::OUT {
            Some((letter, c)) if is_out(name) && !self.is_null() => {
                let (number, before) = (statement.number, T::before(*self));
                statement.add(format_args!("  {c} {letter}{number} = {before};\n"));
                // Whatever a handle is to C, it is a pointer.
                let cast = if letter == 'h' { "(void*)" } else { "" };
                format!("{cast}&{letter}{number}")
            }
            _ => T::spell(*self, name, statement),
        }
    }

    fn learn(&self, name: &str, call: u32, places: &mut Places) -> Option<(&'static str, String)> {
        let (letter, _) = T::OUT.filter(|_| is_out(name) && !self.is_null())?;
        Some((T::learn(*self, call, places)?, format!("&{letter}{call}")))
    }
}

/// Whether a call writes through the argument of that name.
fn is_out(name: &str) -> bool {
    name.contains("out") || name == "result"
}

/// What a pointer leads to.
pub trait Pointed: Sized {
    /// What a variable for it begins with, and its C type, where calls write it.
    const OUT: Option<(char, &'static str)> = None;

    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        match statement.known(pointer as u64) {
            _ if pointer.is_null() => "NULL".to_owned(),
            Some(known) => known,
            None => statement.leave_out("it hands over a struct with functions of the suite's own"),
        }
    }

    /// What the variable holds before the call.
    fn before(_pointer: *const Self) -> String {
        "{0}".to_owned()
    }

    /// Learns what was written. Answers the function that says it.
    fn learn(_written: *const Self, _call: u32, _places: &mut Places) -> Option<&'static str> {
        None
    }
}

impl Pointed for TVMFFICustomAllocator {}
impl Pointed for TVMFFIFieldInfo {}
impl Pointed for Option<DLPackManagedTensorAllocator> {}
impl<T> Pointed for *const T {}

impl Pointed for c_void {
    fn spell(pointer: *const Self, name: &str, statement: &mut Statement<'_>) -> String {
        match (name, statement.known(pointer as u64)) {
            _ if pointer.is_null() => "NULL".to_owned(),
            (_, Some(known)) => known,
            // What the library only hands back.
            ("self_" | "handle" | "stream" | "symbol", None) => format!("(void*){:#x}", pointer as usize),
            _ => statement.handle(pointer),
        }
    }
}

impl<T> Pointed for *mut T {
    const OUT: Option<(char, &'static str)> = Some(('h', "void*"));

    fn learn(written: *const Self, call: u32, places: &mut Places) -> Option<&'static str> {
        places.add(memory::read(written)? as u64, Kind::Handle, call);
        Some("say_object")
    }
}

impl Pointed for i32 {
    const OUT: Option<(char, &'static str)> = Some(('i', "int32_t"));

    fn learn(written: *const Self, call: u32, places: &mut Places) -> Option<&'static str> {
        places.add_index(memory::read(written)?, Kind::IndexOut, call);
        Some("say_number")
    }
}

impl Pointed for TVMFFIVersion {
    const OUT: Option<(char, &'static str)> = Some(('v', "TVMFFIVersion"));
}

impl Pointed for DLDataType {
    const OUT: Option<(char, &'static str)> = Some(('d', "DLDataType"));

    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        match memory::read(pointer) {
            _ if pointer.is_null() => "NULL".to_owned(),
            Some(DLDataType { code, bits, lanes }) => format!("&(DLDataType){{{code}, {bits}, {lanes}}}"),
            None => statement.leave_out("it takes a data type that cannot be read"),
        }
    }

    fn learn(_: *const Self, _: u32, _: &mut Places) -> Option<&'static str> {
        Some("say_dtype")
    }
}

impl Pointed for TVMFFIAny {
    const OUT: Option<(char, &'static str)> = Some(('r', "TVMFFIAny"));

    fn before(pointer: *const Self) -> String {
        value::before(pointer)
    }

    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        match memory::read(pointer) {
            _ if pointer.is_null() => "NULL".to_owned(),
            Some(any) => statement.view(&any),
            None => statement.leave_out("it takes a value that cannot be read"),
        }
    }

    fn learn(written: *const Self, call: u32, places: &mut Places) -> Option<&'static str> {
        let written = memory::read(written)?;
        if written.type_index >= kTVMFFIStaticObjectBegin {
            places.add(written.payload(), Kind::Value, call);
        }
        Some("say")
    }
}

impl Pointed for c_char {
    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        match memory::read_c_str(pointer.cast(), 4096) {
            _ if pointer.is_null() => "NULL".to_owned(),
            Some(text) => literal(&text),
            None => statement.leave_out("it takes a text that cannot be read"),
        }
    }
}

impl Pointed for TVMFFIByteArray {
    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        statement.byte_array(pointer)
    }
}

impl Pointed for DLTensor {
    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        statement.tensor(pointer)
    }
}

impl Pointed for DLManagedTensor {
    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        match (statement.known(pointer as u64), memory::read(pointer)) {
            _ if pointer.is_null() => "NULL".to_owned(),
            (Some(known), _) => known,
            (None, Some(managed)) => {
                let tensor = statement.tensor(&managed.dl_tensor);
                format!("managed({tensor}, {})", u8::from(managed.deleter.is_some()))
            }
            (None, None) => statement.leave_out("it takes a tensor that cannot be read"),
        }
    }
}

impl Pointed for DLManagedTensorVersioned {
    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        match (statement.known(pointer as u64), memory::read(pointer)) {
            _ if pointer.is_null() => "NULL".to_owned(),
            (Some(known), _) => known,
            (None, Some(managed)) => {
                let (tensor, DLPackVersion { major, minor }) = (statement.tensor(&managed.dl_tensor), managed.version);
                let has_deleter = u8::from(managed.deleter.is_some());
                format!("managed_versioned({tensor}, {has_deleter}, {major}, {minor}, {}ull)", managed.flags)
            }
            (None, None) => statement.leave_out("it takes a tensor that cannot be read"),
        }
    }
}

impl Pointed for TVMFFIMethodInfo {
    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        let Some(info) = memory::read(pointer) else {
            return statement.leave_out("it takes a record that cannot be read");
        };
        let texts = [info.name, info.doc, info.metadata].map(|text| statement.byte_array(&text));
        let (method, [name, doc, metadata], number) = (statement.value(&info.method), texts, statement.number);
        statement.add(format_args!(
            "  TVMFFIMethodInfo m{number} = {{.name = *{name}, .doc = *{doc}, .flags = {}, .method = {method}, .metadata = \
             *{metadata}}};\n",
            info.flags
        ));
        format!("&m{number}")
    }
}

impl Pointed for TVMFFITypeMetadata {
    fn spell(pointer: *const Self, _name: &str, statement: &mut Statement<'_>) -> String {
        match memory::read(pointer) {
            Some(info) if info.creator.is_none() => {
                let (doc, number) = (statement.byte_array(&info.doc), statement.number);
                statement.add(format_args!(
                    "  TVMFFITypeMetadata m{number} = {{.doc = *{doc}, .total_size = {}, .structural_eq_hash_kind = {}}};\n",
                    info.total_size, info.structural_eq_hash_kind
                ));
                format!("&m{number}")
            }
            _ => statement.leave_out("it hands over a struct with functions of the suite's own"),
        }
    }
}

impl Answer for () {
    fn declare(_call: u32) -> String {
        String::new()
    }
}

/// A status, or the index of a type.
impl Answer for i32 {
    fn declare(call: u32) -> String {
        format!("int c{call} = ")
    }

    fn status(&self, call: u32) -> String {
        format!("c{call}")
    }

    fn learn(&self, call: u32, places: &mut Places) -> Option<(&'static str, String)> {
        places.add_index(*self, Kind::Index, call);
        Some(("say_status", "NULL".to_owned()))
    }
}

impl<T> Answer for *const T {
    fn declare(call: u32) -> String {
        format!("const {}* p{call} = ", name_in_c::<T>())
    }

    fn learn(&self, call: u32, places: &mut Places) -> Option<(&'static str, String)> {
        places.add(*self as u64, Kind::Pointer, call);
        Some(("say_pointer", format!("p{call}")))
    }
}

impl<T> Answer for *mut T {
    fn declare(call: u32) -> String {
        format!("{}* p{call} = ", name_in_c::<T>())
    }

    fn learn(&self, call: u32, places: &mut Places) -> Option<(&'static str, String)> {
        self.cast_const().learn(call, places)
    }
}

impl Answer for TVMFFIByteArray {
    fn declare(call: u32) -> String {
        format!("TVMFFIByteArray b{call} = ")
    }

    fn learn(&self, call: u32, _places: &mut Places) -> Option<(&'static str, String)> {
        Some(("say_bytes", format!("&b{call}")))
    }
}

/// A function, which is only asked for.
impl<F> Answer for Option<F> {
    fn declare(_call: u32) -> String {
        String::new()
    }
}

/// The C name of a type of the ABI.
fn name_in_c<T>() -> &'static str {
    match std::any::type_name::<T>().rsplit("::").next() {
        Some("c_void") | None => "void",
        Some(name) => name,
    }
}
