//! Values as C spells them.

use std::ffi::c_void;
use std::fmt::{Display, Write};

use tvm_ffi_spec::*;

use super::places::Places;
use crate::client::memory;

/// How long a text may be in a program.
const TEXT: usize = 8 << 10;

/// A statement on its way into the program, with what has to stand before it.
pub struct Statement<'a> {
    pub(super) number: u32,
    pub(super) places: &'a Places,
    pub(super) text: String,
    pub(super) left_out: Option<&'static str>,
    /// Objects of the suite's own that were not known before.
    pub(super) own: Vec<u64>,
    /// The function of the suite's own that is handed over; 0 for one that is not known.
    pub(super) callback: u8,
}

impl<'a> Statement<'a> {
    /// Nothing yet, of a call with that number.
    pub(super) fn new(number: u32, places: &'a Places) -> Self {
        Self { number, places, text: String::new(), left_out: None, own: Vec::new(), callback: 0 }
    }
}

impl Statement<'_> {
    pub(super) fn add(&mut self, text: impl Display) {
        // Writing to a String does not fail.
        let _ = write!(self.text, "{text}");
    }

    /// There will be no program, for this reason.
    pub fn leave_out(&mut self, why: &'static str) -> String {
        self.left_out.get_or_insert(why);
        String::new()
    }

    /// An object, or NULL.
    pub fn handle(&mut self, handle: *const c_void) -> String {
        match self.places.exactly(handle as u64) {
            _ if handle.is_null() => "NULL".to_owned(),
            Some(place) => self.places.spell(place, 0),
            None => self.own_object(handle),
        }
    }

    /// An object of the suite's own, which the program makes, too, if nothing belongs to its type.
    fn own_object(&mut self, handle: *const c_void) -> String {
        match memory::read(handle.cast::<TVMFFIObject>()) {
            Some(TVMFFIObject { type_index: kTVMFFIObject, .. }) => {
                let own = match self.own.iter().position(|known| *known == handle as u64) {
                    Some(own) => own,
                    None => {
                        self.own.push(handle as u64);
                        self.own.len() - 1
                    }
                };
                let name = format!("o{}_{own}", self.number);
                let declaration = format!("  void* {name} = own_object();\n");
                if !self.text.contains(&declaration) {
                    self.text.insert_str(0, &declaration);
                }
                name
            }
            _ => self.leave_out("it takes an object that the suite has made in memory of its own"),
        }
    }

    /// The place of a field in an object.
    pub fn field(&mut self, place: *const c_void) -> String {
        let known = self.known(place as u64);
        known.unwrap_or_else(|| self.leave_out("it takes an object that the suite has made in memory of its own"))
    }

    /// An address that the target has given out.
    pub fn known(&self, address: u64) -> Option<String> {
        self.places.find(address).map(|(place, offset)| self.places.spell(place, offset))
    }

    /// A value.
    pub fn value(&mut self, any: &TVMFFIAny) -> String {
        let (payload, index, address) = (any.payload(), any.type_index, any.payload() as *const c_void);
        match index {
            kTVMFFISmallStr | kTVMFFISmallBytes if any.aux_word() <= 7 => {
                let content = payload.to_ne_bytes();
                let (name, rest) = (name_of(index), content[any.aux_word() as usize..].iter().any(|byte| *byte != 0));
                match rest {
                    true => format!("(TVMFFIAny){}", raw(any)),
                    false => format!("small({name}, {})", bytes_macro(&content[..any.aux_word() as usize])),
                }
            }
            _ if any.aux_word() != 0 && index < kTVMFFIStaticObjectBegin => format!("(TVMFFIAny){}", raw(any)),
            kTVMFFINone if payload == 0 => "none()".to_owned(),
            kTVMFFIInt => format!("integer({})", int(payload as i64)),
            kTVMFFIBool if payload <= 1 => format!("boolean({payload})"),
            kTVMFFIFloat => {
                let number = f64::from_bits(payload);
                let plain = number.is_finite() && number.to_string().len() < 20;
                if plain { format!("number({number:?})") } else { format!("bits({payload:#x} /* {number:?} */)") }
            }
            kTVMFFIOpaquePtr => match self.known(payload) {
                Some(known) => format!("pointer({known})"),
                None => format!("pointer((void*){payload:#x})"),
            },
            kTVMFFIRawStr => match memory::read_c_str(address, TEXT + 1) {
                Some(text) if text.len() <= TEXT => format!("c_str({})", literal(&text)),
                _ => self.leave_out("it takes a text that is too long to be written down"),
            },
            kTVMFFIByteArrayPtr => format!("byte_array({})", self.byte_array(address.cast())),
            kTVMFFIDLTensorPtr => format!("borrowed({})", self.tensor(address.cast())),
            kTVMFFIObjectRValueRef => match memory::read(address.cast::<*const c_void>()) {
                Some(object) => {
                    let object = self.handle(object);
                    format!("moved((TVMFFIObjectHandle[]){{{object}}})")
                }
                None => self.leave_out("it gives away what cannot be read"),
            },
            kTVMFFIStaticObjectBegin.. => {
                let object = self.handle(address);
                let index = self.places.index(index).unwrap_or_else(|| index.to_string());
                match object.strip_suffix(".v_obj") {
                    Some(value) if any.aux_word() == 0 => format!("object({index}, {value}.v_obj)"),
                    _ => format!("object({index}, {object})"),
                }
            }
            _ => format!("(TVMFFIAny){}", raw(any)),
        }
    }

    /// The address of a value, in a variable of its own.
    pub fn view(&mut self, any: &TVMFFIAny) -> String {
        let (value, number) = (self.value(any), self.number);
        self.add(format_args!("  TVMFFIAny a{number} = {value};\n"));
        format!("&a{number}")
    }

    /// A byte array, with what it points to.
    pub fn byte_array(&mut self, array: *const TVMFFIByteArray) -> String {
        if array.is_null() {
            return "NULL".to_owned();
        }
        match memory::read(array) {
            Some(array) if array.size == 0 && !array.data.is_null() && memory::read(array.data).is_none() => {
                format!("(&(TVMFFIByteArray){{(char*){:#x}, 0}})", array.data as usize)
            }
            Some(array) if array.data.is_null() => format!("(&(TVMFFIByteArray){{NULL, {}}})", array.size),
            Some(array) => match memory::read_bytes(array.data.cast(), array.size.min(TEXT + 1)) {
                Some(bytes) if bytes.len() <= TEXT => bytes_macro(&bytes),
                _ => self.leave_out("it takes a text that is too long to be written down"),
            },
            None => self.leave_out("it takes a byte array that cannot be read"),
        }
    }

    /// A tensor in a variable of its own.
    pub fn tensor(&mut self, tensor: *const DLTensor) -> String {
        let Some(tensor) = memory::read(tensor) else {
            return if tensor.is_null() {
                "NULL".to_owned()
            } else {
                self.leave_out("it takes a tensor that cannot be read")
            };
        };
        let DLTensor { data, device, ndim, dtype, shape, strides, byte_offset } = tensor;
        let data = match self.known(data as u64) {
            _ if data.is_null() => "NULL".to_owned(),
            Some(known) => known,
            None => format!("memory + {}", data as usize % 4096),
        };
        let extents = [shape, strides].map(|extents| self.extents(extents, ndim));
        let (number, [shape, strides]) = (self.number, extents);
        let variable = format!("t{number}_{}", self.text.len());
        let DLDataType { code, bits, lanes } = dtype;
        let DLDevice { device_type, device_id } = device;
        self.add(format_args!(
            "  static int64_t {variable}_shape[] = {shape}, {variable}_strides[] = {strides};\n  DLTensor {variable} = \
             {{{data}, {{{device_type}, {device_id}}}, {ndim}, {{{code}, {bits}, {lanes}}}, {}, {}, {byte_offset}}};\n",
            given(&shape, &format!("{variable}_shape")),
            given(&strides, &format!("{variable}_strides")),
        ));
        format!("&{variable}")
    }

    /// As an initializer; `{0}` alone for none.
    fn extents(&mut self, extents: *const i64, count: i32) -> String {
        let count = usize::try_from(count).unwrap_or_default().min(64);
        let read: Option<Vec<String>> =
            (0..count).map(|place| memory::read(extents.wrapping_add(place)).map(int)).collect();
        match read {
            _ if extents.is_null() => NO_EXTENTS.to_owned(),
            Some(read) if read.is_empty() => "{0, 0}".to_owned(),
            Some(read) => format!("{{{}, 0}}", read.join(", ")),
            None => self.leave_out("it takes a tensor that cannot be read"),
        }
    }
}

