//! The type table: types are registered in any order, with any fields, methods and attributes. What is registered stays,
//! so that the table grows from one input to the next, on both sides alike.

use bolero::TypeGenerator;
use tvm_ffi_fuzz::{program::seen::Seen, target};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    client::{Client, reflected, types},
    side_by_side,
};

/// A registration, each of a type by its number.
#[derive(Clone, Debug, TypeGenerator)]
enum Registration {
    /// The type itself, below another one, with room for children.
    Type {
        number: u8,
        parent: u8,
        slots: u8,
    },
    Field {
        number: u8,
        name: u8,
        flags: u16,
        size: u8,
        offset: u8,
        declared: i8,
    },
    Method {
        number: u8,
        name: u8,
        flags: u16,
    },
    Metadata {
        number: u8,
        size: u8,
        kind: u8,
    },
    Attribute {
        number: u8,
        name: u8,
        value: u8,
    },
}

/// How many types there are.
const TYPES: u8 = 40;

fn key(number: u8) -> String {
    // The last one is there from the start.
    if number.is_multiple_of(TYPES) { "ffi.Object".to_owned() } else { format!("fuzz.types.{}", number % TYPES) }
}

/// The index of a type, if it is registered.
fn index(client: &Client, number: u8) -> Option<i32> {
    types::find(client, &key(number))
}

/// What comes of a registration: a status with the kind of the error, and what the table then shows of the type.
fn told(client: &Client, registration: &Registration) -> String {
    let array = |text: &str| TVMFFIByteArray::new(text.as_bytes());
    let (number, code) = match *registration {
        Registration::Type { number, parent, slots } => {
            let (key, Some(parent)) = (key(number), index(client, parent)) else { return "no parent".to_owned() };
            let depth = reflected::info(client, parent).expect("a parent has a record").type_depth + 1;
            let slots = i32::from(slots % 4);
            // Children may always be more than there are slots for: with a parent that allows no more, the call does not
            // return, as its declaration has no way to tell.
            let made = client.api.TVMFFITypeGetOrAllocIndex(&array(&key), -1, depth, slots, 1, parent);
            (number, i32::from(made < 0))
        }
        Registration::Field { number, name, flags, size, offset, declared } => {
            let (Some(index), name) = (own_index(client, number), format!("field{}", name % 8)) else {
                return "no type".to_owned();
            };
            // Without a default and without a setter that is a function, since none is given.
            let flags = i64::from(flags) & !(1 << 1 | 1 << 5 | 1 << 11);
            let field = TVMFFIFieldInfo {
                flags,
                field_static_type_index: declared.into(),
                ..types::field(name.as_bytes(), declared.into(), size.into(), offset.into())
            };
            (number, client.api.TVMFFITypeRegisterField(index, &field))
        }
        Registration::Method { number, name, flags } => {
            let (Some(index), name) = (own_index(client, number), format!("method{}", name % 8)) else {
                return "no type".to_owned();
            };
            let function = client.global("ffi.ArraySize").expect("a function of the library is there");
            let (doc, metadata) = (array("a method"), TVMFFIByteArray::EMPTY);
            let flags = i64::from(flags);
            let info = TVMFFIMethodInfo { name: array(&name), doc, metadata, flags, method: function.any() };
            (number, client.api.TVMFFITypeRegisterMethod(index, &info))
        }
        Registration::Metadata { number, size, kind } => {
            let Some(index) = own_index(client, number) else { return "no type".to_owned() };
            let kind = i32::from(kind % 6);
            let metadata = TVMFFITypeMetadata { structural_eq_hash_kind: kind, ..types::metadata(size.into()) };
            (number, client.api.TVMFFITypeRegisterMetadata(index, &metadata))
        }
        Registration::Attribute { number, name, value } => {
            let (Some(index), name) = (own_index(client, number), format!("fuzz.types.attribute{}", name % 4)) else {
                return "no type".to_owned();
            };
            let value = TVMFFIAny::new(kTVMFFIInt, value.into());
            (number, client.api.TVMFFITypeRegisterAttr(index, &array(&name), &value))
        }
    };
    let outcome = match code {
        0 => "ok".to_owned(),
        _ => client.take_raised().map_or_else(|| "no error".to_owned(), |raised| raised.kind),
    };
    format!("{outcome}: {}", shown(client, number))
}

/// A type that is the test's own, if it is registered.
fn own_index(client: &Client, number: u8) -> Option<i32> {
    index(client, number).filter(|_| !number.is_multiple_of(TYPES))
}

/// What the table shows of a type, after a look at what no type may break.
fn shown(client: &Client, number: u8) -> String {
    let Some(index) = index(client, number) else { return "not registered".to_owned() };
    let look = || {
        let info = reflected::info(client, index)?;
        client.eq("the index in a record", info.type_index, index)?;
        client.eq("the key in a record", reflected::key(client, &info)?, key(number))?;
        let ancestors = reflected::ancestors(client, &info)?;
        if let Some(parent) = ancestors.last() {
            let parent = reflected::info(client, reflected::type_index(client, parent)?)?;
            let above = reflected::ancestors(client, &parent)?;
            client.eq("the ancestors above the parent", above.as_slice(), &ancestors[..above.len()])?;
            client.eq("how many there are", above.len() + 1, ancestors.len())?;
        }
        let mut members = Vec::new();
        for field in reflected::fields(client, index)? {
            let TVMFFIFieldInfo { flags, size, offset, field_static_type_index, .. } = field;
            let name = reflected::text(client, "name", field.name)?;
            members.push(format!("{name} {flags:#x} {size} {offset} {field_static_type_index}"));
        }
        for method in reflected::methods(client, index)? {
            let name = reflected::text(client, "name", method.name)?;
            members.push(format!("{name} {:#x} {}", method.flags, Seen::new(client).text(&method.method)));
        }
        for name in 0..4 {
            let column = reflected::column(client, &format!("fuzz.types.attribute{name}"));
            if !column.is_null() {
                members.push(Seen::new(client).text(&reflected::entry(client, column, index)?));
            }
        }
        let metadata = match info.metadata.is_null() {
            true => "none".to_owned(),
            false => {
                let metadata = client.read("metadata", info.metadata)?;
                format!("{} {}", metadata.total_size, metadata.structural_eq_hash_kind)
            }
        };
        Ok(format!("{index}, {ancestors:?}, {members:?}, {metadata}"))
    };
    look().unwrap_or_else(|failure: Box<tvm_ffi_verify::client::Failure>| panic!("{failure:?}"))
}

#[test]
fn types_stay_sound() {
    let reference = side_by_side::reference();
    target!().with_type::<Vec<Registration>>().for_each(|registrations| {
        registrations.iter().for_each(|registration| drop(told(&reference, registration)));
    });
}

#[test]
fn types_are_registered_as_in_the_release() {
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    target!().with_type::<Vec<Registration>>().for_each(|registrations| {
        for registration in registrations {
            assert_eq!(told(&reference, registration), told(&release, registration), "{registration:?}");
        }
    });
}
