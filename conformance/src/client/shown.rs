//! Values as a person writes them, `{1: "a"}` or `ValueError("no such key")`, read without a call into the library.
//!
//! What is shown is what a broken library may have made. Everything is read as [`memory`] reads, to a depth and a length,
//! and what leads nowhere is shown as that.

use std::{
    ffi::c_void,
    fmt::{self, Write},
    sync::LazyLock,
};

use tvm_ffi_spec::{abi::abi, *};

use crate::client::{
    header,
    map_memory::{BLOCK, BLOCK_SLOTS, DenseMapCell, ENTRY, Item, MapCell, NOWHERE, SMALL},
    memory, names,
};

/// How deep containers are opened.
const DEPTH: usize = 4;
/// How many elements of a container are shown.
const ITEMS: usize = 8;
/// How much of a text is shown.
const TEXT: usize = 64;
/// How long a value may become before its rest is left out.
const LENGTH: usize = 300;

/// A value with what is in it.
pub fn value(any: &TVMFFIAny) -> String {
    let mut shown = Shown(String::new());
    shown.value(any, DEPTH);
    shown.0
}

/// A value without reading what it refers to: objects are shown as their type.
pub fn at_a_glance(any: &TVMFFIAny) -> String {
    let mut shown = Shown(String::new());
    shown.value(any, 0);
    shown.0
}

/// Writes the same. Most calls are noted with nothing but these, so none of them takes memory.
pub fn write_at_a_glance(any: &TVMFFIAny, out: &mut dyn Write) -> fmt::Result {
    match any.type_index {
        kTVMFFINone if any.to_bytes() == TVMFFIAny::NONE.to_bytes() => out.write_str("None"),
        kTVMFFIInt if any.aux_word() == 0 => write!(out, "{}", any.payload() as i64),
        index @ kTVMFFIStaticObjectBegin.. if any.aux_word() == 0 && built_in_key(index).is_some() => {
            out.write_str(built_in_key(index).unwrap_or_default())
        }
        _ => out.write_str(&at_a_glance(any)),
    }
}

/// Bytes as the text that they are: `"größe\n"`, or where they are no text, `b"\xff"`.
pub fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("{text:?}"),
        Err(_) => self::bytes(bytes),
    }
}

/// Bytes as `b"\x00abc"`.
pub fn bytes(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

/// The key of a type by its index, as far as the suite knows.
pub fn type_key(index: i32) -> Option<String> {
    built_in_key(index).map(str::to_owned).or_else(|| names::type_key(index))
}

/// The key of a type that has its index from the ABI.
fn built_in_key(index: i32) -> Option<&'static str> {
    const INDICES: usize = kTVMFFIDynObjectBegin as usize;
    static KEYS: LazyLock<[Option<&'static str>; INDICES]> = LazyLock::new(|| {
        let key = |index| abi().types.iter().find(|ty| ty.index == Some(index)).map(|ty| ty.key.as_str());
        std::array::from_fn(|index| key(index as i32))
    });
    usize::try_from(index).ok().and_then(|index| *KEYS.get(index)?)
}

/// What has been written so far.
struct Shown(String);

impl Shown {
    fn add(&mut self, text: impl std::fmt::Display) {
        // Writing to a String does not fail.
        let _ = write!(self.0, "{text}");
    }

    fn value(&mut self, any: &TVMFFIAny, depth: usize) {
        let (payload, index) = (any.payload(), any.type_index);
        let address = payload as *mut c_void;
        match index {
            kTVMFFISmallStr => self.text(small(any), text),
            kTVMFFISmallBytes => self.text(small(any), bytes),
            // What no value has: then each byte may be what matters.
            _ if any.aux_word() != 0 => self.add(format_args!("{any:?}")),
            kTVMFFINone if payload != 0 => self.add(format_args!("{any:?}")),
            kTVMFFINone => self.add("None"),
            kTVMFFIBool => self.add(if payload == 0 { "False" } else { "True" }),
            kTVMFFIInt => self.add(payload as i64),
            kTVMFFIFloat => self.add(format_args!("{:?}", f64::from_bits(payload))),
            kTVMFFIOpaquePtr if payload == 0 => self.add("NULL"),
            kTVMFFIOpaquePtr => self.add(format_args!("a pointer ({address:p})")),
            // SAFETY: eight initialised bytes, of which any are a data type.
            kTVMFFIDataType => self.dtype(unsafe { any.value.v_dtype }),
            // SAFETY: eight initialised bytes, of which any are a device.
            kTVMFFIDevice => self.device(unsafe { any.value.v_device }),
            kTVMFFIDLTensorPtr => self.tensor("DLTensor", memory::read(address.cast())),
            kTVMFFIRawStr => self.text(memory::read_c_str(address, TEXT + 1).map(|text| (text.len(), text)), text),
            kTVMFFIByteArrayPtr => self.text(memory::read(address.cast()).and_then(beginning), bytes),
            kTVMFFIObjectRValueRef => match memory::read(address.cast::<*mut c_void>()) {
                Some(object) if depth > 0 => {
                    self.add("a reference given away to ");
                    self.object(object, depth);
                }
                _ => self.add("a reference given away"),
            },
            kTVMFFIStaticObjectBegin.. if depth == 0 => self.add(type_name(index)),
            kTVMFFIStaticObjectBegin.. => match header::read(address) {
                Some(header) if header.type_index != index => self.add(format_args!(
                    "a value of type {} that leads to an object of type {}",
                    type_name(index),
                    type_name(header.type_index)
                )),
                _ => self.object(address, depth),
            },
            _ => self.add(format_args!("{any:?}")),
        }
    }