const NO_EXTENTS: &str = "{0}";

fn given(extents: &str, variable: &str) -> String {
    if extents == NO_EXTENTS { "NULL".to_owned() } else { variable.to_owned() }
}

/// What a place for a value holds, as an initializer.
pub fn before(place: *const TVMFFIAny) -> String {
    match memory::read(place) {
        Some(before) if before.to_bytes() != TVMFFIAny::NONE.to_bytes() => raw(&before),
        _ => "{0}".to_owned(),
    }
}

/// The three words of a value, as an initializer.
fn raw(any: &TVMFFIAny) -> String {
    format!(
        "{{.type_index = {}, .zero_padding = {:#x}, .v_uint64 = {:#x}}}",
        any.type_index,
        any.aux_word(),
        any.payload()
    )
}

fn name_of(index: i32) -> &'static str {
    if index == kTVMFFISmallStr { "kTVMFFISmallStr" } else { "kTVMFFISmallBytes" }
}

fn bytes_macro(bytes: &[u8]) -> String {
    format!("BYTES({})", literal(bytes))
}

/// C has no literal for the least integer.
pub fn int(value: i64) -> String {
    if value == i64::MIN { "INT64_MIN".to_owned() } else { value.to_string() }
}

/// A C string literal. What is no printable ASCII is written in octal, which ends after three digits.
pub fn literal(bytes: &[u8]) -> String {
    let shown = |byte: &u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", bytes.iter().map(shown).collect::<String>())
}
