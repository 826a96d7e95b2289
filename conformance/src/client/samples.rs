//! Values in every form, and the places where a value may stand: what checks of containers and of walks draw from, so that
//! a rule is tried on each form at each place and not on one.

use std::{cmp::Ordering, num::FpCategory};

use tvm_ffi_spec::*;

use crate::client::{
    connection::Client, containers::keys::text_object, globals, homemade::Homemade, owned::Owned, value::view,
    verdict::Verdict,
};

/// A value in one of the forms that a client may pass it in.
pub struct Sample {
    /// What it is, for messages.
    pub name: String,
    content: Content,
    any: TVMFFIAny,
    _owner: Owner,
}

/// What a value says, whatever its form.
#[derive(PartialEq)]
enum Content {
    Plain(i32, u64),
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    BigInt(i128),
}

/// Who keeps what a value refers to.
enum Owner {
    Nobody,
    Library { _value: Owned },
    Client { _text: Homemade<TVMFFIByteArray> },
    Object { _object: Homemade },
}

impl Sample {
    /// The value, lent.
    pub fn any(&self) -> TVMFFIAny {
        self.any
    }

    /// Whether both are one value, in whatever forms.
    pub fn same(&self, other: &Self) -> bool {
        self.content == other.content
    }

    /// Whether no promise says if both are equal: two zeros of unlike sign, or two that are no number.
    pub fn akin(&self, other: &Self) -> bool {
        let float = |sample: &Self| match sample.content {
            Content::Plain(kTVMFFIFloat, bits) => Some(f64::from_bits(bits)),
            _ => None,
        };
        match (float(self), float(other)) {
            (Some(lhs), Some(rhs)) => !self.same(other) && (lhs == rhs || lhs.is_nan() && rhs.is_nan()),
            _ => false,
        }
    }

    /// Whether both have one type, strings and bytes of every form taken for one type each.
    pub fn same_type(&self, other: &Self) -> bool {
        match (&self.content, &other.content) {
            (Content::Plain(lhs, _), Content::Plain(rhs, _)) => lhs == rhs,
            (lhs, rhs) => std::mem::discriminant(lhs) == std::mem::discriminant(rhs),
        }
    }

    /// The order of two numbers of one type by value, and of two texts byte by byte; none of other values.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        match (&self.content, &other.content) {
            (Content::Plain(kTVMFFIFloat, lhs), Content::Plain(kTVMFFIFloat, rhs)) => {
                f64::from_bits(*lhs).partial_cmp(&f64::from_bits(*rhs))
            }
            (Content::Plain(kTVMFFIInt, lhs), Content::Plain(kTVMFFIInt, rhs))
            | (Content::Plain(kTVMFFIBool, lhs), Content::Plain(kTVMFFIBool, rhs)) => {
                Some((*lhs as i64).cmp(&(*rhs as i64)))
            }
            (Content::Text(lhs), Content::Text(rhs)) | (Content::Bytes(lhs), Content::Bytes(rhs)) => Some(lhs.cmp(rhs)),
            (Content::BigInt(lhs), Content::BigInt(rhs)) => Some(lhs.cmp(rhs)),
            _ => None,
        }
    }

    /// The bytes of a text, if it is one.
    pub fn text(&self) -> Option<&[u8]> {
        match &self.content {
            Content::Text(text) | Content::Bytes(text) => Some(text),
            Content::Plain(..) | Content::BigInt(_) => None,
        }
    }

    /// Whether it has no part that only this process understands: it is no pointer and no object but a text or an integer.
    pub fn is_data(&self) -> bool {
        !matches!(self.content, Content::Plain(kTVMFFIOpaquePtr | kTVMFFIStaticObjectBegin.., _))
    }

    /// Whether a JSON text can say it: a String is in UTF-8, and a float is no less than the normal ones and a number.
    pub fn fits_json(&self) -> bool {
        match &self.content {
            Content::Plain(kTVMFFIFloat, bits) => {
                matches!(f64::from_bits(*bits).classify(), FpCategory::Normal | FpCategory::Zero)
            }
            Content::Text(text) => std::str::from_utf8(text).is_ok(),
            _ => self.is_data(),
        }
    }

    pub(in crate::client) fn plain(name: &str, any: TVMFFIAny) -> Self {
        Self {
            name: name.to_owned(),
            content: Content::Plain(any.type_index, any.payload()),
            any,
            _owner: Owner::Nobody,
        }
    }
}

