//! Types whose objects have two fields at one place, as those have that declare an inherited field again.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicI32, Ordering},
};

use tvm_ffi_spec::*;

use crate::client::{
    connection::Client,
    globals,
    node::{Node, get_any, node, set_any, set_kind},
    owned::Owned,
    types,
    value::view,
    verdict::Verdict,
};

/// A type of objects that hold one value, which two of their fields give.
pub struct OnePlace {
    /// How the fields were declared and who reads them, for messages.
    pub what: String,
    /// The type.
    pub index: i32,
}

impl OnePlace {
    /// An object with that value in the one place.
    pub fn holding(&self, client: &Client, value: &TVMFFIAny) -> Owned {
        client.own(node(self.index, *value, TVMFFIAny::NONE).view())
    }
}

/// The types whose objects [`make`] makes.
static KINDS: [AtomicI32; 6] = [const { AtomicI32::new(0) }; 6];

/// A creator: an object with None in it.
unsafe extern "C" fn make<const TYPE: usize>(result: *mut TVMFFIObjectHandle) -> c_int {
    let made = node(KINDS[TYPE].load(Ordering::Acquire), TVMFFIAny::NONE, TVMFFIAny::NONE);
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(made.handle()) };
    0
}

const CREATORS: [TVMFFIObjectCreator; 6] = [make::<0>, make::<1>, make::<2>, make::<3>, make::<4>, make::<5>];

/// How two fields come to one place: what is said of it, the name of the second, and whether an ancestor has the first.
const DECLARED: [(&str, &str, bool); 3] = [
    ("two fields of a type at one place", "second", false),
    ("an inherited field that is declared again", "first", true),
    ("a field at the place of an inherited one", "second", true),
];

impl Client {
    /// Such types, one for each way to declare the fields and for each getter: the client's own, and the target's, if it makes one. They can be
    /// made, and their fields can be set. A check may ask once.
    pub fn types_of_one_place(&self, kind: i32) -> Verdict<Vec<OnePlace>> {
        let mut getters = vec![("read by a client's getter", get_any as TVMFFIFieldGetter)];
        if let Some(make) = globals::find(self, "ffi.MakeFieldGetter")? {
            let address = self.call(&make, &[view::int(kTVMFFIAny.into())])?.any().payload();
            if address != 0 {
                // SAFETY: the target says that it is a getter; the process exists for this check.
                let getter =
                    unsafe { std::mem::transmute::<*const c_void, TVMFFIFieldGetter>(address as *const c_void) };
                getters.push(("read by the library's getter", getter));
            }
        }
        let mut all = Vec::new();
        for (reader, getter) in getters {
            for (declared, second, inherited) in DECLARED {
                let number = all.len();
                let key = format!("verify.OnePlace{number}");
                let parent = if inherited { types::new(self, &format!("{key}Base")) } else { kTVMFFIObject };
                let index = types::new_child(self, &key, parent)?;
                KINDS[number].store(index, Ordering::Release);
                if inherited {
                    set_kind(self, parent, kind)?;
                }
                self.ok(self.field_at_the_place(if inherited { parent } else { index }, "first", getter))?;
                // The target may refuse the second field where an ancestor has its name, which is for other clauses to say.
                if self.field_at_the_place(index, second, getter) != 0 {
                    self.take_raised();
                }
                let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Node>()) as i32);
                let creator = Some(CREATORS[number]);
                let metadata = TVMFFITypeMetadata { creator, structural_eq_hash_kind: kind, ..metadata };
                self.ok(self.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
                all.push(OnePlace { what: format!("{declared}, {reader}"), index });
            }
        }
        Ok(all)
    }

    /// Registers a field of any value that lies first behind the header.
    fn field_at_the_place(&self, index: i32, name: &str, getter: TVMFFIFieldGetter) -> c_int {
        let (size, offset) = (size_of::<TVMFFIAny>() as i64, size_of::<TVMFFIObject>() as i64);
        let field = TVMFFIFieldInfo {
            flags: kTVMFFIFieldFlagBitMaskWritable,
            getter: Some(getter),
            setter: set_any as *mut c_void,
            ..types::field(name.as_bytes(), kTVMFFIAny, size, offset)
        };
        self.api.TVMFFITypeRegisterField(index, &field)
    }
}
