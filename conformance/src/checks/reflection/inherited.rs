//! What types register under names that their relatives have, and attributes of one type beside all others.

use std::ffi::c_int;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{create_cell, field_with_default, method_named, set_attribute, text, try_set_attribute};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{keep_self, return_none},
        node::{get_any, get_or_common},
        reflected, types, view,
    },
    trial::Trial,
};

/// What is registered under one name for one of several types: no two have a member in common that could tell them apart.
struct Own {
    whose: &'static str,
    index: i32,
    number: i64,
    function: Owned,
    doc: String,
    metadata: String,
}

const FIELD: &[u8] = b"of_all";
const METHOD: &[u8] = b"done_by_all";
const COLUMN: &str = "verify.inherited";

/// What a type registers with the name of something that an ancestor, a descendant or a sibling has is its own, in whichever order they register:
/// its field, method, attribute and metadata have the members that it gave, and those of the others stay theirs.
#[check(RFL_0001, RFL_0002, RFL_0004, RFL_0010, RFL_0014, RFL_0017, RFL_0021)]
fn names_of_relatives(t: &Trial) -> Verdict {
    for (round, order) in ORDERS.iter().enumerate() {
        let family = family(t, round)?;
        let mut listed = [[false; 2]; 5];
        for step in 0..order.len() {
            let own = &family[order[step]];
            listed[order[step]] = register(t, own)?;
            for (at, own) in family.iter().enumerate() {
                let has_registered = order[..=step].contains(&at);
                let what = format!("{}, in the order {order:?}, after step {step}", own.whose);
                t.clause(id::RFL_0010);
                let count = |listed: bool| i32::from(has_registered && listed);
                let info = reflected::info(t, own.index)?;
                let (counts, expected) = ((info.num_fields, info.num_methods), listed[at].map(count));
                t.eq(format_args!("num_fields and num_methods of {what}"), counts, (expected[0], expected[1]))?;
                if has_registered {
                    is_its_own(t, own, listed[at], &what)?;
                }
            }
        }
    }
    Ok(())
}

/// Grandparent, parent, child, sibling of the child, and grandchild register in one of these orders.
const ORDERS: [[usize; 5]; 4] = [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [1, 3, 4, 0, 2]];

fn family(t: &Trial, round: usize) -> Verdict<[Own; 5]> {
    let key = |whose: &str| format!("verify.Inherits{round}.{}", whose.replace(' ', "_"));
    let own = |number: i64, whose: &'static str, parent: Option<i32>| -> Verdict<Own> {
        let index = match parent {
            Some(parent) => types::new_child(t, &key(whose), parent)?,
            None => types::new(t, &key(whose)),
        };
        // Each has an object of its own, so that addresses tell them apart.
        let function = t.function(std::ptr::null_mut(), return_none, Some(keep_self))?;
        let doc = format!("What {whose} says of itself in round {round}.");
        Ok(Own { whose, index, number, function, doc, metadata: format!("{{\"number\":{number}}}") })
    };
    let grandparent = own(1, "a grandparent", None)?;
    let parent = own(2, "a parent", Some(grandparent.index))?;
    let child = own(3, "a child", Some(parent.index))?;
    let sibling = own(4, "a sibling", Some(parent.index))?;
    let grandchild = own(5, "a grandchild", Some(child.index))?;
    Ok([grandparent, parent, child, sibling, grandchild])
}

impl Own {
    fn field(&self) -> TVMFFIFieldInfo {
        let writable = if self.number % 2 == 0 { kTVMFFIFieldFlagBitMaskWritable } else { 0 };
        let getter: TVMFFIFieldGetter = if self.number % 2 == 0 { get_any } else { get_or_common };
        TVMFFIFieldInfo {
            doc: TVMFFIByteArray::new(self.doc.as_bytes()),
            metadata: TVMFFIByteArray::new(self.metadata.as_bytes()),
            flags: kTVMFFIFieldFlagBitMaskHasDefault | writable,
            size: 8 * (1 + self.number % 2),
            offset: 24 + 8 * self.number,
            getter: Some(getter),
            field_static_type_index: if self.number % 2 == 0 { kTVMFFIInt } else { kTVMFFIAny },
            ..field_with_default(FIELD, view::int(self.number))
        }
    }

    fn method(&self) -> TVMFFIMethodInfo {
        let method = types::method_info(TVMFFIByteArray::new(METHOD), self.function.any());
        TVMFFIMethodInfo {
            doc: TVMFFIByteArray::new(self.doc.as_bytes()),
            metadata: TVMFFIByteArray::new(self.metadata.as_bytes()),
            flags: if self.number % 2 == 0 { 0 } else { kTVMFFIFieldFlagBitMaskIsStaticMethod },
            ..method
        }
    }