/// Numbers at the edges of what fits in 31, 53 and 63 bits.
const INTS: [i64; 8] = [0, 1, -1, 1 << 31, (1 << 53) + 1, -(1 << 53) - 1, i64::MAX, i64::MIN];

/// Integers beyond 64 bits: the first that is, two that differ in their high words alone, and one below.
const BIG_INTS: [i128; 4] = [1 << 63, (1 << 64) + 5, (2 << 64) + 5, -(1 << 64) - 5];

/// Bits of floats that are easily taken for others: zeros, integers, the smallest, the largest and what is no number.
const FLOATS: [u64; 12] = [
    0,
    1 << 63,
    0x3FF0_0000_0000_0000,
    0x4340_0000_0000_0000,
    1,
    0x7FEF_FFFF_FFFF_FFFF,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_1234,
    0x7FF0_0000_0000_0001,
    0xFFF4_0000_0000_0000,
];

/// Texts of 0, 7, 8 and more bytes, with NUL and without, with bytes beyond ASCII, and not in UTF-8.
pub const TEXTS: [&[u8]; 8] = [
    b"",
    b"a\0b",
    b"seven_b",
    b"eight_by",
    b"\xC3\xA9",
    b"\xFF\x80",
    b"a text that is not short, with \0 and \xE2\x82\xAC in it",
    b"a text that is not short, and ends where a C string does",
];

/// Numbers of elements around which tables, blocks and buffers of a fixed size end.
pub const SIZES: [i64; 15] = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 65, 129, 257, 1025];

/// Lengths of texts around which buffers of a fixed size end.
pub const LENGTHS: [usize; 22] =
    [0, 1, 6, 7, 8, 9, 15, 16, 17, 30, 31, 32, 63, 64, 65, 127, 128, 255, 256, 1024, 4096, 70_000];

/// Each length up to 1100 that is within two bytes of a power of two or of a multiple of 64: a buffer that grows in steps is just full, or one byte
/// short, at one of them.
pub fn edges() -> impl Iterator<Item = usize> + Clone {
    let is_near = |len: &usize| {
        (len.saturating_sub(2)..=len + 2).any(|other| other.is_multiple_of(64) || other.is_power_of_two())
    };
    (0..=1100).filter(is_near)
}

