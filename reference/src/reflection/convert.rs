//! The conversion of values to types as signatures spell them, such as `Dict<str, List<int>>`.
//!
//! A value that is of the type already stays itself; others are converted where C++ clients would do so implicitly: a
//! boolean to an integer, a C string to a String, an Array to a List, each element to the type of the elements.

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::{array, list, map, sequence, shape},
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    scalar::{device, dtype},
    system::memory,
    types::{
        lineage,
        schema::{Need, Type},
        type_table,
    },
    value::any::{Any, AnyView},
};

/// References to objects of these types may be NULL, which stands for None.
const NULLABLE: &[&str] = &["ffi.Object", "ffi.Function", "ffi.Tensor"];

/// Values of a type.
pub trait Convert {
    /// Whether a value is of the type as it is.
    fn contains(&self, value: &AnyView<'_>) -> bool;

    /// The value as one of the type; `None` if it cannot be one.
    ///
    /// # Errors
    /// Memory that runs out, and what hooks of keys fail with.
    fn convert(&self, value: &AnyView<'_>) -> Result<Option<Any>>;

    /// The value as one of the type.
    ///
    /// # Errors
    /// `TypeError` if it cannot be one.
    fn cast(&self, value: &AnyView<'_>) -> Result<Any>;
}

impl Convert for Type {
    fn contains(&self, value: &AnyView<'_>) -> bool {
        let type_index = value.type_index();
        match self {
            Self::Any => true,
            Self::None => value.is_none(),
            Self::Bool => type_index == kTVMFFIBool,
            Self::Int => type_index == kTVMFFIInt,
            Self::Float => type_index == kTVMFFIFloat,
            Self::Str => matches!(type_index, kTVMFFISmallStr | kTVMFFIStr),
            Self::Bytes => matches!(type_index, kTVMFFISmallBytes | kTVMFFIBytes),
            Self::Pointer => type_index == kTVMFFIOpaquePtr,
            Self::Dtype => type_index == kTVMFFIDataType,
            Self::Device => type_index == kTVMFFIDevice,
            Self::Object(key) if value.is_none() => NULLABLE.contains(&&**key),
            Self::Object(key) => is_instance(type_index, key),
            Self::Optional(inner) => value.is_none() || inner.contains(value),
            Self::Array(element) | Self::List(element) => {
                self.is_container(type_index)
                    && (**element == Self::Any || {
                        // SAFETY: types are told from type indices alone, which runs no foreign code.
                        unsafe { borrow(value) }.iter().all(|value| element.contains(value.view()))
                    })
            }
            Self::Map(entry) | Self::Dict(entry) => {
                let [key_type, value_type] = &**entry;
                let is_entry =
                    |(key, value): (&Any, &Any)| key_type.contains(key.view()) && value_type.contains(value.view());
                let is_of_any = **entry == [Self::Any, Self::Any];
                self.is_container(type_index)
                    && (is_of_any || {
                        // SAFETY: as above.
                        value.cast_ref().is_none_or(|map| unsafe { map::iter(map) }.all(is_entry))
                    })
            }
            Self::Tuple(types) => {
                // SAFETY: as above.
                let values = unsafe { borrow(value) };
                let mut parts = types.iter().zip(values);
                type_index == kTVMFFIArray
                    && types.len() == values.len()
                    && parts.all(|(part, value)| part.contains(value.view()))
            }
        }
    }

    fn convert(&self, value: &AnyView<'_>) -> Result<Option<Any>> {
        let type_index = value.type_index();
        Ok(match self {
            Self::Any => Some(value.to_owned()?),
            _ if self.contains(value) => Some(value.to_owned()?),
            Self::Bool => value.as_bool().map(Any::from),
            Self::Int => value.as_int().map(Any::from),
            Self::Float => value.as_int().map(as_float),
            Self::Str if type_index == kTVMFFIRawStr => Some(value.to_owned()?),
            Self::Bytes if type_index == kTVMFFIByteArrayPtr => Some(value.to_owned()?),
            Self::Dtype if value.as_str().is_some() => {
                let text = value.as_str().unwrap_or_default();
                let mut raw = TVMFFIAny::new(kTVMFFIDataType, 0);
                raw.value.v_dtype = dtype::parse(text, dtype::registered_code)?;
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
            Self::Optional(inner) => inner.convert(value)?,
            Self::Object(key) if key == "ffi.Shape" && is_sequence(type_index) => {
                let elements = elements(value)?;
                let extents = all_of(elements.iter().map(|value| Ok(value.view().as_int())))?;
                extents.map(|extents| shape::new(&extents)).transpose()?.map(Any::from)
            }
            Self::Array(element) | Self::List(element) if is_sequence(type_index) => {
                let elements = elements(value)?;
                let converted = elements.iter().map(|value| element.convert(value.view()));
                match all_of(converted)? {
                    Some(elements) => Some(self.sequence_of(elements)?),
                    None => None,
                }
            }
            Self::Map(entry) | Self::Dict(entry) if is_mapping(type_index) => {
                let [key_type, value_type] = &**entry;
                let entries = entries(value)?;
                let converted = entries
                    .iter()
                    .map(|(key, value)| Ok(key_type.convert(key.view())?.zip(value_type.convert(value.view())?)));
                match all_of(converted)? {
                    Some(entries) => Some(self.mapping_of(entries)?),
                    None => None,
                }
            }
            Self::Tuple(types) if type_index == kTVMFFIArray => {
                let values = elements(value)?;
                let converted = types.iter().zip(&values).map(|(part, value)| part.convert(value.view()));
                match all_of(converted)? {
                    Some(parts) if values.len() == types.len() => Some(array::new(parts)?.into()),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    fn cast(&self, value: &AnyView<'_>) -> Result<Any> {
        match self.convert(value)? {
            Some(converted) => Ok(converted),
            None => Err(self.mismatch(Need::Conversion, &self.describe(value)?)),
        }
    }
}

impl Type {
    /// What a value is that is not of the type, down to the element that is to blame.
    fn describe(&self, value: &AnyView<'_>) -> Result<String> {
        let type_index = value.type_index();
        match self {
            Self::Optional(inner) => return inner.describe(value),
            Self::Array(element) | Self::List(element) if is_sequence(type_index) => {
                for (index, value) in elements(value)?.iter().enumerate() {
                    if element.convert(value.view())?.is_none() {
                        return Ok(format!("{}[index {index}: {}]", self.name(), element.describe(value.view())?));
                    }
                }
            }
            Self::Map(entry) | Self::Dict(entry) if is_mapping(type_index) => {
                let [key_type, value_type] = &**entry;
                for (key, value) in entries(value)? {
                    if key_type.convert(key.view())?.is_none() {
                        return Ok(format!("{}[some key is {}, V]", self.name(), key_type.describe(key.view())?));
                    }
                    if value_type.convert(value.view())?.is_none() {
                        return Ok(format!("{}[K, some value is {}]", self.name(), value_type.describe(value.view())?));
                    }
                }
            }
            Self::Tuple(types) if type_index == kTVMFFIArray => {
                let values = elements(value)?;
                if values.len() != types.len() {
                    return Ok(format!("Array[size={}]", values.len()));
                }
                for (index, (part, value)) in types.iter().zip(&values).enumerate() {
                    if part.convert(value.view())?.is_none() {
                        return Ok(format!("Array[index {index}: {}]", part.describe(value.view())?));
                    }
                }
            }
            _ => {}
        }
        Ok(type_table::key_of(type_index))
    }

    /// Whether this is the container that the type is called after.
    fn is_container(&self, type_index: i32) -> bool {
        match self {
            Self::Array(_) => type_index == kTVMFFIArray,
            Self::List(_) => type_index == kTVMFFIList,
            Self::Map(_) => type_index == kTVMFFIMap,
            Self::Dict(_) => type_index == kTVMFFIDict,
            _ => false,
        }
    }

    /// A container of the type, for elements.
    fn sequence_of(&self, elements: Vec<Any>) -> Result<Any> {
        match self {
            Self::List(_) => list::new(elements).map(Any::from),
            _ => array::new(elements).map(Any::from),
        }
    }

    /// A container of the type, for entries.
    fn mapping_of(&self, entries: Vec<(Any, Any)>) -> Result<Any> {
        match self {
            Self::Dict(_) => map::new_dict(entries).map(Any::from),
            _ => map::new(entries).map(Any::from),
        }
    }
}

/// An argument as one of the type that the signature declares.
///
/// # Errors
/// `TypeError` if it cannot be one.
pub fn argument(args: &Arguments<'_>, index: usize) -> Result<Any> {
    let declared = args.signature().params().and_then(|params| params.get(index)).unwrap_or(&Type::Any);
    match declared.convert(args.any(index))? {
        Some(converted) => Ok(converted),
        None => Err(args.mismatch(index, &declared.describe(args.any(index))?)),
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// As attributes
// ---------------------------------------------------------------------------------------------------------------------

/// `__ffi_convert__` of the types that values are converted to.
pub const ATTRIBUTES: &[Row] = &[
    row("ffi.Object.__ffi_convert__(0: AnyView) -> ffi.Object", convert_argument),
    row("ffi.String.__ffi_convert__(0: AnyView) -> str", convert_argument),
    row("ffi.Bytes.__ffi_convert__(0: AnyView) -> bytes", convert_argument),
    row("ffi.Error.__ffi_convert__(0: AnyView) -> ffi.Error", convert_argument),
    row("ffi.Function.__ffi_convert__(0: AnyView) -> ffi.Function", convert_argument),
    row("ffi.Shape.__ffi_convert__(0: AnyView) -> ffi.Shape", convert_argument),
    row("ffi.Tensor.__ffi_convert__(0: AnyView) -> ffi.Tensor", convert_argument),
    row("ffi.Array.__ffi_convert__(0: AnyView) -> Array<Any>", convert_argument),
    row("ffi.Map.__ffi_convert__(0: AnyView) -> Map<Any, Any>", convert_argument),
    row("ffi.List.__ffi_convert__(0: AnyView) -> List<Any>", convert_argument),
    row("ffi.Dict.__ffi_convert__(0: AnyView) -> Dict<Any, Any>", convert_argument),
    row("ffi.IntEnum.__ffi_convert__(0: AnyView) -> ffi.IntEnum", convert_argument),
    row("ffi.StrEnum.__ffi_convert__(0: AnyView) -> ffi.StrEnum", convert_argument),
];

/// The argument as one of the type of the result.
fn convert_argument(args: &Arguments<'_>) -> Result<Any> {
    let (wanted, value) = (args.signature().result(), args.any(0));
    let converted = wanted.convert(value)?;
    converted.ok_or_else(|| wanted.refuse_for(Need::Cast, value))
}

// ---------------------------------------------------------------------------------------------------------------------
// Containers and numbers
// ---------------------------------------------------------------------------------------------------------------------

fn is_instance(type_index: i32, key: &str) -> bool {
    type_table::index_of(key.as_bytes()).is_ok_and(|of| lineage::is_instance(type_index, of))
}

fn is_sequence(type_index: i32) -> bool {
    matches!(type_index, kTVMFFIArray | kTVMFFIList)
}

fn is_mapping(type_index: i32) -> bool {
    matches!(type_index, kTVMFFIMap | kTVMFFIDict)
}

fn elements(value: &AnyView<'_>) -> Result<Vec<Any>> {
    Ok(value.cast_ref().map(sequence::elements).transpose()?.unwrap_or_default())
}

fn entries(value: &AnyView<'_>) -> Result<Vec<(Any, Any)>> {
    Ok(value.cast_ref().map(map::entries).transpose()?.unwrap_or_default())
}

/// The elements of a sequence where they lie.
///
/// # Safety
/// Nobody changes the sequence while they are borrowed. So no foreign code is called meanwhile.
unsafe fn borrow<'a>(value: &'a AnyView<'_>) -> &'a [Any] {
    // SAFETY: the caller's contract is the same.
    value.cast_ref().map_or(&[], |sequence| unsafe { sequence::borrow(sequence) })
}

/// An integer or a boolean as a floating-point number.
fn as_float(int: i64) -> Any {
    // SAFETY: a number owns nothing.
    unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIFloat, (int as f64).to_bits())) }
}

/// All that an iterator gives, or `None` where one of it is missing.
fn all_of<T>(items: impl ExactSizeIterator<Item = Result<Option<T>>>) -> Result<Option<Vec<T>>> {
    // Containers are as long as their makers like, so that there may be no memory for what is made of them.
    let mut all = memory::room(items.len())?;
    for item in items {
        let Some(item) = item? else { return Ok(None) };
        all.push(item);
    }
    Ok(Some(all))
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
    fn what_fits_stays_itself(#[case] name: &'static str, #[case] value: Any) {
        let converted = Type::parse(name).cast(value.view()).unwrap();
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
    #[case("Tuple<int, float>", array_of(vec![1.into(), 2.into()]), kTVMFFIArray)]
    fn what_stands_for_it_is_converted(#[case] name: &'static str, #[case] value: Any, #[case] type_index: i32) {
        let converted = Type::parse(name).cast(value.view()).unwrap();
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
    #[case("Tuple<int>", array_of(vec![]), "Array[size=0]")]
    #[case("Tuple<int, str>", array_of(vec![1.into(), 2.into()]), "Array[index 1: int]")]
    #[case("Tuple<int>", list_of(vec![1.into()]), "ffi.List")]
    fn what_does_not_fit_is_explained(#[case] name: &'static str, #[case] value: Any, #[case] actual: &str) {
        let message = Type::parse(name).cast(value.view()).map(drop).unwrap_err().to_string();
        assert_eq!(message, format!("TypeError: Cannot convert from type `{actual}` to `{name}`"));
    }
}
