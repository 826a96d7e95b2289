//! What new objects of a target show, which tells the generation of the ABI that it speaks: their headers as bare bytes, before and
//! after another reference, and their texts. All calls are such that no generation has another prototype for them.

use std::ffi::c_void;

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::{TVMFFIAny, TVMFFIByteArray, TVMFFIErrorCell, TVMFFIObject, kTVMFFIError, kTVMFFIStr};

use crate::client::{Client, api::Api, memory};

/// The length of an object's header, in each generation that is asked for objects.
pub const HEADER: usize = size_of::<TVMFFIObject>();
/// The kind of the Error that is made.
const KIND: &str = "ValueError";
/// Its message, and the content of the String: longer than what a value may hold in place of a pointer.
const TEXT: &str = "tvm-ffi-verify asks which generation this is";

/// A kind of object that is asked for. No two are made, shared and given up by the same functions, so that a target which lacks one
/// of these has another to show.
pub struct Asked {
    /// As people call a new one.
    pub name: &'static str,
    /// What its header says that it is.
    pub type_index: i32,
    /// All that is called.
    pub functions: &'static [&'static str],
    /// The texts behind its header: how far, and what they are.
    texts: &'static [(usize, &'static str)],
    make: fn(&Api) -> *mut c_void,
    share: fn(&Api, *mut c_void),
    give_up: fn(&Api, *mut c_void),
}

/// All of them.
pub const ASKED: [Asked; 2] = [
    Asked {
        name: "a new Error",
        type_index: kTVMFFIError,
        functions: &["TVMFFIErrorSetRaisedFromCStr", "TVMFFIErrorMoveFromRaised", "TVMFFIErrorSetRaised"],
        texts: &[
            (std::mem::offset_of!(TVMFFIErrorCell, kind), KIND),
            (std::mem::offset_of!(TVMFFIErrorCell, message), TEXT),
        ],
        make: |api| {
            let (kind, message, mut error) = (c_string(KIND), c_string(TEXT), std::ptr::null_mut());
            api.TVMFFIErrorSetRaisedFromCStr(kind.as_ptr().cast(), message.as_ptr().cast());
            api.TVMFFIErrorMoveFromRaised(&mut error);
            error
        },
        share: |api, error| api.TVMFFIErrorSetRaised(error),
        // What is raised is held, and given up where nothing is.
        give_up: |api, _| api.TVMFFIErrorSetRaised(std::ptr::null_mut()),
    },
    Asked {
        name: "a new String",
        type_index: kTVMFFIStr,
        functions: &["TVMFFIStringFromByteArray", "TVMFFIObjectIncRef", "TVMFFIObjectDecRef"],
        texts: &[(0, TEXT)],
        make: |api| {
            let mut made = TVMFFIAny::NONE;
            api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(TEXT.as_bytes()), &mut made);
            made.payload() as *mut c_void
        },
        share: |api, string| {
            api.TVMFFIObjectIncRef(string);
        },
        give_up: |api, string| {
            api.TVMFFIObjectDecRef(string);
        },
    },
];

/// What an object of each kind showed, in the order of [`ASKED`]; none where the target lacks a function for that.
pub type ObjectsShown = [Option<ObjectShown>; ASKED.len()];

/// What an object showed. What could not be read is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectShown {
    /// The header with one reference.
    pub alone: Vec<u8>,
    /// The header with two.
    pub shared: Vec<u8>,
    /// The header when the second one was given up again.
    pub alone_again: Vec<u8>,
    /// Its texts.
    pub texts: Vec<Vec<u8>>,
}

/// Makes objects and looks at them. Nothing of them is given back: the process ends right after.
pub fn look(client: &Client) -> ObjectsShown {
    let api = &client.api;
    ASKED.each_ref().map(|asked| asked.functions.iter().all(|name| api.table().has(name)).then(|| asked.shown(api)))
}

impl Asked {
    /// The texts that it shows where it is what it says.
    pub fn texts(&self) -> Vec<Vec<u8>> {
        self.texts.iter().map(|(_, text)| text.as_bytes().to_vec()).collect()
    }

    fn shown(&self, api: &Api) -> ObjectShown {
        let mut shown = ObjectShown::default();
        let object = (self.make)(api);
        let header = || memory::read_bytes(object, HEADER).unwrap_or_default();
        shown.alone = header();
        // What cannot be read is nothing to be handed back.
        if shown.alone.is_empty() {
            return shown;
        }
        let text = |(place, _): &(usize, &str)| text(object.wrapping_byte_add(HEADER + place)).unwrap_or_default();
        shown.texts = self.texts.iter().map(text).collect();
        (self.share)(api, object);
        shown.shared = header();
        (self.give_up)(api, object);
        shown.alone_again = header();
        shown
    }
}

fn c_string(text: &str) -> Vec<u8> {
    [text.as_bytes(), b"\0"].concat()
}

/// The text of a byte array, if that is short.
fn text(place: *const c_void) -> Option<Vec<u8>> {
    let array: TVMFFIByteArray = memory::read(place.cast())?;
    (array.size <= TEXT.len()).then(|| memory::read_bytes(array.data.cast(), array.size)).flatten()
}