impl Client {
    /// Values of every type in every form.
    pub fn samples(&self) -> Verdict<Vec<Sample>> {
        let mut all = vec![
            Sample::plain("None", TVMFFIAny::NONE),
            Sample::plain("false", view::bool(false)),
            Sample::plain("true", view::bool(true)),
        ];
        all.extend(INTS.map(|value| Sample::plain(&format!("the integer {value}"), view::int(value))));
        all.extend(FLOATS.map(|bits| {
            let name = format!("the float {:?} ({bits:#x})", f64::from_bits(bits));
            Sample::plain(&name, TVMFFIAny::new(kTVMFFIFloat, bits))
        }));
        all.push(Sample::plain("a data type", TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002)));
        all.push(Sample::plain("a data type of other lanes", TVMFFIAny::new(kTVMFFIDataType, 0x0004_2002)));
        all.push(Sample::plain("a device", TVMFFIAny::new(kTVMFFIDevice, 1)));
        all.push(Sample::plain("a device of another number", TVMFFIAny::new(kTVMFFIDevice, 1 << 32 | 1)));
        all.push(Sample::plain("a pointer", TVMFFIAny::new(kTVMFFIOpaquePtr, 0x10)));
        for text in TEXTS {
            all.extend(self.text_samples(text)?);
        }
        for value in BIG_INTS {
            all.extend(self.big_int_samples(value)?);
        }
        let object = Homemade::new(kTVMFFIObject, ());
        let content = Content::Plain(kTVMFFIObject, object.view().payload());
        all.push(Sample {
            name: "an object".to_owned(),
            content,
            any: object.view(),
            _owner: Owner::Object { _object: object },
        });
        Ok(all)
    }

    /// A text as a String and as Bytes in the form that the library gives it.
    pub(in crate::client) fn owned_text_samples(&self, text: &[u8]) -> Verdict<[Sample; 2]> {
        let shown = text.escape_ascii();
        let (string, bytes) = (self.string(text)?, self.bytes(text)?);
        let sample = |what: &str, content, value: Owned| Sample {
            name: format!("{what} b\"{shown}\""),
            content,
            any: value.any(),
            _owner: Owner::Library { _value: value },
        };
        Ok([
            sample("the String", Content::Text(text.to_vec()), string),
            sample("the Bytes", Content::Bytes(text.to_vec()), bytes),
        ])
    }

    /// A text as a String and as Bytes: in the form that the library gives it, as an object of a client, and raw.
    fn text_samples(&self, text: &[u8]) -> Verdict<Vec<Sample>> {
        let shown = text.escape_ascii();
        let (string, bytes) = (self.string(text)?, self.bytes(text)?);
        let (own_string, own_bytes) = (text_object(kTVMFFIStr, text), text_object(kTVMFFIBytes, text));
        let sample = |what: &str, content: fn(Vec<u8>) -> Content, any, owner| Sample {
            name: format!("{what} b\"{shown}\""),
            content: content(text.to_vec()),
            any,
            _owner: owner,
        };
        // Texts outside of objects are kept for the life of the process.
        let raw_bytes = view::byte_array(Box::leak(Box::new(TVMFFIByteArray::new(text.to_vec().leak()))));
        let mut all = vec![
            sample("the String", Content::Text, string.any(), Owner::Library { _value: string }),
            sample("a client's String", Content::Text, own_string.view(), Owner::Client { _text: own_string }),
            sample("the Bytes", Content::Bytes, bytes.any(), Owner::Library { _value: bytes }),
            sample("a client's Bytes", Content::Bytes, own_bytes.view(), Owner::Client { _text: own_bytes }),
            sample("the byte array", Content::Bytes, raw_bytes, Owner::Nobody),
        ];
        if let Ok(raw) = std::ffi::CString::new(text) {
            all.push(sample(
                "the C string",
                Content::Text,
                view::c_str(Box::leak(raw.into_boxed_c_str())),
                Owner::Nobody,
            ));
        }
        Ok(all)
    }

    /// An integer beyond 64 bits as two objects; none where the target makes no object of its words, which is for other checks to judge.
    fn big_int_samples(&self, value: i128) -> Verdict<Vec<Sample>> {
        let mut all = Vec::new();
        for which in ["one", "another"] {
            let Some(made) = self.big_int(value)? else { return Ok(vec![]) };
            all.push(Sample {
                name: format!("{which} of the integer {value}"),
                content: Content::BigInt(value),
                any: made.any(),
                _owner: Owner::Library { _value: made },
            });
        }
        Ok(all)
    }

    /// An object of an integer beyond 64 bits; none where the target makes no object of its words.
    pub fn big_int(&self, value: i128) -> Verdict<Option<Owned>> {
        if !self.api.has("TVMFFIBigIntFromByteArray") {
            return Ok(None);
        }
        let mut made = TVMFFIAny::NONE;
        if self.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&value.to_ne_bytes()), &mut made) != 0 {
            self.take_raised();
            return Ok(None);
        }
        let made = self.own(made);
        Ok((made.any().type_index == kTVMFFIBigInt).then_some(made))
    }

    /// Expects a stored value to be a sample: a text in any form that owns it, an integer beyond 64 bits in any object, anything else
    /// to the bit.
    pub fn is_sample(&self, what: impl std::fmt::Display, stored: &TVMFFIAny, sample: &Sample) -> Verdict {
        self.storable(&what, stored)?;
        let (text, known) = match &sample.content {
            Content::Plain(type_index, payload) => {
                return self.any_eq(what, stored, &TVMFFIAny::new(*type_index, *payload));
            }
            Content::BigInt(integer) => {
                self.type_index_eq(&what, stored.type_index, kTVMFFIBigInt)?;
                let words = self.api.TVMFFIBigIntGetContentByteArray(stored);
                self.eq(format_args!("the size of {what}"), words.size, size_of::<i128>())?;
                let words = self.read_bytes("the words", words.data.cast(), words.size)?;
                return self.eq(what, &words[..], &integer.to_ne_bytes()[..]);
            }
            Content::Text(text) => (text, [kTVMFFISmallStr, kTVMFFIStr]),
            Content::Bytes(text) => (text, [kTVMFFISmallBytes, kTVMFFIBytes]),
        };
        self.that(&what, known.contains(&stored.type_index), &sample.name, format_args!("{stored:?}"))?;
        self.eq(what, &self.text(stored)?, text)
    }
}

