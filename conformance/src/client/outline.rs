//! What a value looks like with all that lies in it, so that two can be compared whose objects are others.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, content::without_addresses, node::fields_of, owned::Answer, verdict::Verdict};

/// A value with all that lies in it.
#[derive(Clone, Default)]
pub struct Outline {
    /// The values in the order in which they are met. Objects are numbered as they come, so that one in two places is not taken for two.
    pub text: String,
    /// The objects that were met.
    pub objects: Vec<u64>,
}

impl Client {
    /// What a call has come to: the kind of its error, or its answer with all that lies in it.
    pub fn come_to(&self, answer: Answer) -> Verdict<String> {
        match answer {
            Ok(answer) => Ok(self.outline(&answer.any(), &[])?.text),
            Err(raised) => Ok(raised.kind),
        }
    }

    /// A value with all that lies in it: in containers, and in [nodes](crate::client::node) of these types.
    pub fn outline(&self, value: &TVMFFIAny, nodes: &[i32]) -> Verdict<Outline> {
        self.outline_of_all(&[*value], nodes)
    }

    /// Several values, one behind the other, with all that lies in them.
    pub fn outline_of_all(&self, values: &[TVMFFIAny], nodes: &[i32]) -> Verdict<Outline> {
        self.outline_behind(Outline::default(), values, nodes)
    }

    /// The same behind what was met before, which has not changed.
    pub fn outline_behind(&self, before: Outline, values: &[TVMFFIAny], nodes: &[i32]) -> Verdict<Outline> {
        let Outline { mut text, mut objects } = before;
        let mut left: Vec<_> = values.iter().rev().copied().collect();
        while let Some(value) = left.pop() {
            if value.type_index < kTVMFFIStaticObjectBegin {
                text += &format!("{}:{:x} ", value.type_index, value.payload());
                continue;
            }
            let before = objects.iter().position(|object| *object == value.payload());
            text += &format!("{}#{} ", value.type_index, before.unwrap_or(objects.len()));
            if before.is_some() {
                continue;
            }
            objects.push(value.payload());
            match value.type_index {
                kTVMFFIStr | kTVMFFIBytes => text += &without_addresses(&String::from_utf8_lossy(&self.text(&value)?)),
                kTVMFFIArray | kTVMFFIList => {
                    left.extend(self.sequence(value.payload() as TVMFFIObjectHandle)?.items.iter().rev());
                }
                kTVMFFIMap | kTVMFFIDict => {
                    let entries = self.map(value.payload() as TVMFFIObjectHandle)?.entries;
                    left.extend(entries.iter().rev().flat_map(|(key, value)| [*value, *key]));
                }
                kind if nodes.contains(&kind) => {
                    left.extend(fields_of(&value).into_iter().flat_map(|node| [node.second, node.first]));
                }
                _ => {}
            }
        }
        Ok(Outline { text, objects })
    }
}
