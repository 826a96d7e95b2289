//! Keys and values of every kind, for checks that compare a container with a model.

use std::{cell::RefCell, fmt};

use proptest::{prelude::*, sample::select};
use tvm_ffi_spec::*;

use crate::client::{connection::Client, homemade::Homemade, owned::Owned, shown, value::view, verdict::Verdict};

/// A key or a value as a model sees it.
#[derive(Clone, PartialEq)]
pub enum Pooled {
    /// Nothing.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// The bits of a double.
    Float(u64),
    /// A String in the form that the target gives it.
    Text(String),
    /// A String that is an object, however short.
    TextObject(String),
    /// Bytes in the form that the target gives them.
    Bytes(Vec<u8>),
    /// One of a few objects.
    Object(usize),
}

/// As a person writes it: `"a"`, `object 1`.
impl fmt::Debug for Pooled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::TextObject(text) => write!(f, "the object {text:?}"),
            Self::Bytes(content) => f.write_str(&shown::bytes(content)),
            Self::Object(number) => write!(f, "object {number}"),
        }
    }
}

impl Pooled {
    /// The same for all values that are the same key.
    pub fn canonical(&self) -> Self {
        match self {
            Self::TextObject(text) => Self::Text(text.clone()),
            other => other.clone(),
        }
    }
}

/// An entry of a map as a model sees it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key that was given first.
    pub key: Pooled,
    /// The value that was given last.
    pub value: Pooled,
    /// Whether the key was given again, after which nothing binding says where the entry is.
    again: bool,
}

impl Entry {
    /// Where the model of a map has a key.
    pub fn place(model: &[Self], key: &Pooled) -> Option<usize> {
        model.iter().position(|entry| entry.key.canonical() == key.canonical())
    }

    /// Puts a key into the model of a map, or gives it another value.
    pub fn put(model: &mut Vec<Self>, key: &Pooled, value: &Pooled) {
        match Self::place(model, key) {
            None => model.push(Self { key: key.clone(), value: value.clone(), again: false }),
            Some(place) => {
                model[place].value = value.clone();
                model[place].again = true;
            }
        }
    }
}

/// What the values of one model are made of.
pub struct Pool {
    objects: Vec<Homemade>,
    texts: RefCell<Vec<Homemade<TVMFFIByteArray>>>,
}

impl Pool {
    /// A pool of `count` objects.
    pub fn new(count: usize) -> Self {
        let objects = (0..count).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
        Self { objects, texts: RefCell::default() }
    }

    /// A value for the target, lent to it as long as both this and what is answered live.
    pub fn make(&self, client: &Client, value: &Pooled) -> Verdict<Made> {
        let plain = |any| Ok(Made { any, _owner: None });
        let owned = |owner: Owned| Ok(Made { any: owner.any(), _owner: Some(owner) });
        match value {
            Pooled::None => plain(TVMFFIAny::NONE),
            Pooled::Bool(value) => plain(view::bool(*value)),
            Pooled::Int(value) => plain(view::int(*value)),
            Pooled::Float(bits) => plain(TVMFFIAny::new(kTVMFFIFloat, *bits)),
            Pooled::Text(text) => owned(client.string(text.as_bytes())?),
            Pooled::Bytes(bytes) => owned(client.bytes(bytes)?),
            Pooled::Object(number) => plain(self.objects[*number].view()),
            Pooled::TextObject(text) => {
                let object = text_object(kTVMFFIStr, text.as_bytes());
                let any = object.view();
                self.texts.borrow_mut().push(object);
                plain(any)
            }
        }
    }

    /// Expects each object to be held by the pool and by one reference for each time that it is among `values`, and no
    /// object of a text to have been ended more than once.
    pub fn counted<'a>(&self, client: &Client, values: impl Iterator<Item = &'a Pooled> + Clone) -> Verdict {
        for (number, object) in self.objects.iter().enumerate() {
            let held = values.clone().filter(|value| **value == Pooled::Object(number)).count() as u32;
            client.eq(format_args!("strong count of object {number}"), object.counts().0, 1 + held)?;
        }
        Ok(())
    }

    /// Expects that nobody but the pool holds anything of it.
    pub fn let_go(&self, client: &Client) -> Verdict {
        self.counted(client, std::iter::empty())?;
        for text in self.texts.borrow().iter() {
            client.eq("strong count of a String that was a key or a value", text.counts().0, 1)?;
        }
        Ok(())
    }
}