    fn type_metadata(&self) -> TVMFFITypeMetadata {
        TVMFFITypeMetadata {
            doc: TVMFFIByteArray::new(self.doc.as_bytes()),
            creator: (self.number % 2 == 0).then_some(create_cell as TVMFFIObjectCreator),
            structural_eq_hash_kind: if self.number % 2 == 0 {
                kTVMFFISEqHashKindTreeNode
            } else {
                kTVMFFISEqHashKindUniqueInstance
            },
            ..types::metadata(80 + 8 * self.number as i32)
        }
    }
}

/// Registers all of it, and answers whether the field and the method were: whether a relative's name is refused is for other clauses to say.
fn register(t: &Trial, own: &Own) -> Verdict<[bool; 2]> {
    let is_done = |code: c_int| -> Verdict<bool> {
        if code != 0 {
            t.raises(code, &[])?;
        }
        Ok(code == 0)
    };
    let done = [
        is_done(t.api.TVMFFITypeRegisterField(own.index, &own.field()))?,
        is_done(t.api.TVMFFITypeRegisterMethod(own.index, &own.method()))?,
    ];
    t.ok(t.api.TVMFFITypeRegisterMetadata(own.index, &own.type_metadata()))?;
    set_attribute(t, own.index, COLUMN, &view::int(own.number))?;
    set_attribute(t, own.index, &format!("{COLUMN}.function"), &own.function.any())?;
    Ok(done)
}

/// Expects a type's record and columns to have what it has registered.
fn is_its_own(t: &Trial, own: &Own, [has_field, has_method]: [bool; 2], what: &str) -> Verdict {
    let of = |member: &str| format!("{member} of {what}");
    if has_field {
        let (stored, given) = (reflected::field(t, own.index, "of_all")?, own.field());
        t.clause(id::RFL_0001);
        let numbers = |field: &TVMFFIFieldInfo| {
            (field.flags, field.size, field.alignment, field.offset, field.field_static_type_index)
        };
        t.eq(of("flags, size, alignment, offset and type of the field"), numbers(&stored), numbers(&given))?;
        let functions = |field: &TVMFFIFieldInfo| (field.getter.map(|getter| getter as usize), field.setter as usize);
        t.eq(of("getter and setter of the field"), functions(&stored), functions(&given))?;
        t.clause(id::RFL_0004);
        let (default, expected) = (&stored.default_value_or_factory, &given.default_value_or_factory);
        t.any_eq(of("the default of the field"), default, expected)?;
        t.clause(id::RFL_0002);
        text(t, &of("the documentation of the field"), stored.doc, own.doc.as_bytes())?;
        text(t, &of("the metadata of the field"), stored.metadata, own.metadata.as_bytes())?;
    }
    if has_method {
        t.clause(id::RFL_0014);
        let stored = method_named(t, own.index, METHOD)?;
        t.any_eq(of("the function of the method"), &stored.method, &own.function.any())?;
        t.eq(of("the flags of the method"), stored.flags, own.method().flags)?;
        text(t, &of("the documentation of the method"), stored.doc, own.doc.as_bytes())?;
        text(t, &of("the metadata of the method"), stored.metadata, own.metadata.as_bytes())?;
    }
    t.clause(id::RFL_0017);
    let (stored, given) = (reflected::metadata(t, own.index)?, own.type_metadata());
    let numbers = |data: &TVMFFITypeMetadata| {
        (data.total_size, data.structural_eq_hash_kind, data.creator.map(|creator| creator as usize))
    };
    t.eq(of("size, structural kind and creator"), numbers(&stored), numbers(&given))?;
    text(t, &of("the documentation"), stored.doc, own.doc.as_bytes())?;
    t.clause(id::RFL_0021);
    t.any_eq(of("the attribute"), &reflected::attribute(t, COLUMN, own.index)?, &view::int(own.number))?;
    let function = reflected::attribute(t, &format!("{COLUMN}.function"), own.index)?;
    t.any_eq(of("the attribute that is a function"), &function, &own.function.any())
}

/// How a column is there before the attribute that is tried: not at all, asked for and made without entries, or with an attribute of another type.
#[derive(Clone, Copy, Debug)]
enum Before {
    Nothing,
    Asked,
    Made,
    Other,
}

