//! Members of a field's or method's record that one relative of a type gives and the other does not.

use std::ffi::c_int;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{field_with_default, text};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{keep_self, return_none},
        reflected, types, view,
    },
    trial::Trial,
};

/// What a record lacks.
#[derive(Clone, Copy, Debug)]
enum Lacks {
    Default,
    Factory,
    Writable,
    Getter,
    Setter,
    SetterObject,
    Doc,
    Metadata,
    SizeAndOffset,
    Keyword,
    FieldType,
}

const ALL: [Lacks; 11] = [
    Lacks::Default,
    Lacks::Factory,
    Lacks::Writable,
    Lacks::Getter,
    Lacks::Setter,
    Lacks::SetterObject,
    Lacks::Doc,
    Lacks::Metadata,
    Lacks::SizeAndOffset,
    Lacks::Keyword,
    Lacks::FieldType,
];

/// Which of grandparent, parent, child and the child's sibling lack it, by bits.
const WHO: [usize; 6] = [0b1100, 0b0011, 0b0101, 0b1010, 0b0110, 0b1101];

/// What each of them gives where it lacks nothing.
struct Given {
    index: i32,
    number: i64,
    function: Owned,
    doc: String,
    metadata: String,
}

impl Given {
    fn field(&self, name: &'static [u8], lacks: Lacks, is_lacking: bool) -> TVMFFIFieldInfo {
        let mut field = TVMFFIFieldInfo {
            doc: TVMFFIByteArray::new(self.doc.as_bytes()),
            metadata: TVMFFIByteArray::new(self.metadata.as_bytes()),
            size: 8 * self.number,
            offset: 24 + 8 * self.number,
            ..field_with_default(name, view::int(self.number))
        };
        match lacks {
            Lacks::Factory => {
                field.flags |= kTVMFFIFieldFlagBitMaskDefaultFromFactory;
                field.default_value_or_factory = self.function.any();
            }
            Lacks::SetterObject => {
                field.flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
                field.setter = self.function.handle();
            }
            Lacks::Keyword => field.flags |= kTVMFFIFieldFlagBitMaskKwOnly,
            _ => {}
        }
        if !is_lacking {
            return field;
        }
        let plain = field_with_default(name, view::int(self.number));
        match lacks {
            Lacks::Default => {
                field.flags &= !kTVMFFIFieldFlagBitMaskHasDefault;
                field.default_value_or_factory = TVMFFIAny::NONE;
            }
            Lacks::Factory => {
                field.flags &= !kTVMFFIFieldFlagBitMaskDefaultFromFactory;
                field.default_value_or_factory = plain.default_value_or_factory;
            }
            Lacks::Writable => field.flags &= !kTVMFFIFieldFlagBitMaskWritable,
            Lacks::Getter => field.getter = None,
            Lacks::Setter => field.setter = std::ptr::null_mut(),
            Lacks::SetterObject => (field.flags, field.setter) = (plain.flags, plain.setter),
            Lacks::Doc => field.doc = TVMFFIByteArray::EMPTY,
            Lacks::Metadata => field.metadata = TVMFFIByteArray::EMPTY,
            Lacks::SizeAndOffset => (field.size, field.offset) = (0, 0),
            Lacks::Keyword => field.flags &= !kTVMFFIFieldFlagBitMaskKwOnly,
            Lacks::FieldType => field.field_static_type_index = kTVMFFIAny,
        }
        field
    }

    fn method(&self, name: &'static [u8], lacks: Lacks, is_lacking: bool) -> TVMFFIMethodInfo {
        let mut method = TVMFFIMethodInfo {
            doc: TVMFFIByteArray::new(self.doc.as_bytes()),
            metadata: TVMFFIByteArray::new(self.metadata.as_bytes()),
            ..types::method_info(TVMFFIByteArray::new(name), self.function.any())
        };
        match lacks {
            Lacks::Doc if is_lacking => method.doc = TVMFFIByteArray::EMPTY,
            Lacks::Metadata if is_lacking => method.metadata = TVMFFIByteArray::EMPTY,
            // A static one or not.
            _ if is_lacking => method.flags = 0,
            _ => {}
        }
        method
    }
}