/// A value for the target.
pub struct Made {
    /// The value; what it refers to belongs to the model.
    pub any: TVMFFIAny,
    _owner: Option<Owned>,
}

/// A String or Bytes object of any length, with its text in another place.
pub fn text_object(type_index: i32, text: &[u8]) -> Homemade<TVMFFIByteArray> {
    let mut copy = text.to_vec();
    copy.push(0);
    let copy: &'static [u8] = copy.leak();
    Homemade::new(type_index, TVMFFIByteArray::new(&copy[..text.len()]))
}

/// Values of every kind, few enough to meet again and again.
pub fn values(objects: usize) -> impl Strategy<Value = Pooled> {
    let texts = ["", "a", "abc", "seven_b", "eight_by", "a text that is not short at all"];
    let floats = [0.0, -0.0, 1.0, 2.0, f64::NAN, -f64::NAN, f64::INFINITY].map(f64::to_bits);
    prop_oneof![
        1 => Just(Pooled::None),
        1 => any::<bool>().prop_map(Pooled::Bool),
        8 => (-2_i64..30).prop_map(Pooled::Int),
        1 => select(vec![i64::MIN, i64::MAX, 1 << 32]).prop_map(Pooled::Int),
        3 => select(floats.to_vec()).prop_map(Pooled::Float),
        3 => select(texts.to_vec()).prop_map(|text| Pooled::Text(text.to_owned())),
        2 => select(texts.to_vec()).prop_map(|text| Pooled::TextObject(text.to_owned())),
        2 => select(texts.to_vec()).prop_map(|text| Pooled::Bytes(text.as_bytes().to_vec())),
        4 => (0..objects).prop_map(Pooled::Object),
    ]
    // What a union makes of each value has room for what each part of it makes, and is moved about.
    .boxed()
}

impl Client {
    /// Expects the entries of a model, in its order but for those whose keys were given again.
    pub fn has_entries(&self, pool: &Pool, entries: &[(TVMFFIAny, TVMFFIAny)], model: &[Entry]) -> Verdict {
        self.eq("number of entries", entries.len(), model.len())?;
        let mut before = None;
        for Entry { key, value, again } in model {
            let made = pool.make(self, key)?;
            let mut place = None;
            for (index, (stored, _)) in entries.iter().enumerate() {
                if place.is_none() && self.same(stored, &made.any)? {
                    place = Some(index);
                }
            }
            let Some(index) = place else {
                return Err(self.failure(format!("the entry of {key:?}"), "there", "missing"));
            };
            self.is(format_args!("key {key:?}"), &entries[index].0, pool, key)?;
            self.is(format_args!("value of {key:?}"), &entries[index].1, pool, value)?;
            if !again {
                let what = format_args!("place of {key:?}, behind what was put in before it");
                self.that(what, place > before, "further behind", index)?;
                before = place;
            }
        }
        Ok(())
    }

    /// Expects a stored value to be what the model says: a text in any form with the same content, anything else to the
    /// bit.
    pub fn is(&self, what: impl std::fmt::Display, stored: &TVMFFIAny, pool: &Pool, expected: &Pooled) -> Verdict {
        match expected {
            Pooled::Text(text) | Pooled::TextObject(text) => {
                let known = matches!(stored.type_index, kTVMFFIStr | kTVMFFISmallStr);
                self.that(&what, known, format_args!("the String {text:?}"), format_args!("{stored:?}"))?;
                self.eq(what, String::from_utf8_lossy(&self.text(stored)?), text.into())
            }
            Pooled::Bytes(bytes) => {
                let known = matches!(stored.type_index, kTVMFFIBytes | kTVMFFISmallBytes);
                self.that(&what, known, format_args!("the Bytes {bytes:?}"), format_args!("{stored:?}"))?;
                self.eq(what, &self.text(stored)?, bytes)
            }
            plain => self.any_eq(what, stored, &pool.make(self, plain)?.any),
        }
    }
}
