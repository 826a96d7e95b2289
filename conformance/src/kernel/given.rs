//! Arguments as plain data: what a call is given, and how reports show it.

use std::fmt;

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::*;

/// An argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Given {
    None,
    /// An opaque pointer, NULL.
    Null,
    Bool(bool),
    Int(i64),
    Float(#[serde(with = "bits")] f64),
    /// A string, small or an object.
    Text(String),
    /// A C string.
    CText(String),
    Bytes(Vec<u8>),
    /// A `TVMFFIByteArray` that is pointed to.
    ByteArray(Vec<u8>),
    DataType(DType),
    Device(i32, i32),
    Shape(Vec<i64>),
    /// An array of such, of those that are no tensors and lie in no memory of their own.
    Array(Vec<Given>),
    /// A function that returns None.
    Function,
    /// A function that raises an error.
    Failing,
    Error,
    /// A `DLTensor*` that is NULL.
    NoTensor,
    Tensor(Tensor),
}

/// A data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DType {
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
}

/// A tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tensor {
    pub dtype: DType,
    pub shape: Vec<i64>,
    /// Its elements before the call, in their order; something harmless if nothing is said.
    #[serde(with = "bits::of_all")]
    pub values: Option<Vec<f64>>,
    /// Its elements after the call, if that is known.
    #[serde(with = "bits::of_all")]
    pub becomes: Option<Vec<f64>>,
    pub form: Form,
    pub strides: Strides,
    /// Bytes between its data and its first element, by its field `byte_offset`.
    pub byte_offset: u64,
    /// Bytes that its data lies behind an address which is aligned to 256.
    pub shift: u64,
    /// Type and number of its device.
    pub device: (i32, i32),
}

/// How a tensor is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// As a `DLTensor*`.
    Borrowed,
    /// As an object of the library.
    Object,
}

/// The strides of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strides {
    /// Those of a tensor without gaps.
    Compact,
    /// A NULL pointer, which means the same.
    Null,
    /// That many times those of a tensor without gaps.
    Every(i64),
    /// Those of a tensor without gaps, the other way: the first element lies last.
    Backwards,
    /// Those of a tensor of which each row lies apart from the next, as in a part of a wider one.
    Apart,
    /// Those of a tensor that lies column by column.
    ByColumns,
    /// None: all elements are the same one, as where a single one is broadcast.
    Zero,
}

impl DType {
    pub const FLOAT32: Self = Self::scalar(kDLFloat, 32);

    pub const fn scalar(code: u8, bits: u8) -> Self {
        Self { code, bits, lanes: 1 }
    }

    /// Bytes of an element; of those that share a byte with others, one.
    pub fn size(self) -> usize {
        self.bits_of_all().div_ceil(8)
    }

    /// Bits of an element, all its lanes together.
    fn bits_of_all(self) -> usize {
        usize::from(self.bits) * usize::from(self.lanes)
    }

    /// The data type of that name, of those whose elements can be written down as numbers.
    pub fn named(name: &str) -> Option<Self> {
        let (kind, bits) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len()));
        let dtype = match (kind, bits) {
            ("bool", "") => Self::scalar(kDLBool, 8),
            ("float", "32" | "64") => Self::scalar(kDLFloat, bits.parse().ok()?),
            ("int", "8" | "16" | "32" | "64") => Self::scalar(kDLInt, bits.parse().ok()?),
            ("uint", "8" | "16" | "32" | "64") => Self::scalar(kDLUInt, bits.parse().ok()?),
            _ => return None,
        };
        Some(dtype)
    }

    /// The bytes of an element with that value; of a type that has no such, a pattern.
    pub fn bytes_of(self, value: f64) -> Vec<u8> {
        let mut bytes = match (self.code, self.bits) {
            (kDLFloat, 32) => (value as f32).to_ne_bytes().to_vec(),
            (kDLFloat, 64) => value.to_ne_bytes().to_vec(),
            (kDLInt | kDLUInt | kDLBool, _) => (value as i64).to_ne_bytes().to_vec(),
            _ => vec![value as u8; self.size()],
        };
        bytes.resize(self.size(), 0);
        bytes
    }

    /// The value of an element, if the type has such.
    pub fn value_of(self, bytes: &[u8]) -> Option<f64> {
        let mut word = [0; 8];
        word.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let raw = u64::from_ne_bytes(word);
        let unused = 64 - u32::from(self.bits).min(64);
        match (self.code, self.bits, self.lanes) {
            (kDLFloat, 32, 1) => Some(f32::from_bits(raw as u32).into()),
            (kDLFloat, 64, 1) => Some(f64::from_bits(raw)),
            (kDLInt, _, 1) => Some(((raw << unused) as i64 >> unused) as f64),
            (kDLUInt | kDLBool, _, 1) => Some(raw as f64),
            _ => None,
        }
    }
}