    fn object(&mut self, object: *mut c_void, depth: usize) {
        let Some(header) = header::read(object) else {
            return self.add(format_args!("an object at {object:p}, which cannot be read"));
        };
        let index = header.type_index;
        if header.combined_ref_count as u32 == 0 {
            return self.add(format_args!("{} that has ended", type_name(index)));
        }
        match index {
            _ if self.0.len() > LENGTH => self.add("…"),
            kTVMFFIStr => self.text(cell(object).and_then(beginning), text),
            kTVMFFIBytes => self.text(cell(object).and_then(beginning), bytes),
            kTVMFFIError => self.error(cell(object)),
            kTVMFFIFunction => match names::function(object) {
                Some(name) => self.add(format_args!("the function {name}")),
                None => self.add(type_name(index)),
            },
            kTVMFFIShape => self.shape(cell(object)),
            kTVMFFITensor => self.tensor("Tensor", cell(object)),
            kTVMFFIArray => self.sequence(["[", "]"], cell(object), depth),
            kTVMFFIList => self.sequence(["List([", "])"], cell(object), depth),
            kTVMFFIMap => self.map(["{", "}"], object, depth),
            kTVMFFIDict => self.map(["Dict({", "})"], object, depth),
            _ => self.add(type_name(index)),
        }
    }

    /// The beginning of a text, with its length where that is not all.
    fn text(&mut self, content: Option<(usize, Vec<u8>)>, written: fn(&[u8]) -> String) {
        match content {
            Some((len, beginning)) if len > TEXT => {
                self.add(format_args!("{}…", written(&beginning[..TEXT.min(beginning.len())])));
                if len > TEXT + 1 {
                    self.add(format_args!(" ({len} bytes)"));
                }
            }
            Some((_, all)) => self.add(written(&all)),
            None => self.add("a text that cannot be read"),
        }
    }

    fn error(&mut self, cell: Option<[TVMFFIByteArray; 2]>) {
        match cell.map(|texts| texts.map(beginning)) {
            Some([Some((_, kind)), message]) => {
                self.add(format_args!("{}(", String::from_utf8_lossy(&kind).escape_debug()));
                self.text(message, text);
                self.add(")");
            }
            _ => self.add("an Error that cannot be read"),
        }
    }

    fn shape(&mut self, cell: Option<TVMFFIShapeCell>) {
        self.add("Shape(");
        self.extents(cell.map(|cell| (cell.data, cell.size)));
        self.add(")");
    }

    fn extents(&mut self, extents: Option<(*const i64, usize)>) {
        let Some((data, size)) = extents else { return self.add("…") };
        for place in 0..size.min(ITEMS) {
            let comma = if place == 0 { "" } else { ", " };
            match memory::read(data.wrapping_add(place)) {
                Some(extent) => self.add(format_args!("{comma}{extent}")),
                None => return self.add(format_args!("{comma}…")),
            }
        }
        self.rest(size);
    }

    fn tensor(&mut self, kind: &str, tensor: Option<DLTensor>) {
        let Some(tensor) = tensor else { return self.add(format_args!("a {kind} that cannot be read")) };
        self.add(format_args!("{kind}("));
        self.dtype(tensor.dtype);
        self.add("[");
        self.extents(Some((tensor.shape, usize::try_from(tensor.ndim).unwrap_or_default())));
        self.add("], ");
        self.device(tensor.device);
        self.add(")");
    }