impl Client {
    /// A container of each kind with that many elements or values, which are numbers from 0 on and in the last place `last`.
    pub fn containers_of(&self, size: i64, last: i64) -> Verdict<Vec<Owned>> {
        let value = |at: i64| view::int(if at + 1 == size { last } else { at });
        let (values, entries): (Vec<_>, Vec<_>) =
            ((0..size).map(value).collect(), (0..size).flat_map(|at| [view::int(at), value(at)]).collect());
        let mut all = Vec::new();
        for (make, args) in
            [("ffi.Array", &values), ("ffi.List", &values), ("ffi.Map", &entries), ("ffi.Dict", &entries)]
        {
            if let Some(make) = globals::find(self, make)? {
                all.push(self.call(&make, args)?);
            }
        }
        Ok(all)
    }
}

/// The pairs worth trying: one value in two forms, two that are nearly one, and neighbours.
pub fn pairs(samples: &[Sample]) -> impl Iterator<Item = (&Sample, &Sample)> {
    samples.iter().enumerate().flat_map(move |(at, lhs)| {
        let close = move |(other, rhs): &(usize, &Sample)| at.abs_diff(*other) == 1 || lhs.same(rhs) || lhs.akin(rhs);
        samples.iter().enumerate().filter(close).map(move |(_, rhs)| (lhs, rhs))
    })
}

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// By itself.
    Alone,
    /// As the element of an Array.
    InArray,
    /// As the element of a List.
    InList,
    /// As the key of a Map.
    MapKey,
    /// As a value of a Map.
    MapValue,
    /// As the key of a Dict.
    DictKey,
    /// As a value of a Dict.
    DictValue,
}

impl Place {
    /// The places that the target has.
    pub fn all(client: &Client) -> Verdict<Vec<Self>> {
        let mut places = vec![Self::Alone, Self::InArray, Self::MapKey, Self::MapValue];
        if globals::find(client, "ffi.List")?.is_some() {
            places.extend([Self::InList, Self::DictKey, Self::DictValue]);
        }
        Ok(places)
    }

    /// Puts a value there. What is answered holds the value as its owner.
    pub fn put(self, client: &Client, value: &TVMFFIAny) -> Verdict<Owned> {
        self.put_before(client, value, 0)
    }

    /// Puts a value there, in front of so many integers from 1000 on: a map of many entries is laid out in another way than
    /// one of few. What is answered holds the value as its owner.
    pub fn put_before(self, client: &Client, value: &TVMFFIAny, others: i64) -> Verdict<Owned> {
        // A walk meets no None, and most values are no integer of this size.
        let (none, one) = (TVMFFIAny::NONE, view::int(1));
        let (make, first) = match self {
            Self::Alone => {
                let mut owned = TVMFFIAny::NONE;
                client.ok(client.api.TVMFFIAnyViewToOwnedAny(value, &mut owned))?;
                return Ok(client.own(owned));
            }
            Self::InArray => ("ffi.Array", vec![*value]),
            Self::InList => ("ffi.List", vec![*value]),
            Self::MapKey => ("ffi.Map", vec![*value, one]),
            Self::MapValue => ("ffi.Map", vec![none, *value]),
            Self::DictKey => ("ffi.Dict", vec![*value, one]),
            Self::DictValue => ("ffi.Dict", vec![none, *value]),
        };
        let each = first.len() as i64;
        let rest = (1000..1000 + each * others).map(view::int);
        client.call_global(make, &first.into_iter().chain(rest).collect::<Vec<_>>())
    }

    /// What stands there, lent by what holds it.
    pub fn look(self, client: &Client, holder: &TVMFFIAny) -> Verdict<TVMFFIAny> {
        let object = holder.payload() as TVMFFIObjectHandle;
        let found = match self {
            Self::Alone => Some(*holder),
            Self::InArray | Self::InList => client.sequence(object)?.items.first().copied(),
            Self::MapKey | Self::DictKey => client.map(object)?.entries.first().map(|(key, _)| *key),
            Self::MapValue | Self::DictValue => client.map(object)?.entries.first().map(|(_, value)| *value),
        };
        found.ok_or_else(|| client.failure(format!("what stands at {self:?}"), "a value", "nothing"))
    }
}

