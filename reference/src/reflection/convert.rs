//! Types as signatures spell them, such as `Dict<str, List<int>>`, and the conversion of values to them.
//!
//! A value that is of the type already stays itself; others are converted where C++ clients would do so implicitly: a
//! boolean to an integer, a C string to a String, an Array to a List, each element to the type of the elements.

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{array, list, map, sequence, shape},
    function::arguments::Arguments,
    reflection::field,
    scalar::{device, dtype},
    startup::globals::{Row, row},
    types::type_table,
    value::any::{Any, AnyView},
};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `Any`.
    Any,
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `float`.
    Float,
    /// `str`.
    Str,
    /// `bytes`.
    Bytes,
    /// `void*`.
    Pointer,
    /// `DataType`.
    DataType,
    /// `Device`.
    Device,
    /// A type of objects, by its key.
    Object(String),
    /// `Optional<T>`: a value or None.
    Optional(Box<Type>),
    /// `Array<T>` or `List<T>`.
    Sequence(Sequence, Box<Type>),
    /// `Map<K, V>` or `Dict<K, V>`.
    Mapping(Mapping, Box<(Type, Type)>),
}

/// The two containers of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// Immutable.
    Array,
    /// Mutable.
    List,
}

/// The two containers of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// Immutable.
    Map,
    /// Mutable.
    Dict,
}

/// References to objects of these types may be NULL, which stands for None.
const NULLABLE: &[&str] = &["ffi.Object", "ffi.Function", "ffi.Tensor"];

impl Type {
    /// The type with this name.
    pub fn parse(name: &str) -> Self {
        let (head, args) = match name.split_once('<') {
            Some((head, rest)) => (head, rest.strip_suffix('>').unwrap_or(rest)),
            None => (name, "Any"),
        };
        let pair = |args: &str| {
            let (key, value) = split_pair(args);
            Box::new((Self::parse(key), Self::parse(value)))
        };
        match head {
            "Any" | "AnyView" => Self::Any,
            "bool" => Self::Bool,
            "int" => Self::Int,
            "float" => Self::Float,
            "str" => Self::Str,
            "bytes" => Self::Bytes,
            "void*" => Self::Pointer,
            "DataType" => Self::DataType,
            "Device" => Self::Device,
            "Optional" => Self::Optional(Box::new(Self::parse(args))),
            "Array" => Self::Sequence(Sequence::Array, Box::new(Self::parse(args))),
            "List" => Self::Sequence(Sequence::List, Box::new(Self::parse(args))),
            "Map" => Self::Mapping(Mapping::Map, pair(args)),
            "Dict" => Self::Mapping(Mapping::Dict, pair(args)),
            key => Self::Object(key.to_owned()),
        }
    }

    /// Whether a value is of the type as it is.
    pub fn contains(&self, value: &AnyView<'_>) -> bool {
        let type_index = value.type_index();
        match self {
            Self::Any => true,
            Self::Bool => type_index == kTVMFFIBool,
            Self::Int => type_index == kTVMFFIInt,
            Self::Float => type_index == kTVMFFIFloat,
            Self::Str => matches!(type_index, kTVMFFISmallStr | kTVMFFIStr),
            Self::Bytes => matches!(type_index, kTVMFFISmallBytes | kTVMFFIBytes),
            Self::Pointer => type_index == kTVMFFIOpaquePtr,
            Self::DataType => type_index == kTVMFFIDataType,
            Self::Device => type_index == kTVMFFIDevice,
            Self::Object(key) if value.is_none() => NULLABLE.contains(&key.as_str()),
            Self::Object(key) => is_instance(type_index, key),
            Self::Optional(inner) => value.is_none() || inner.contains(value),
            Self::Sequence(kind, element) => {
                type_index == kind.type_index()
                    && (**element == Self::Any || elements(value).iter().all(|value| element.contains(value.view())))
            }
            Self::Mapping(kind, entry) => {
                let (key_type, value_type) = &**entry;
                let is_entry =
                    |(key, value): &(Any, Any)| key_type.contains(key.view()) && value_type.contains(value.view());
                type_index == kind.type_index() && (self.is_of_any() || entries(value).iter().all(is_entry))
            }
        }
    }