/// An attribute that is entered for one type is entered for no other, be they built in, forms of one value, or a client's type with its parent, its child
/// and its sibling, and whatever the column was before.
#[check(RFL_0025, RFL_0021)]
fn attribute_of_one_alone(t: &Trial) -> Verdict {
    let parent = types::new(t, "verify.alone.Parent");
    let mine = types::new_child(t, "verify.alone.Mine", parent)?;
    let child = types::new_child(t, "verify.alone.Child", mine)?;
    let sibling = types::new_child(t, "verify.alone.Sibling", parent)?;
    let built_in = (kTVMFFIInt..=kTVMFFISmallBytes).chain(kTVMFFIObject..=kTVMFFIOpaquePyObject);
    let all: Vec<_> =
        built_in.filter(|&index| index != kTVMFFIDLTensorPtr).chain([parent, mine, child, sibling]).collect();
    for before in [Before::Nothing, Before::Asked, Before::Made, Before::Other] {
        for (at, &index) in all.iter().enumerate() {
            let name = format!("verify.alone.{before:?}.{index}");
            let other = all[(at + 1) % all.len()];
            let mut expected = vec![(index, view::int(7))];
            match before {
                Before::Nothing => {}
                Before::Asked => drop(reflected::column(t, &name)),
                Before::Made => set_attribute(t, kTVMFFINone, &name, &TVMFFIAny::NONE)?,
                Before::Other => expected.push((other, view::int(8))),
            }
            // The type of the other has it first. Whether a type takes attributes is for other clauses to say.
            let mut is_taken = true;
            for (index, value) in expected.iter().rev() {
                let code = try_set_attribute(t, *index, &name, value);
                if code != 0 {
                    t.raises(code, &[])?;
                    is_taken = false;
                }
            }
            if !is_taken {
                continue;
            }
            let address = reflected::column(t, &name);
            let column = t.read("column", address)?;
            let size = column.size.clamp(0, 1 << 13) as usize;
            let bytes = t.read_bytes(format!("the entries of {name}"), column.data.cast(), size * 16)?;
            for (place, entry) in bytes.chunks_exact(16).enumerate() {
                let of = column.begin_index + place as i32;
                if expected.iter().any(|(index, _)| *index == of) {
                    continue;
                }
                t.clause(id::RFL_0025);
                let type_index = i32::from_ne_bytes([entry[0], entry[1], entry[2], entry[3]]);
                let what = format_args!("type_index of the entry of type {of}, when type {index} has the attribute");
                t.type_index_eq(what, type_index, kTVMFFINone)?;
            }
            t.clause(id::RFL_0021);
            for (index, value) in &expected {
                let entry = reflected::entry(t, address, *index)?;
                t.any_eq(format_args!("the entry of type {index} in {name}"), &entry, value)?;
            }
        }
    }
    Ok(())
}

/// A method that is registered for one type is listed for no other, be they built in or a client's type with its parent, its child and its sibling.
#[check(RFL_0010)]
fn method_of_one_alone(t: &Trial) -> Verdict {
    let function = t.function(std::ptr::null_mut(), return_none, Some(keep_self))?;
    let parent = types::new(t, "verify.alone.Parent");
    let mine = types::new_child(t, "verify.alone.Mine", parent)?;
    let child = types::new_child(t, "verify.alone.Child", mine)?;
    let sibling = types::new_child(t, "verify.alone.Sibling", parent)?;
    let built_in = [kTVMFFIStr, kTVMFFIBytes, kTVMFFIArray, kTVMFFIMap, kTVMFFIFunction, kTVMFFIObject, kTVMFFIError];
    let all = [&built_in[..], &[kTVMFFISmallStr, kTVMFFISmallBytes, parent, mine, child, sibling]].concat();
    let counts = || -> Verdict<Vec<(i32, i32)>> {
        let counts = all.iter().map(|index| reflected::info(t, *index));
        counts.map(|info| info.map(|info| (info.num_fields, info.num_methods))).collect()
    };
    for (at, &index) in all.iter().enumerate() {
        let mut expected = counts()?;
        let name = format!("alone_{index}");
        let method = types::method_info(TVMFFIByteArray::new(name.as_bytes()), function.any());
        // Whether a type takes methods is for other clauses to say.
        match t.api.TVMFFITypeRegisterMethod(index, &method) {
            0 => expected[at].1 += 1,
            code => drop(t.raises(code, &[])?),
        }
        let found = counts()?;
        let other = (0..all.len()).find(|at| found[*at] != expected[*at]).map(|at| all[at]);
        t.eq(format_args!("type whose record counts wrong after a method of type {index}"), other, None)?;
    }
    Ok(())
}