impl Tensor {
    /// A tensor without gaps on the host.
    pub fn new(dtype: DType, shape: &[i64]) -> Self {
        Self {
            dtype,
            shape: shape.to_vec(),
            values: None,
            becomes: None,
            form: Form::Borrowed,
            strides: Strides::Compact,
            byte_offset: 0,
            shift: 0,
            device: (kDLCPU, 0),
        }
    }

    /// What is passed where nothing is known: 64 floats.
    pub fn usual() -> Self {
        Self::new(DType::FLOAT32, &[64])
    }

    pub fn count(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// Strides in elements.
    pub fn steps(&self) -> Vec<i64> {
        let shape = &self.shape;
        let step = |dimension: usize| {
            let within: i64 = shape[dimension + 1..].iter().product();
            match self.strides {
                Strides::Compact | Strides::Null => within,
                Strides::Every(times) => times * within,
                Strides::Backwards => -within,
                Strides::Apart if dimension + 1 == shape.len() => within,
                Strides::Apart => 2 * within,
                Strides::ByColumns => shape[..dimension].iter().product(),
                Strides::Zero => 0,
            }
        };
        (0..shape.len()).map(step).collect()
    }

    /// Where its elements begin, in bytes behind the one that lies first, in their order.
    pub fn places(&self) -> Vec<usize> {
        let (steps, bits) = (self.steps(), self.dtype.bits_of_all() as i64);
        let place = |mut index: i64| {
            let mut place = 0;
            for (extent, step) in self.shape.iter().zip(&steps).rev() {
                place += index % extent * step;
                index /= extent;
            }
            (place * bits / 8 + self.origin() as i64) as usize
        };
        (0..self.count() as i64).map(place).collect()
    }

    /// Where the element of all zeros begins, in bytes behind the one that lies first.
    pub fn origin(&self) -> usize {
        let below: i64 = self.shape.iter().zip(self.steps()).map(|(extent, step)| (extent - 1) * step.min(0)).sum();
        if self.count() == 0 { 0 } else { below.unsigned_abs() as usize * self.dtype.size() }
    }

    /// How many bytes it takes from the element that lies first to the end of the one that lies last.
    pub fn extent(&self) -> usize {
        if self.count() == 0 {
            return 0;
        }
        let last: i64 = self.shape.iter().zip(self.steps()).map(|(extent, step)| (extent - 1) * step.abs()).sum();
        ((last as usize + 1) * self.dtype.bits_of_all()).div_ceil(8)
    }

    /// The bytes of its elements before the call, in their order.
    pub fn content(&self) -> Vec<u8> {
        let usual = |index: usize| (index % 7 + 1) as f64;
        let value = |index| self.values.as_ref().and_then(|values| values.get(index).copied()).unwrap_or(usual(index));
        (0..self.count()).flat_map(|index| self.dtype.bytes_of(value(index))).collect()
    }

    /// Whether it has elements where nothing can be laid down from here.
    pub fn is_out_of_reach(&self) -> bool {
        !self.is_on_host() && self.count() > 0
    }

    /// Whether the host can read its memory.
    pub fn is_on_host(&self) -> bool {
        self.device.0 == kDLCPU
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.code {
            kDLFloat => "float",
            kDLInt => "int",
            kDLUInt => "uint",
            kDLBfloat => "bfloat",
            kDLBool => return f.write_str("bool"),
            code => return write!(f, "type {code} of {} bits", self.bits),
        };
        write!(f, "{kind}{}", self.bits)?;
        if self.lanes > 1 { write!(f, "x{}", self.lanes) } else { Ok(()) }
    }
}

/// Such as `float32[2, 3] with every second element`.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.form == Form::Object {
            f.write_str("Tensor ")?;
        }
        write!(f, "{}{:?}", self.dtype, self.shape)?;
        match self.strides {
            Strides::Compact => {}
            Strides::Null => f.write_str(" without strides")?,
            Strides::Every(times) => write!(f, " of {times} times the strides")?,
            Strides::Backwards => f.write_str(" of strides below zero")?,
            Strides::Apart => f.write_str(" of rows apart")?,
            Strides::ByColumns => f.write_str(" by columns")?,
            Strides::Zero => f.write_str(" of strides of 0")?,
        }
        if self.byte_offset > 0 {
            write!(f, " at byte offset {}", self.byte_offset)?;
        }
        if self.shift > 0 {
            write!(f, " {} bytes behind an aligned address", self.shift)?;
        }
        if self.is_on_host() { Ok(()) } else { write!(f, " on device ({}, {})", self.device.0, self.device.1) }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Null => f.write_str("(void*)NULL"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Text(text) => write!(f, "{}", quoted(text.as_bytes())),
            Self::CText(text) => write!(f, "(const char*){}", quoted(text.as_bytes())),
            Self::Bytes(bytes) => write!(f, "b{}", quoted(bytes)),
            Self::ByteArray(bytes) => write!(f, "(TVMFFIByteArray*){}", quoted(bytes)),
            Self::DataType(dtype) => write!(f, "dtype({dtype})"),
            Self::Device(kind, number) => write!(f, "device({kind}, {number})"),
            Self::Shape(shape) if shape.len() > SHOWN => write!(f, "Shape of {} extents", shape.len()),
            Self::Shape(shape) => write!(f, "Shape{shape:?}"),
            Self::Array(items) => {
                let items: Vec<_> = items.iter().map(Self::to_string).collect();
                write!(f, "Array[{}]", items.join(", "))
            }
            Self::Function => f.write_str("<a Function>"),
            Self::Failing => f.write_str("<a Function that fails>"),
            Self::Error => f.write_str("<an Error>"),
            Self::NoTensor => f.write_str("(DLTensor*)NULL"),
            Self::Tensor(tensor) => tensor.fmt(f),
        }
    }
}