/// The clauses that an equality and its hash keep: equal values are equal in both directions, and have one hash.
pub struct Laws {
    /// That one value in two forms is equal to itself.
    pub same: &'static str,
    /// That the answer does not depend on the order of the two.
    pub symmetric: &'static str,
    /// That equal values have one hash.
    pub one_hash: &'static str,
}

impl Client {
    /// Expects an equality and its hash to keep their laws on pairs of samples at each place where a value stands.
    pub fn keeps_laws(
        &self,
        laws: &Laws,
        samples: &[Sample],
        equal: impl Fn(&TVMFFIAny, &TVMFFIAny) -> Verdict<bool>,
        hash: impl Fn(&TVMFFIAny) -> Verdict<i64>,
    ) -> Verdict {
        // At every place as owned values, and as a caller may pass them.
        for place in Place::all(self)?.into_iter().map(Some).chain([None]) {
            let put = |value| place.map(|place| place.put(self, value)).transpose();
            let at = place.map_or_else(|| "as they are passed".to_owned(), |place| format!("{place:?}"));
            // Made anew for each pair, so that one lies where another has lain.
            for (lhs, rhs) in pairs(samples) {
                let what = format_args!("{} and {}, {at}", lhs.name, rhs.name);
                let owned = (put(&lhs.any)?, put(&rhs.any)?);
                let one = owned.0.as_ref().map_or(lhs.any, Owned::any);
                let other = owned.1.as_ref().map_or(rhs.any, Owned::any);
                let answer = equal(&one, &other)?;
                self.crumbs.set_clause(laws.symmetric);
                self.eq(format_args!("whether the second equals the first of {what}"), equal(&other, &one)?, answer)?;
                self.crumbs.set_clause(laws.same);
                if lhs.same(rhs) || lhs.same_type(rhs) && !lhs.akin(rhs) {
                    self.eq(format_args!("whether {what} are equal"), answer, lhs.same(rhs))?;
                }
                self.crumbs.set_clause(laws.one_hash);
                if answer {
                    self.eq(format_args!("the hash of the second of {what}"), hash(&other)?, hash(&one)?)?;
                }
            }
        }
        Ok(())
    }
}

impl Client {
    /// A container of these values; in a Map or a Dict their places are the keys.
    pub fn container_of(&self, make: &str, values: &[TVMFFIAny]) -> Verdict<Owned> {
        let is_map = matches!(make, "ffi.Map" | "ffi.Dict");
        let entry = |(key, value): (i64, &TVMFFIAny)| [is_map.then(|| view::int(key)), Some(*value)];
        self.call_global(make, &(0..).zip(values).flat_map(entry).flatten().collect::<Vec<_>>())
    }

    /// The functions that make containers, as far as the target has them.
    pub fn containers(&self) -> Verdict<Vec<&'static str>> {
        let mut all = vec!["ffi.Array", "ffi.Map"];
        if globals::find(self, "ffi.List")?.is_some() {
            all.extend(["ffi.List", "ffi.Dict"]);
        }
        Ok(all)
    }

    /// Pairs of values that are alike: where the first has one container twice, the second has two. They stand side by side, or one
    /// deeper than the other, in every container.
    pub fn shared_and_apart(&self) -> Verdict<Vec<(String, [Owned; 2])>> {
        let mut pairs = Vec::new();
        for place in Place::all(self)?.into_iter().filter(|place| *place != Place::Alone) {
            let [one, twin] = [place.put(self, &view::int(1))?, place.put(self, &view::int(1))?];
            for make in self.containers()? {
                let with =
                    |value: &Owned| self.call_global(make, &[view::int(7), one.any(), view::int(8), value.any()]);
                let what = format_args!("{make} with {place:?} twice");
                pairs.push((format!("{what}, side by side"), [with(&one)?, with(&twin)?]));
                let deeper = |value: &Owned| with(&place.put(self, &value.any())?);
                pairs.push((format!("{what}, one of them deeper"), [deeper(&one)?, deeper(&twin)?]));
            }
        }
        Ok(pairs)
    }
}