/// A member of a field's or a method's record that a type leaves out is left out, though a field or method of that name of an ancestor, a descendant or
/// a sibling has it, and one that the type gives is there, though the other leaves it out: a default, a flag, a function, a text, a size.
#[check(RFL_0001, RFL_0002, RFL_0003, RFL_0004, RFL_0005, RFL_0007, RFL_0014)]
fn members_that_relatives_lack(t: &Trial) -> Verdict {
    for (round, order) in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 0, 3]].into_iter().enumerate() {
        let family = family(t, round)?;
        let mut cases = Vec::new();
        for (lacks, who) in ALL.iter().flat_map(|lacks| WHO.map(|who| (*lacks, who))) {
            // Names are kept for the life of the process.
            let name: &'static [u8] = format!("{lacks:?}.{who:04b}").into_bytes().leak();
            let mut listed = [[false; 2]; 4];
            for at in order {
                let (own, is_lacking) = (&family[at], who >> at & 1 == 1);
                t.clause(id::RFL_0001);
                // Whether a relative's name is refused is for other clauses to say.
                let is_done = |code: c_int| -> Verdict<bool> {
                    if code != 0 {
                        t.raises(code, &[])?;
                    }
                    Ok(code == 0)
                };
                let method = own.method(name, lacks, is_lacking);
                listed[at] = [
                    is_done(t.api.TVMFFITypeRegisterField(own.index, &own.field(name, lacks, is_lacking)))?,
                    is_done(t.api.TVMFFITypeRegisterMethod(own.index, &method))?,
                ];
            }
            cases.push((lacks, who, name, listed));
        }
        for (at, own) in family.iter().enumerate() {
            let mut fields = named(t, reflected::fields(t, own.index)?, |field| field.name)?;
            let mut methods = named(t, reflected::methods(t, own.index)?, |method| method.name)?;
            for (lacks, who, name, listed) in &cases {
                let is_lacking = who >> at & 1 == 1;
                let what = format!("{} of relative {at} in the order {order:?}", String::from_utf8_lossy(name));
                t.clause(id::RFL_0001);
                if listed[at][0] {
                    let stored = found(t, &mut fields, name, &what)?;
                    is_that_field(t, &stored, &own.field(name, *lacks, is_lacking), &what)?;
                }
                t.clause(id::RFL_0014);
                if listed[at][1] {
                    let stored = found(t, &mut methods, name, &what)?;
                    let given = own.method(name, *lacks, is_lacking);
                    t.eq(format_args!("flags of the method {what}"), stored.flags, given.flags)?;
                    t.any_eq(format_args!("the method {what}"), &stored.method, &given.method)?;
                    has_texts(t, [stored.doc, stored.metadata], [given.doc, given.metadata], id::RFL_0014, &what)?;
                }
            }
        }
    }
    Ok(())
}

fn family(t: &Trial, round: usize) -> Verdict<[Given; 4]> {
    let given = |number: i64, parent: Option<i32>| -> Verdict<Given> {
        let key = format!("verify.lacking{round}.Relative{number}");
        let index = match parent {
            Some(parent) => types::new_child(t, &key, parent)?,
            None => types::new(t, &key),
        };
        let function = t.function(std::ptr::null_mut(), return_none, Some(keep_self))?;
        let doc = format!("What relative {number} says of itself in round {round}.");
        Ok(Given { index, number, function, doc, metadata: format!("{{\"number\":{number}}}") })
    };
    let grandparent = given(1, None)?;
    let parent = given(2, Some(grandparent.index))?;
    let child = given(3, Some(parent.index))?;
    let sibling = given(4, Some(parent.index))?;
    Ok([grandparent, parent, child, sibling])
}

/// Records with their names.
fn named<R>(t: &Trial, all: Vec<R>, name: fn(&R) -> TVMFFIByteArray) -> Verdict<Vec<(Vec<u8>, R)>> {
    all.into_iter().map(|record| Ok((t.read_array("name", name(&record))?, record))).collect()
}

/// Takes the record of that name out.
fn found<R>(t: &Trial, all: &mut Vec<(Vec<u8>, R)>, name: &[u8], what: &str) -> Verdict<R> {
    let place = all.iter().position(|(other, _)| other == name);
    match place {
        Some(place) => Ok(all.swap_remove(place).1),
        None => Err(t.failure(format_args!("records of {what}"), 1, 0)),
    }
}

/// Expects each member of a field's record to be what was given.
fn is_that_field(t: &Trial, stored: &TVMFFIFieldInfo, given: &TVMFFIFieldInfo, what: &str) -> Verdict {
    let has_default = |field: &TVMFFIFieldInfo| field.flags & kTVMFFIFieldFlagBitMaskHasDefault != 0;
    if !has_default(given) {
        t.clause(id::RFL_0007);
        t.eq(format_args!("whether the flags of {what} say that there is a default"), has_default(stored), false)?;
    }
    t.clause(id::RFL_0001);
    let numbers = |field: &TVMFFIFieldInfo| {
        (field.flags, field.size, field.alignment, field.offset, field.field_static_type_index)
    };
    t.eq(format_args!("flags, size, alignment, offset and type of {what}"), numbers(stored), numbers(given))?;
    let functions = |field: &TVMFFIFieldInfo| (field.getter.map(|getter| getter as usize), field.setter as usize);
    t.eq(format_args!("getter and setter of {what}"), functions(stored), functions(given))?;
    if has_default(given) {
        let is_object = given.default_value_or_factory.type_index >= kTVMFFIStaticObjectBegin;
        t.clause(if is_object { id::RFL_0005 } else { id::RFL_0004 });
        let (default, expected) = (&stored.default_value_or_factory, &given.default_value_or_factory);
        t.any_eq(format_args!("the default of {what}"), default, expected)?;
    }
    has_texts(t, [stored.doc, stored.metadata], [given.doc, given.metadata], id::RFL_0002, what)
}

/// Expects documentation and metadata to be copies of what was given, or empty. The clause is the one about copies.
fn has_texts(
    t: &Trial,
    stored: [TVMFFIByteArray; 2],
    given: [TVMFFIByteArray; 2],
    copied: &'static str,
    what: &str,
) -> Verdict {
    for ((stored, given), which) in stored.into_iter().zip(given).zip(["the documentation of", "the metadata of"]) {
        t.clause(if given.size == 0 { id::RFL_0003 } else { copied });
        text(t, &format!("{which} {what}"), stored, &t.read_array("the text that was given", given)?)?;
    }
    Ok(())
}