/// Numbers as their bits: JSON has neither infinity nor what is no number.
mod bits {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, out: S) -> Result<S::Ok, S::Error> {
        number.to_bits().serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        u64::deserialize(from).map(f64::from_bits)
    }

    pub mod of_all {
        use super::*;

        pub fn serialize<S: Serializer>(numbers: &Option<Vec<f64>>, out: S) -> Result<S::Ok, S::Error> {
            numbers
                .as_ref()
                .map(|numbers| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>())
                .serialize(out)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<f64>>, D::Error> {
            let bits = Option::<Vec<u64>>::deserialize(from)?;
            Ok(bits.map(|bits| bits.into_iter().map(f64::from_bits).collect()))
        }
    }
}

/// How much is shown of what may be long.
const SHOWN: usize = 64;

fn quoted(text: &[u8]) -> String {
    match text.get(..SHOWN) {
        Some(beginning) => format!("\"{}…\" of {} bytes", beginning.escape_ascii(), text.len()),
        None => std::str::from_utf8(text)
            .map_or_else(|_| format!("\"{}\"", text.escape_ascii()), |text| format!("{text:?}")),
    }
}

/// A call, such as `add_one(float32[64], 1)`.
pub fn written(function: &str, args: &[Given]) -> String {
    let args: Vec<_> = args.iter().map(Given::to_string).collect();
    format!("{function}({})", args.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_lie_where_strides_say() {
        let tensor = Tensor { strides: Strides::Every(2), ..Tensor::new(DType::FLOAT32, &[2, 3]) };
        assert_eq!(tensor.places(), [0, 8, 16, 24, 32, 40]);
        assert_eq!((tensor.extent(), tensor.count()), (44, 6));
        let of = |strides| Tensor { strides, ..Tensor::new(DType::FLOAT32, &[2, 3]) };
        assert_eq!((of(Strides::Backwards).places(), of(Strides::Backwards).origin()), (vec![20, 16, 12, 8, 4, 0], 20));
        assert_eq!((of(Strides::Apart).places(), of(Strides::Apart).extent()), (vec![0, 4, 8, 24, 28, 32], 36));
        assert_eq!((of(Strides::ByColumns).steps(), of(Strides::ByColumns).extent()), (vec![1, 2], 24));
        assert_eq!((of(Strides::Zero).places(), of(Strides::Zero).extent()), (vec![0; 6], 4));
        let packed = Tensor::new(DType::scalar(kDLInt, 4), &[5]);
        assert_eq!((packed.places(), packed.extent()), (vec![0, 0, 1, 1, 2], 3));
        assert_eq!(Tensor::new(DType::FLOAT32, &[]).places(), [0]);
        assert_eq!((Tensor::new(DType::FLOAT32, &[0]).extent(), Tensor::new(DType::FLOAT32, &[0]).count()), (0, 0));
    }

    #[test]
    fn numbers_that_json_lacks_are_sent() {
        let tensor = Tensor { values: Some(vec![f64::NEG_INFINITY]), ..Tensor::new(DType::FLOAT32, &[1]) };
        for given in [Given::Float(f64::INFINITY), Given::Tensor(tensor)] {
            let sent = serde_json::to_string(&given).unwrap();
            assert_eq!(serde_json::from_str::<Given>(&sent).unwrap(), given);
        }
    }

    #[test]
    fn elements_are_written_and_read() {
        for name in ["bool", "float32", "float64", "int8", "int64", "uint16"] {
            let dtype = DType::named(name).unwrap();
            assert_eq!((dtype.to_string(), dtype.value_of(&dtype.bytes_of(1.0))), (name.to_owned(), Some(1.0)));
        }
        let int8 = DType::named("int8").unwrap();
        assert_eq!(int8.value_of(&int8.bytes_of(-3.0)), Some(-3.0));
        assert_eq!(DType::named("float16"), None);
    }
}
