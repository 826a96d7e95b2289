//! The forms in which a client may pass one text: whoever takes one has to take them all.

use std::{any::Any, ffi::CString};

use tvm_ffi_spec::*;

use crate::client::homemade::Homemade;

/// A text as a client passes it. What the view refers to lives as long as this does.
pub struct Form {
    /// Which form it is, for reports.
    pub name: &'static str,
    /// The value that is passed.
    pub view: TVMFFIAny,
    _keeps: Box<dyn Any>,
}

/// A String in each form that it can have: a C string unless it holds a NUL, inline if it is short, and an object that a
/// client made, with its content elsewhere, as C++ clients also make short ones.
pub fn of_string(text: &[u8]) -> Vec<Form> {
    let raw = CString::new(text).ok().map(|text| {
        let view = TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64);
        Form { name: "a C string", view, _keeps: Box::new(text) }
    });
    let small = inline(kTVMFFISmallStr, text).map(|view| Form { name: "a small string", view, _keeps: Box::new(()) });
    raw.into_iter().chain(small).chain([client_object("a String object of a client's", kTVMFFIStr, text)]).collect()
}

/// Bytes in each form that they can have: a byte array, inline if they are few, and an object that a client made.
pub fn of_bytes(bytes: &[u8]) -> Vec<Form> {
    let content = bytes.to_vec();
    let array = Box::new(TVMFFIByteArray::new(&content));
    let view = TVMFFIAny::new(kTVMFFIByteArrayPtr, std::ptr::from_ref(&*array) as u64);
    let array = Form { name: "a byte array", view, _keeps: Box::new((array, content)) };
    let small = inline(kTVMFFISmallBytes, bytes).map(|view| Form { name: "small bytes", view, _keeps: Box::new(()) });
    [array]
        .into_iter()
        .chain(small)
        .chain([client_object("a Bytes object of a client's", kTVMFFIBytes, bytes)])
        .collect()
}

/// A small string or small bytes, made by hand; `None` if there are more than seven.
pub fn inline(type_index: i32, content: &[u8]) -> Option<TVMFFIAny> {
    let mut payload = [0; 8];
    payload[..7].get_mut(..content.len())?.copy_from_slice(content);
    let mut any = TVMFFIAny::new(type_index, u64::from_ne_bytes(payload));
    any.aux.small_str_len = content.len() as u32;
    Some(any)
}

fn client_object(name: &'static str, type_index: i32, content: &[u8]) -> Form {
    let terminated = [content, b"\0"].concat();
    let object = Homemade::new(type_index, TVMFFIByteArray::new(&terminated[..content.len()]));
    Form { name, view: object.view(), _keeps: Box::new(terminated) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::text_of;

    #[test]
    fn every_form_of_a_string_holds_its_text() {
        let cases: [(&[u8], usize); 4] = [(b"seven_b", 3), (b"a\0b", 2), (b"eight_by", 2), (b"", 3)];
        for (text, forms) in cases {
            let all = of_string(text);
            assert_eq!(all.len(), forms, "{text:?}");
            assert!(all.iter().all(|form| text_of(&form.view).as_deref() == Some(text)), "{text:?}");
        }
    }

    #[test]
    fn bytes_are_inline_only_when_few() {
        assert_eq!(of_bytes(b"eight_by").len(), 2);
        assert_eq!(of_bytes(b"a\0b").iter().filter_map(|form| text_of(&form.view)).count(), 2);
    }
}