    fn dtype(&mut self, DLDataType { code, bits, lanes }: DLDataType) {
        let name = match u32::from(code) {
            0 => "int",
            1 => "uint",
            2 => "float",
            4 => "bfloat",
            5 => "complex",
            6 => "bool",
            _ => return self.add(format_args!("DataType(code={code}, bits={bits}, lanes={lanes})")),
        };
        match lanes {
            _ if name == "bool" && bits == 8 && lanes == 1 => self.add("bool"),
            1 => self.add(format_args!("{name}{bits}")),
            2..0x8000 => self.add(format_args!("{name}{bits}x{lanes}")),
            _ => self.add(format_args!("DataType(code={code}, bits={bits}, lanes={lanes})")),
        }
    }

    fn device(&mut self, DLDevice { device_type, device_id }: DLDevice) {
        match device_type {
            kDLCPU => self.add(format_args!("cpu:{device_id}")),
            kDLCUDA => self.add(format_args!("cuda:{device_id}")),
            _ => self.add(format_args!("Device(type={device_type}, id={device_id})")),
        }
    }

    fn sequence(&mut self, [begin, end]: [&str; 2], cell: Option<TVMFFISeqCell>, depth: usize) {
        self.add(begin);
        match cell {
            _ if depth <= 1 => self.add("…"),
            None => self.add("…"),
            Some(cell) => {
                let size = usize::try_from(cell.size).unwrap_or_default();
                for place in 0..size.min(ITEMS) {
                    self.add(if place == 0 { "" } else { ", " });
                    match memory::read(cell.data.cast::<TVMFFIAny>().wrapping_add(place)) {
                        Some(item) => self.value(&item, depth - 1),
                        None => {
                            self.add("…");
                            break;
                        }
                    }
                }
                self.rest(size);
            }
        }
        self.add(end);
    }

    fn map(&mut self, [begin, end]: [&str; 2], object: *mut c_void, depth: usize) {
        self.add(begin);
        match cell::<MapCell>(object) {
            _ if depth <= 1 => self.add("…"),
            None => self.add("…"),
            Some(map) => {
                let (mut entries, mut shown) = (Entries::of(object, &map), 0);
                while shown < map.size.min(ITEMS as u64) {
                    self.add(if shown == 0 { "" } else { ", " });
                    let Some((key, value)) = entries.as_mut().and_then(Entries::next) else {
                        self.add("…");
                        break;
                    };
                    self.value(&key, depth - 1);
                    self.add(": ");
                    self.value(&value, depth - 1);
                    shown += 1;
                }
                self.rest(map.size as usize);
            }
        }
        self.add(end);
    }

    /// What stands for the elements that are not shown.
    fn rest(&mut self, size: usize) {
        if size > ITEMS {
            self.add(format_args!(", … ({size} in all)"));
        }
    }
}

/// The entries of a map in their order, as far as they can be read.
enum Entries {
    Small { next: *const [TVMFFIAny; 2] },
    Dense { blocks: *const c_void, next: u64 },
}

impl Entries {
    fn of(object: *mut c_void, map: &MapCell) -> Option<Self> {
        if map.slots & SMALL != 0 {
            return Some(Self::Small { next: map.data.cast_const().cast() });
        }
        Some(Self::Dense { blocks: map.data, next: cell::<DenseMapCell>(object)?.head })
    }

    fn next(&mut self) -> Option<(TVMFFIAny, TVMFFIAny)> {
        const { assert!(size_of::<[TVMFFIAny; 2]>() == ENTRY) }
        match self {
            Self::Small { next } => {
                let [key, value] = memory::read(*next)?;
                *next = next.wrapping_add(1);
                Some((key, value))
            }
            Self::Dense { next, .. } if *next == NOWHERE => None,
            Self::Dense { blocks, next } => {
                let (block, slot) = ((*next / BLOCK_SLOTS) as usize, (*next % BLOCK_SLOTS) as usize);
                let offset = block.wrapping_mul(BLOCK).wrapping_add(BLOCK_SLOTS as usize + slot * size_of::<Item>());
                let item: Item = memory::read(blocks.wrapping_byte_add(offset).cast())?;
                *next = item.next;
                Some((item.key, item.value))
            }
        }
    }
}

/// What follows the header of an object.
fn cell<C: Copy>(object: *mut c_void) -> Option<C> {
    memory::read(object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast_const().cast())
}

/// How long a text is, and the first bytes of it.
fn beginning(array: TVMFFIByteArray) -> Option<(usize, Vec<u8>)> {
    memory::read_bytes(array.data.cast(), array.size.min(TEXT)).map(|bytes| (array.size, bytes))
}

fn small(any: &TVMFFIAny) -> Option<(usize, Vec<u8>)> {
    let len = any.aux_word() as usize;
    any.payload().to_ne_bytes().get(..len).map(|bytes| (len, bytes.to_vec()))
}