    /// The value as one of the type; `None` if it cannot be one.
    ///
    /// # Errors
    /// Memory that runs out, and what hooks of keys fail with.
    pub fn convert(&self, value: &AnyView<'_>) -> Result<Option<Any>> {
        let type_index = value.type_index();
        Ok(match self {
            Self::Any => Some(value.to_owned()?),
            _ if !matches!(self, Self::Optional(_)) && self.contains(value) => Some(value.to_owned()?),
            Self::Bool => value.as_bool().map(Any::from),
            Self::Int => value.as_int().map(Any::from),
            Self::Float => as_float(value),
            Self::Str if type_index == kTVMFFIRawStr => Some(value.to_owned()?),
            Self::Bytes if type_index == kTVMFFIByteArrayPtr => Some(value.to_owned()?),
            Self::DataType if value.as_str().is_some() => {
                let text = String::from_utf8_lossy(value.as_str().unwrap_or_default());
                let mut raw = TVMFFIAny::new(kTVMFFIDataType, 0);
                raw.value.v_dtype = dtype::parse(&text, dtype::registered_code)?;
                // SAFETY: a data type owns nothing.
                Some(unsafe { Any::from_raw(raw) })
            }
            Self::Device => device::parse(value.as_str().unwrap_or_default()).map(|v_device| {
                let mut raw = TVMFFIAny::new(kTVMFFIDevice, 0);
                raw.value.v_device = v_device;
                // SAFETY: a device owns nothing.
                unsafe { Any::from_raw(raw) }
            }),
            Self::Pointer if value.is_none() => {
                // SAFETY: a pointer owns nothing.
                Some(unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIOpaquePtr, 0)) })
            }
            Self::Optional(_) if value.is_none() => Some(Any::NONE),
            Self::Optional(inner) => inner.convert(value)?,
            Self::Object(key) if key == "ffi.Shape" && is_sequence(type_index) => {
                let extents: Option<Vec<_>> = elements(value).iter().map(|value| value.view().as_int()).collect();
                extents.map(|extents| shape::new(&extents)).transpose()?.map(Any::from)
            }
            Self::Sequence(kind, element) if is_sequence(type_index) => {
                let elements = elements(value);
                let converted = elements.iter().map(|value| element.convert(value.view()));
                match converted.collect::<Result<Option<Vec<_>>>>()? {
                    Some(elements) => Some(kind.make(elements)?),
                    None => None,
                }
            }
            Self::Mapping(kind, entry) if is_mapping(type_index) => {
                let (key_type, value_type) = &**entry;
                let entries = entries(value);
                let converted = entries
                    .iter()
                    .map(|(key, value)| Ok(key_type.convert(key.view())?.zip(value_type.convert(value.view())?)));
                match converted.collect::<Result<Option<Vec<_>>>>()? {
                    Some(entries) => Some(kind.make(entries)?),
                    None => None,
                }
            }
            _ => None,
        })
    }

    /// What a value is that is not of the type, down to the element that is to blame.
    fn describe(&self, value: &AnyView<'_>) -> Result<String> {
        let type_index = value.type_index();
        match self {
            Self::Optional(inner) => return inner.describe(value),
            Self::Sequence(kind, element) if is_sequence(type_index) => {
                for (index, value) in elements(value).iter().enumerate() {
                    if element.convert(value.view())?.is_none() {
                        return Ok(format!("{}[index {index}: {}]", kind.name(), element.describe(value.view())?));
                    }
                }
            }
            Self::Mapping(kind, entry) if is_mapping(type_index) => {
                let (key_type, value_type) = &**entry;
                for (key, value) in entries(value) {
                    if key_type.convert(key.view())?.is_none() {
                        return Ok(format!("{}[some key is {}, V]", kind.name(), key_type.describe(key.view())?));
                    }
                    if value_type.convert(value.view())?.is_none() {
                        return Ok(format!("{}[K, some value is {}]", kind.name(), value_type.describe(value.view())?));
                    }
                }
            }
            _ => {}
        }
        Ok(type_table::key_of(type_index))
    }

    fn is_of_any(&self) -> bool {
        matches!(self, Self::Mapping(_, entry) if **entry == (Self::Any, Self::Any))
    }
}

impl Sequence {
    fn type_index(self) -> i32 {
        match self {
            Self::Array => kTVMFFIArray,
            Self::List => kTVMFFIList,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Array => "Array",
            Self::List => "List",
        }
    }

    fn make(self, elements: Vec<Any>) -> Result<Any> {
        match self {
            Self::Array => array::new(elements),
            Self::List => list::new(elements),
        }
        .map(Any::from)
    }
}

impl Mapping {
    fn type_index(self) -> i32 {
        match self {
            Self::Map => kTVMFFIMap,
            Self::Dict => kTVMFFIDict,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Map => "Map",
            Self::Dict => "Dict",
        }
    }

