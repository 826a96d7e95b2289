//! A value and all that is in it, as text that is the same for the same content, whichever library holds it.

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Client, Verdict, reflected, set_failed};

/// Data deeper than this is not looked at.
const DEPTH: usize = 12;
/// Neither is what is behind this many elements.
const LENGTH: usize = 200;

/// Text for a value, and every object that was met on the way.
pub struct Seen<'a> {
    client: &'a Client,
    /// The objects, each once.
    pub objects: Vec<TVMFFIObjectHandle>,
}

impl<'a> Seen<'a> {
    /// Looks at values of this client's library.
    pub fn new(client: &'a Client) -> Self {
        Self { client, objects: Vec::new() }
    }

    /// The text of a value; of what cannot be read, what is wrong.
    pub fn text(&mut self, value: &TVMFFIAny) -> String {
        self.value(value, 0).unwrap_or_else(|failure| {
            set_failed(false);
            format!("<{}>", failure.evidence.message)
        })
    }

    fn value(&mut self, value: &TVMFFIAny, depth: usize) -> Verdict<String> {
        let payload = value.payload();
        Ok(match value.type_index {
            kTVMFFINone => "None".to_owned(),
            kTVMFFIBool => format!("bool {payload}"),
            kTVMFFIInt => format!("{}", payload as i64),
            kTVMFFIFloat if f64::from_bits(payload).is_nan() => format!("NaN {payload:#x}"),
            kTVMFFIFloat => format!("{:?}", f64::from_bits(payload)),
            // Where something lies is each library's own affair.
            kTVMFFIOpaquePtr if payload > 1 << 12 => "pointer".to_owned(),
            kTVMFFISmallStr | kTVMFFIStr => format!("\"{}\"", shown(&self.client.text(value)?)),
            kTVMFFISmallBytes | kTVMFFIBytes => format!("b\"{}\"", self.client.text(value)?.escape_ascii()),
            index if index < kTVMFFIStaticObjectBegin => format!("type {index}: {payload:#x}"),
            _ => self.object(payload as TVMFFIObjectHandle, depth)?,
        })
    }

    fn object(&mut self, object: TVMFFIObjectHandle, depth: usize) -> Verdict<String> {
        if !self.objects.contains(&object) {
            self.objects.push(object);
        }
        if depth > DEPTH {
            return Ok("...".to_owned());
        }
        let index = self.client.header(object)?.type_index;
        let info = reflected::info(self.client, index)?;
        let key = reflected::key(self.client, &info)?;
        let inside = match index {
            kTVMFFIArray | kTVMFFIList => {
                let items = self.client.sequence(object)?.items;
                let count = items.len();
                let shown: Verdict<Vec<_>> =
                    items.iter().take(LENGTH).map(|item| self.value(item, depth + 1)).collect();
                format!("{count}: {}", shown?.join(", "))
            }
            kTVMFFIMap | kTVMFFIDict => {
                let mut shown = Vec::new();
                for (key, value) in self.client.map(object)?.entries.iter().take(LENGTH) {
                    shown.push(format!("{} => {}", self.value(key, depth + 1)?, self.value(value, depth + 1)?));
                }
                shown.join(", ")
            }
            kTVMFFIError => {
                let cell: TVMFFIErrorCell = self.client.cell("an Error", object)?;
                let kind = self.client.read_array("its kind", cell.kind)?;
                let mut linked = |object: TVMFFIObjectHandle| match object.is_null() {
                    true => Ok("NULL".to_owned()),
                    false => self.object(object, depth + 1),
                };
                format!("{}, {}, {}", shown(&kind), linked(cell.cause_chain)?, linked(cell.extra_context)?)
            }
            kTVMFFIShape => {
                let cell: TVMFFIShapeCell = self.client.cell("a Shape", object)?;
                let extents = (0..cell.size.min(LENGTH))
                    .map(|place| self.client.read("an extent", cell.data.wrapping_add(place)));
                format!("{:?}", extents.collect::<Verdict<Vec<i64>>>()?)
            }
            kTVMFFITensor => {
                let tensor: DLTensor = self.client.cell("a Tensor", object)?;
                let words = |what: &str, first: *mut i64| -> Verdict<Vec<i64>> {
                    let count = if first.is_null() { 0 } else { tensor.ndim.clamp(0, 16) as usize };
                    (0..count).map(|place| self.client.read(what, first.wrapping_add(place).cast_const())).collect()
                };
                let DLTensor { dtype, device, byte_offset, .. } = tensor;
                let (shape, strides) = (words("an extent", tensor.shape)?, words("a stride", tensor.strides)?);
                format!("{dtype:?} {device:?} {shape:?} {strides:?} {byte_offset}")
            }
            kTVMFFIBigInt => {
                let value = TVMFFIAny::new(index, object as u64);
                let content = self.client.api.TVMFFIBigIntGetContentByteArray(&value);
                self.client.read_array("a BigInt", content)?.escape_ascii().to_string()
            }
            _ => self.fields(object, &info, depth)?,
        };
        Ok(format!("{key}({inside})"))
    }

    /// The reflected fields that can be read, of a type and of its ancestors.
    fn fields(&mut self, object: TVMFFIObjectHandle, info: &TVMFFITypeInfo, depth: usize) -> Verdict<String> {
        let mut indices = Vec::new();
        for place in 0..info.type_depth as usize {
            let ancestor = self.client.read("an ancestor", info.type_ancestors.wrapping_add(place))?;
            indices.push(self.client.read("an ancestor", ancestor)?.type_index);
        }
        indices.push(info.type_index);
        let mut shown = Vec::new();
        for index in indices {
            for field in reflected::fields(self.client, index)? {
                if field.getter.is_some() {
                    let name = reflected::text(self.client, "name", field.name)?;
                    let value = reflected::get(self.client, object, &field)?;
                    shown.push(format!("{name} = {}", self.value(&value.any(), depth + 1)?));
                }
            }
        }
        Ok(shown.join(", "))
    }
}

/// A text with the addresses in it left out: printed forms have some.
fn shown(text: &[u8]) -> String {
    let text = text.escape_ascii().to_string();
    let mut parts = text.split("0x");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("0x");
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
        shown.push_str(if part.len() - rest.len() > 6 { rest } else { part });
    }
    shown
}