/// A type in a sentence.
fn type_name(index: i32) -> String {
    type_key(index).unwrap_or_else(|| format!("an object of type index {index}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object of the test's own: a header and what follows it.
    #[repr(C)]
    struct Object<C>(TVMFFIObject, C);

    fn object<C>(type_index: i32, cell: C) -> (Box<Object<C>>, TVMFFIAny) {
        let header = TVMFFIObject { combined_ref_count: 1 << 32 | 1, type_index, __padding: 0, deleter: None };
        let object = Box::new(Object(header, cell));
        let any = TVMFFIAny::new(type_index, &raw const *object as u64);
        (object, any)
    }

    #[test]
    fn plain_values_are_written_as_people_do() {
        let dtype = TVMFFIAny {
            value: TVMFFIAnyValue { v_dtype: DLDataType { code: 2, bits: 32, lanes: 4 } },
            ..TVMFFIAny::new(kTVMFFIDataType, 0)
        };
        let device = TVMFFIAny {
            value: TVMFFIAnyValue { v_device: DLDevice { device_type: kDLCUDA, device_id: 1 } },
            ..TVMFFIAny::new(kTVMFFIDevice, 0)
        };
        let small = TVMFFIAny {
            aux: TVMFFIAnyAux { small_str_len: 2 },
            ..TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(*b"a\n\0\0\0\0\0\0"))
        };
        let cases = [
            (TVMFFIAny::NONE, "None"),
            (TVMFFIAny::new(kTVMFFIBool, 1), "True"),
            (TVMFFIAny::new(kTVMFFIInt, -5_i64 as u64), "-5"),
            (TVMFFIAny::new(kTVMFFIFloat, 1_f64.to_bits()), "1.0"),
            (TVMFFIAny::new(kTVMFFIRawStr, c"text".as_ptr() as u64), "\"text\""),
            (dtype, "float32x4"),
            (device, "cuda:1"),
            (small, r#""a\n""#),
        ];
        for (any, expected) in cases {
            assert_eq!((value(&any).as_str(), at_a_glance(&any).as_str()), (expected, expected));
        }
    }

    #[test]
    fn containers_are_opened() {
        let items = [TVMFFIAny::new(kTVMFFIInt, 1), TVMFFIAny::new(kTVMFFIRawStr, c"a".as_ptr() as u64)];
        let cell = TVMFFISeqCell { data: items.as_ptr() as *mut c_void, size: 2, capacity: 2, data_deleter: None };
        let (_list, list) = object(kTVMFFIList, cell);
        assert_eq!(value(&list), "List([1, \"a\"])");
        assert_eq!(at_a_glance(&list), "ffi.List");
        let entries = [[items[0], list]];
        let cell = MapCell { data: entries.as_ptr() as *mut c_void, size: 1, slots: SMALL | 4, data_deleter: None };
        let (_map, map) = object(kTVMFFIMap, cell);
        assert_eq!(value(&map), "{1: List([1, \"a\"])}");
    }

    #[test]
    fn an_error_is_its_kind_and_message() {
        let texts = [TVMFFIByteArray::new(b"KeyError"), TVMFFIByteArray::new(b"no \"a\"")];
        let (_error, error) = object(kTVMFFIError, texts);
        assert_eq!(value(&error), r#"KeyError("no \"a\"")"#);
    }

    #[test]
    fn what_leads_nowhere_is_shown_as_that() {
        let nowhere = TVMFFIAny::new(kTVMFFIArray, 16);
        assert_eq!(value(&nowhere), "an object at 0x10, which cannot be read");
        let cell = TVMFFISeqCell { data: 8 as *mut c_void, size: i64::MAX, capacity: 0, data_deleter: None };
        let (_array, array) = object(kTVMFFIArray, cell);
        assert_eq!(value(&array), format!("[…, … ({} in all)]", i64::MAX));
        let other = TVMFFIAny { type_index: kTVMFFIMap, ..array };
        assert_eq!(value(&other), "a value of type ffi.Map that leads to an object of type ffi.Array");
    }

    /// A list that holds itself, and lists within lists that are each full of the next.
    #[test]
    fn what_is_endless_is_cut() {
        let mut items = vec![TVMFFIAny::NONE; 8];
        let cell = TVMFFISeqCell { data: items.as_mut_ptr().cast(), size: 8, capacity: 8, data_deleter: None };
        let (_list, list) = object(kTVMFFIList, cell);
        items.fill(list);
        assert!(value(&list).len() < 3 * LENGTH, "{}", value(&list));
    }
}