    fn make(self, entries: Vec<(Any, Any)>) -> Result<Any> {
        match self {
            Self::Map => map::new(entries),
            Self::Dict => map::new_dict(entries),
        }
        .map(Any::from)
    }
}

/// The value as one of the type with this name.
///
/// # Errors
/// `TypeError` if it cannot be one.
pub fn cast(name: &str, value: &AnyView<'_>) -> Result<Any> {
    Type::parse(name).convert(value)?.ok_or_else(|| mismatch(name, value))
}

/// The error of a value that cannot be one of the type with this name.
#[cold]
pub fn mismatch(name: &str, value: &AnyView<'_>) -> Error {
    match Type::parse(name).describe(value) {
        Ok(actual) => Error::new("TypeError", format!("Cannot convert from type `{actual}` to `{name}`")),
        Err(error) => error,
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// As attributes
// ---------------------------------------------------------------------------------------------------------------------

/// `__ffi_convert__` of the types that values are converted to.
pub const ATTRIBUTES: &[Row] = &[
    row("ffi.Object.__ffi_convert__(0: AnyView) -> ffi.Object", |args| convert_argument("ffi.Object", args)),
    row("ffi.String.__ffi_convert__(0: AnyView) -> str", |args| convert_argument("str", args)),
    row("ffi.Bytes.__ffi_convert__(0: AnyView) -> bytes", |args| convert_argument("bytes", args)),
    row("ffi.Error.__ffi_convert__(0: AnyView) -> ffi.Error", |args| convert_argument("ffi.Error", args)),
    row("ffi.Function.__ffi_convert__(0: AnyView) -> ffi.Function", |args| convert_argument("ffi.Function", args)),
    row("ffi.Shape.__ffi_convert__(0: AnyView) -> ffi.Shape", |args| convert_argument("ffi.Shape", args)),
    row("ffi.Tensor.__ffi_convert__(0: AnyView) -> ffi.Tensor", |args| convert_argument("ffi.Tensor", args)),
    row("ffi.Array.__ffi_convert__(0: AnyView) -> Array<Any>", |args| convert_argument("Array<Any>", args)),
    row("ffi.Map.__ffi_convert__(0: AnyView) -> Map<Any, Any>", |args| convert_argument("Map<Any, Any>", args)),
    row("ffi.List.__ffi_convert__(0: AnyView) -> List<Any>", |args| convert_argument("List<Any>", args)),
    row("ffi.Dict.__ffi_convert__(0: AnyView) -> Dict<Any, Any>", |args| convert_argument("Dict<Any, Any>", args)),
    row("ffi.IntEnum.__ffi_convert__(0: AnyView) -> ffi.IntEnum", |args| convert_argument("ffi.IntEnum", args)),
    row("ffi.StrEnum.__ffi_convert__(0: AnyView) -> ffi.StrEnum", |args| convert_argument("ffi.StrEnum", args)),
];

fn convert_argument(name: &str, args: &Arguments<'_>) -> Result<Any> {
    let value = args.any(0);
    Type::parse(name).convert(value)?.ok_or_else(|| {
        let actual = type_table::key_of(value.type_index());
        Error::new("TypeError", format!("Cannot cast from `{actual}` to `{name}`"))
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Names and containers
// ---------------------------------------------------------------------------------------------------------------------

fn split_pair(args: &str) -> (&str, &str) {
    let mut depth = 0;
    let comma = args.find(|character| {
        depth += i32::from(character == '<') - i32::from(character == '>');
        depth == 0 && character == ','
    });
    comma.map_or((args, "Any"), |at| (args[..at].trim(), args[at + 1..].trim()))
}

/// The error of a value that is not of the type with this name, where nothing is converted.
#[cold]
pub fn not_a(name: &str, value: &AnyView<'_>) -> Error {
    let actual = type_table::key_of(value.type_index());
    Error::new("TypeError", format!("Cannot treat type `{actual}` as type `{name}`"))
}

fn is_instance(type_index: i32, key: &str) -> bool {
    type_table::index_of(key.as_bytes()).is_ok_and(|of| field::is_instance(type_index, of))
}

fn is_sequence(type_index: i32) -> bool {
    matches!(type_index, kTVMFFIArray | kTVMFFIList)
}

fn is_mapping(type_index: i32) -> bool {
    matches!(type_index, kTVMFFIMap | kTVMFFIDict)
}

fn elements(value: &AnyView<'_>) -> Vec<Any> {
    value.as_object().map(|object| sequence::elements(&object)).unwrap_or_default()
}

fn entries(value: &AnyView<'_>) -> Vec<(Any, Any)> {
    value.as_object().map(|object| map::entries(&object)).unwrap_or_default()
}

/// A floating-point number, or an integer or boolean as one.
fn as_float(value: &AnyView<'_>) -> Option<Any> {
    let bits = match value.type_index() {
        kTVMFFIFloat => value.raw().payload(),
        _ => (value.as_int()? as f64).to_bits(),
    };
    // SAFETY: a number owns nothing.
    Some(unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIFloat, bits)) })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::value::text;

    fn text(text: &str) -> Any {
        text::string(text.as_bytes()).unwrap()
    }

    fn list_of(values: Vec<Any>) -> Any {
        list::new(values).unwrap().into()
    }

    fn array_of(values: Vec<Any>) -> Any {
        array::new(values).unwrap().into()
    }

    fn dict_of(key: Any, value: Any) -> Any {
        map::new_dict(vec![(key, value)]).unwrap().into()
    }

    #[rstest]
    #[case("int", 5.into())]
    #[case("str", text("short"))]
    #[case("str", text("rather long"))]
    #[case("Any", Any::NONE)]
    #[case("ffi.Object", Any::NONE)]
    #[case("ffi.Object", list_of(vec![]))]
    #[case("Optional<str>", Any::NONE)]
    #[case("Optional<ffi.List>", list_of(vec![]))]
    #[case("List<int>", list_of(vec![1.into()]))]
    #[case("Array<Optional<str>>", array_of(vec![Any::NONE, text("a")]))]
    #[case("Dict<str, List<int>>", dict_of(text("a"), list_of(vec![1.into()])))]
    fn what_fits_stays_itself(#[case] name: &str, #[case] value: Any) {
        let converted = cast(name, value.view()).unwrap();
        assert_eq!(converted.view().raw().to_bytes(), value.view().raw().to_bytes());
    }

    #[rstest]
    #[case("int", true.into(), kTVMFFIInt)]
    #[case("bool", 7.into(), kTVMFFIBool)]
    #[case("float", 7.into(), kTVMFFIFloat)]
    #[case("void*", Any::NONE, kTVMFFIOpaquePtr)]
    #[case("DataType", text("float32"), kTVMFFIDataType)]
    #[case("Device", text("cpu"), kTVMFFIDevice)]
    #[case("ffi.Shape", list_of(vec![1.into(), true.into()]), kTVMFFIShape)]
    #[case("List<int>", array_of(vec![1.into()]), kTVMFFIList)]
    #[case("Array<float>", list_of(vec![1.into()]), kTVMFFIArray)]
    #[case("Map<str, float>", dict_of(text("a"), 1.into()), kTVMFFIMap)]
    #[case("Dict<Any, bool>", dict_of(Any::NONE, 1.into()), kTVMFFIDict)]
    #[case("Optional<List<float>>", list_of(vec![1.into()]), kTVMFFIList)]
    fn what_stands_for_it_is_converted(#[case] name: &str, #[case] value: Any, #[case] type_index: i32) {
        let converted = cast(name, value.view()).unwrap();
        assert_eq!(converted.view().type_index(), type_index);
        assert!(Type::parse(name).contains(converted.view()));
    }

    #[rstest]
    #[case("int", text("5"), "ffi.SmallStr")]
    #[case("bool", Any::NONE, "None")]
    #[case("Device", text("gpu"), "ffi.SmallStr")]
    #[case("ffi.List", array_of(vec![]), "ffi.Array")]
    #[case("ffi.reflection.AccessStep", Any::NONE, "None")]
    #[case("no.such.Type", list_of(vec![]), "ffi.List")]
    #[case("Optional<int>", text("5"), "ffi.SmallStr")]
    #[case("ffi.Shape", list_of(vec![text("5")]), "ffi.List")]
    #[case("Array<List<int>>", array_of(vec![list_of(vec![1.into(), text("x")])]), "Array[index 0: List[index 1: ffi.SmallStr]]")]
    #[case("Dict<str, int>", dict_of(1.into(), 1.into()), "Dict[some key is int, V]")]
    #[case("Map<str, int>", dict_of(text("a"), Any::NONE), "Map[K, some value is None]")]
    fn what_does_not_fit_is_explained(#[case] name: &str, #[case] value: Any, #[case] actual: &str) {
        let message = cast(name, value.view()).map(drop).unwrap_err().to_string();
        assert_eq!(message, format!("TypeError: Cannot convert from type `{actual}` to `{name}`"));
    }
}
