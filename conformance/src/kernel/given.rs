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
    Float(f64),
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
    Array(Vec<i64>),
    /// A function that returns None.
    Function,
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
    pub values: Option<Vec<f64>>,
    /// Its elements after the call, if that is known.
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
}

impl DType {
    pub const FLOAT32: Self = Self::scalar(kDLFloat, 32);

    pub const fn scalar(code: u8, bits: u8) -> Self {
        Self { code, bits, lanes: 1 }
    }

    /// Bytes of an element.
    pub fn size(self) -> usize {
        (usize::from(self.bits) * usize::from(self.lanes)).div_ceil(8)
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
            }
        };
        (0..shape.len()).map(step).collect()
    }

    /// Where its elements begin, in bytes behind the one that lies first, in their order.
    pub fn places(&self) -> Vec<usize> {
        let (steps, size) = (self.steps(), self.dtype.size() as i64);
        let place = |mut index: i64| {
            let mut place = 0;
            for (extent, step) in self.shape.iter().zip(&steps).rev() {
                place += index % extent * step;
                index /= extent;
            }
            (place * size + self.origin() as i64) as usize
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
        (last as usize + 1) * self.dtype.size()
    }

    /// The bytes of its elements before the call, in their order.
    pub fn content(&self) -> Vec<u8> {
        let usual = |index: usize| (index % 7 + 1) as f64;
        let value = |index| self.values.as_ref().and_then(|values| values.get(index).copied()).unwrap_or(usual(index));
        (0..self.count()).flat_map(|index| self.dtype.bytes_of(value(index))).collect()
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
            Self::Text(text) => write!(f, "{text:?}"),
            Self::CText(text) => write!(f, "(const char*){text:?}"),
            Self::Bytes(bytes) => write!(f, "b\"{}\"", bytes.escape_ascii()),
            Self::ByteArray(bytes) => write!(f, "(TVMFFIByteArray*)\"{}\"", bytes.escape_ascii()),
            Self::DataType(dtype) => write!(f, "dtype({dtype})"),
            Self::Device(kind, number) => write!(f, "device({kind}, {number})"),
            Self::Shape(shape) => write!(f, "Shape{shape:?}"),
            Self::Array(items) => write!(f, "Array{items:?}"),
            Self::Function => f.write_str("<a Function>"),
            Self::Error => f.write_str("<an Error>"),
            Self::NoTensor => f.write_str("(DLTensor*)NULL"),
            Self::Tensor(tensor) => tensor.fmt(f),
        }
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
        assert_eq!(Tensor::new(DType::FLOAT32, &[]).places(), [0]);
        assert_eq!((Tensor::new(DType::FLOAT32, &[0]).extent(), Tensor::new(DType::FLOAT32, &[0]).count()), (0, 0));
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
