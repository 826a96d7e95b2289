//! The structural hash: equal for values that are structurally equal, and the same in every process as long as no free
//! variable takes part.
//!
//! Every bit is part of the ABI, and so is the order in which things are hashed: variables that are defined and nodes of
//! graphs are numbered as they are met, and an object is hashed once per walk, to what it was met as first.

use std::{
    cell::{Cell, OnceCell, RefCell},
    sync::{Arc, Weak},
    vec,
};

use tvm_ffi_spec::*;

use super::{
    Descent, Level, NESTED, address, call_back, check_contiguous, check_on_cpu, comparison_kind,
    fields::{Fields, enter_object, entered},
    hook_function, integer_words, is_nested, made_once, null_object,
    thread_bound::Local,
};
use crate::{
    border::error::Result,
    container::{
        held::Held,
        map::{self, Mapping},
        sequence,
        shape::{self, Shape},
    },
    function::{
        Function,
        row::{Row, row, typed},
        signature::Signature,
    },
    object::ObjectRef,
    system::memory,
    tensor::Description,
    types::{attribute, schema::Type, type_table},
    value::{
        any::{Any, AnyView},
        bit_hash::{combine, content_hash},
        text_layout::small,
    },
    walk::addresses::ByAddress,
};

/// The structural hash of a value.
///
/// With `map_free_vars`, variables that are not defined anywhere count as if they were defined where they are met; with
/// `skip_tensor_content`, tensors count by shape and data type alone.
///
/// # Errors
/// `TypeError` for objects whose types do not say how they are compared, `ValueError` for a value that contains itself,
/// `InternalError` for tensors that are not in memory in one piece, and what hooks fail with.
pub fn hash(value: &AnyView<'_>, map_free_vars: bool, skip_tensor_content: bool) -> Result<u64> {
    // SAFETY: the value is the caller's during the walk.
    let value = unsafe { Held::kept(value) };
    Hasher::new(map_free_vars, skip_tensor_content).hash(value, false, 0)
}

/// The global functions about hashes.
pub(crate) const GLOBALS: &[Row] = &[row("ffi.StructuralHash(0: Any, 1: bool, 2: bool) -> int", |args| {
    // Arguments are converted from the last to the first, which tells which of several bad ones is complained about.
    let (skip_tensor_content, map_free_vars) = (args.bool(2)?, args.bool(1)?);
    let value = &mut Any::default();
    Ok((hash(args.keepable(0, value)?, map_free_vars, skip_tensor_content)? as i64).into())
})];

/// One computation of a hash. Hooks lead back into it, so nothing in it is borrowed while they run.
struct Hasher {
    skip_tensor_content: bool,
    region: Cell<i32>,
    /// How many variables have been met in definition regions.
    variables: Cell<u32>,
    /// How many nodes of graphs have been hashed.
    nodes: Cell<u32>,
    /// The hashes of objects that are compared as their types say and may be met again. The references keep addresses from
    /// being reused.
    objects: RefCell<ByAddress<usize, (ObjectRef, u64)>>,
    /// The hashes of containers, each with how many objects were known then. Until further ones are, it cannot change.
    containers: RefCell<ByAddress<usize, (ObjectRef, u64, usize)>>,
    /// What hooks hash their parts with.
    callback: OnceCell<Function>,
    this: Weak<Hasher>,
}

/// A value that is being hashed.
struct Part {
    value: Held,
    /// Whether the walk may come by again: there is another reference to the value, or to what it is inside of.
    again: bool,
    hash: u64,
    content: Content,
}

/// What is left of it.
enum Content {
    Sequence {
        at: usize,
        objects_before: usize,
    },
    /// The values in the order of the hashes of their keys, whose values are None where several keys have that hash.
    Map {
        entries: vec::IntoIter<(u64, Option<Held>)>,
        objects_before: usize,
    },
    Object {
        fields: Fields,
        kind: i32,
    },
}

/// How an object is hashed.
enum ByType {
    /// It is hashed.
    Hash(u64),
    /// By these fields.
    Fields(Fields),
}

impl Level for Part {
    type Key = usize;

    fn key(&self) -> usize {
        self.value.object().map_or(0, address)
    }

    fn type_index(&self) -> i32 {
        self.value.view().type_index()
    }
}

impl Hasher {
    fn new(map_free_vars: bool, skip_tensor_content: bool) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            skip_tensor_content,
            region: Cell::new(if map_free_vars { kTVMFFIDefRegionKindPattern } else { kTVMFFIDefRegionKindNone }),
            variables: Cell::new(0),
            nodes: Cell::new(0),
            objects: RefCell::default(),
            containers: RefCell::default(),
            callback: OnceCell::new(),
            this: this.clone(),
        })
    }

    /// Hashes a value, which the walk comes by only once unless `again`, from within so many nested calls.
    fn hash(&self, root: Held, again: bool, nested: u32) -> Result<u64> {
        let mut inside = Descent::new();
        let mut done = self.enter(root, again, nested, &mut inside)?;
        loop {
            let Some(part) = inside.innermost() else { return Ok(done.unwrap_or_default()) };
            if let Some(hash) = done {
                part.hash = combine(part.hash, hash);
            }
            done = match part.next(self)? {
                Some(child) => {
                    let again = part.again || child.is_shared();
                    self.enter(child, again, nested, &mut inside)?
                }
                None => inside.leave().map(|part| self.leave(part)).transpose()?,
            };
        }
    }

    /// Hashes a value, unless that means to go inside of it.
    #[inline]
    fn enter(&self, value: Held, again: bool, nested: u32, inside: &mut Descent<Part>) -> Result<Option<u64>> {
        if let Some(hash) = leaf(value.view()) {
            return Ok(Some(hash));
        }
        let object = value.object().ok_or_else(null_object)?;
        let type_index = object.type_index();
        let (hash, content) = match type_index {
            _ if is_nested(type_index, nested) => {
                return self.nested_hash(&value, object, again, nested + 1).map(Some);
            }
            kTVMFFIArray | kTVMFFIList | kTVMFFIMap | kTVMFFIDict => {
                let objects_before = self.objects.borrow().len();
                if let Some(hash) = self.known_hash(object, again, objects_before) {
                    return Ok(Some(hash));
                }
                let (len, content) = match object.cast_ref() {
                    None => (object.cast_ref().map_or(0, sequence::len), Content::Sequence { at: 0, objects_before }),
                    Some(map) => (map::len(map), Content::Map { entries: self.sorted_entries(map)?, objects_before }),
                };
                (combine(type_key_hash(type_index), len as u64), content)
            }
            kTVMFFIShape => return Ok(Some(object.cast_ref().map_or(0, shape_hash))),
            kTVMFFITensor => return self.tensor_hash(object).map(Some),
            _ => {
                let kind = comparison_kind(type_index)?;
                match self.by_type(object, again, kind)? {
                    ByType::Hash(hash) => return Ok(Some(hash)),
                    ByType::Fields(fields) => (type_key_hash(type_index), Content::Object { fields, kind }),
                }
            }
        };
        inside.admit(address(object), type_index)?;
        inside.push(Part { value, again, hash, content });
        Ok(None)
    }

    /// The hash of an object that was met before, or has a hook; of others the fields.
    fn by_type(&self, object: &ObjectRef, again: bool, kind: i32) -> Result<ByType> {
        let type_index = object.type_index();
        if again && let Some((_, hash)) = self.objects.borrow().get(&address(object)) {
            return Ok(ByType::Hash(*hash));
        }
        let Some(hook) = hook_function(&attribute::S_HASH, type_index, "__s_hash__")? else {
            return Fields::new(type_index, kind, &self.region).map(ByType::Fields);
        };
        let outer = self.region.get();
        enter_object(kind, &self.region);
        let hash = self.call_hook(&hook, object, type_key_hash(type_index));
        self.region.set(outer);
        self.conclude(object, again, kind, hash?).map(ByType::Hash)
    }

    fn call_hook(&self, hook: &Function, object: &ObjectRef, init: u64) -> Result<u64> {
        let callback = made_once(&self.callback, || self.make_callback())?;
        let (object, init) = (Any::from(object.clone()), Any::from(init as i64));
        let hash = call_back(hook, &[*object.view(), *init.view(), *callback.view()])?;
        hash.view().as_int().map(|hash| hash as u64).ok_or_else(|| Type::Int.refuse(hash.view()))
    }

    /// The function that a hook hashes a part with: `(part, hash so far, kind of definition region) -> hash`.
    fn make_callback(&self) -> Result<Function> {
        let hasher = Local::new(&self.this);
        static SIGNATURE: Signature = Signature::new("(0: AnyView, 1: int, 2: int) -> int");
        typed(&SIGNATURE, move |args| {
            let (kind, init) = (args.int(2)? as i32, args.int(1)? as u64);
            let hasher = hasher.get()?;
            let value = args.any(0).to_owned()?;
            let outer = hasher.region.get();
            hasher.region.set(if kind == kTVMFFIDefRegionKindNone { outer } else { entered(outer, kind) });
            // SAFETY: the value is there during the walk. A hook may hash it twice.
            let hash = hasher.hash(unsafe { Held::lent(value.view()) }, true, NESTED);
            hasher.region.set(outer);
            Ok((combine(init, hash?) as i64).into())
        })
    }

    /// Ends the hash of a value of which nothing is left.
    fn leave(&self, Part { value, again, hash, content }: Part) -> Result<u64> {
        let Some(object) = value.object() else { return Ok(hash) };
        match content {
            Content::Object { fields, kind } => {
                fields.close(&self.region);
                return self.conclude(object, again, kind, hash);
            }
            Content::Sequence { objects_before, .. } | Content::Map { objects_before, .. } => {
                self.note_hash(&value, object, hash, objects_before)?;
            }
        }
        Ok(hash)
    }

    /// Hashes a value by a nested call.
    fn nested_hash(&self, value: &Held, object: &ObjectRef, again: bool, nested: u32) -> Result<u64> {
        match object.type_index() {
            kTVMFFIArray | kTVMFFIList => self.sequence_hash(value, object, again, nested),
            _ => self.object_hash(object, again, nested),
        }
    }

    fn object_hash(&self, object: &ObjectRef, again: bool, nested: u32) -> Result<u64> {
        let type_index = object.type_index();
        let kind = comparison_kind(type_index)?;
        let mut fields = match self.by_type(object, again, kind)? {
            ByType::Hash(hash) => return Ok(hash),
            ByType::Fields(fields) => fields,
        };
        let mut hash = type_key_hash(type_index);
        while let Some(field) = fields.next(&self.region) {
            // SAFETY: the fields are those of the object's type.
            let part = unsafe { field.get(object)? };
            hash =
                combine(hash, leaf(part.view()).map_or_else(|| self.part_hash(Held::ours(part), again, nested), Ok)?);
        }
        fields.close(&self.region);
        self.conclude(object, again, kind, hash)
    }

    /// Hashes a value that is inside of another and is no leaf.
    fn part_hash(&self, part: Held, again: bool, nested: u32) -> Result<u64> {
        let again = again || part.is_shared();
        match part.object() {
            Some(object) if is_nested(object.type_index(), nested) => {
                self.nested_hash(&part, object, again, nested + 1)
            }
            _ => self.hash(part, again, nested),
        }
    }

    fn sequence_hash(&self, value: &Held, object: &ObjectRef, again: bool, nested: u32) -> Result<u64> {
        let objects_before = self.objects.borrow().len();
        if let Some(hash) = self.known_hash(object, again, objects_before) {
            return Ok(hash);
        }
        let type_index = object.type_index();
        // SAFETY: nothing runs while the elements are borrowed, which are looked for anew each time.
        let elements = || unsafe { sequence::borrow_in(object) };
        let mut hash = combine(type_key_hash(type_index), elements().len() as u64);
        let mut at = 0;
        loop {
            let mut rest = elements().get(at..).unwrap_or_default().iter();
            let inner = rest.find(|element| {
                at += 1;
                leaf(element.view()).map(|part| hash = combine(hash, part)).is_none()
            });
            let Some(element) = inner else { break };
            // SAFETY: the walk holds the sequence, or what it is inside of, for as long as its elements.
            let element = unsafe { Held::part(element, type_index == kTVMFFIArray) };
            let part = self.part_hash(element, again, nested)?;
            hash = combine(hash, part);
        }
        self.note_hash(value, object, hash, objects_before)?;
        Ok(hash)
    }

    /// The hash of a container that was met before, if it has not changed since.
    #[inline]
    fn known_hash(&self, object: &ObjectRef, again: bool, objects_before: usize) -> Option<u64> {
        let containers = self.containers.borrow();
        let (_, hash, objects) = if again { containers.get(&address(object))? } else { return None };
        (*objects == objects_before).then_some(*hash)
    }

    #[inline]
    fn note_hash(&self, value: &Held, object: &ObjectRef, hash: u64, objects_before: usize) -> Result<()> {
        if value.is_shared() && self.objects.borrow().len() == objects_before {
            let mut containers = self.containers.borrow_mut();
            containers.try_reserve(1)?;
            containers.insert(address(object), (object.clone(), hash, objects_before));
        }
        Ok(())
    }

    /// The hash of an object whose parts have this one.
    fn conclude(&self, object: &ObjectRef, again: bool, kind: i32, parts: u64) -> Result<u64> {
        let hash = match kind {
            kTVMFFISEqHashKindFreeVar if self.region.get() == kTVMFFIDefRegionKindNone => address(object) as u64,
            kTVMFFISEqHashKindFreeVar => combine(parts, u64::from(take_number(&self.variables))),
            kTVMFFISEqHashKindDAGNode => combine(parts, u64::from(take_number(&self.nodes))),
            _ => parts,
        };
        if again {
            let mut objects = self.objects.borrow_mut();
            objects.try_reserve(1)?;
            objects.insert(address(object), (object.clone(), hash));
        }
        Ok(hash)
    }

    /// The entries of a map by the hashes of their keys. Keys whose hash would depend on the order of entries are left
    /// out, and so are the values of keys with the same hash.
    fn sorted_entries(&self, map: &Mapping) -> Result<vec::IntoIter<(u64, Option<Held>)>> {
        let mut sorted = memory::room(map::len(map))?;
        // SAFETY: looking a hash up runs no foreign code, nor does cloning a value.
        let entries = unsafe { map::iter(map) };
        let is_fixed = map.type_index() == kTVMFFIMap;
        // SAFETY: the walk holds the map, or what it is inside of, for as long as its values.
        let held = |value: &Any| unsafe { Held::part(value, is_fixed) };
        sorted.extend(entries.filter_map(|(key, value)| Some((self.key_hash(key.view())?, Some(held(value))))));
        sorted.sort_by_key(|(hash, _)| *hash);
        sorted.dedup_by(|next, kept| {
            let tie = next.0 == kept.0;
            if tie {
                kept.1 = None;
            }
            tie
        });
        Ok(sorted.into_iter())
    }

    /// The hash of a key, unless it depends on what is hashed before.
    fn key_hash(&self, key: &AnyView<'_>) -> Option<u64> {
        if key.type_index() == kTVMFFIFloat {
            return Some(combine(kTVMFFIFloat as u64, key.raw().payload()));
        }
        leaf(key).or_else(|| self.objects.borrow().get(&(key.raw().payload() as usize)).map(|(_, hash)| *hash))
    }

    fn tensor_hash(&self, object: &ObjectRef) -> Result<u64> {
        let tensor = Description::of(object)?;
        let hash = combine(type_key_hash(kTVMFFITensor), tensor.extents().len() as u64);
        let hash = tensor.extents().iter().fold(hash, |hash, extent| combine(hash, *extent as u64));
        let hash = combine(hash, tensor.dtype_word());
        if self.skip_tensor_content {
            return Ok(hash);
        }
        check_on_cpu(&tensor, "tensor", "can only hash CPU tensor")?;
        check_contiguous(&tensor, "tensor", "Can only hash contiguous tensor")?;
        // SAFETY: the tensor is in memory, in one piece.
        Ok(combine(hash, content_hash(unsafe { tensor.bytes() }?)))
    }
}

impl Part {
    /// The next value that goes into the hash.
    #[inline]
    fn next(&mut self, hasher: &Hasher) -> Result<Option<Held>> {
        let Some(object) = self.value.object() else { return Ok(None) };
        match &mut self.content {
            Content::Sequence { at, .. } => {
                let is_fixed = object.type_index() == kTVMFFIArray;
                // SAFETY: hashing a leaf runs no foreign code, nor does cloning a value.
                let elements = unsafe { sequence::borrow_in(object) };
                for element in elements.get(*at..).unwrap_or_default() {
                    *at += 1;
                    match leaf(element.view()) {
                        Some(hash) => self.hash = combine(self.hash, hash),
                        // SAFETY: the walk holds the sequence, or what it is inside of, for as long as its elements.
                        None => return Ok(Some(unsafe { Held::part(element, is_fixed) })),
                    }
                }
                Ok(None)
            }
            Content::Map { entries, .. } => {
                for (key, value) in entries {
                    self.hash = combine(self.hash, key);
                    let Some(value) = value else { continue };
                    match leaf(value.view()) {
                        Some(hash) => self.hash = combine(self.hash, hash),
                        None => return Ok(Some(value)),
                    }
                }
                Ok(None)
            }
            Content::Object { fields, .. } => {
                // SAFETY: the fields are those of the object's type.
                fields.next(&hasher.region).map(|field| unsafe { field.get(object) }.map(Held::ours)).transpose()
            }
        }
    }
}

/// The hash of a value that is not an object to be taken apart.
#[inline]
fn leaf(value: &AnyView<'_>) -> Option<u64> {
    match value.type_index() {
        kTVMFFIInt => Some(combine(kTVMFFIInt as u64, value.raw().payload())),
        _ => other_leaf(value),
    }
}

fn other_leaf(value: &AnyView<'_>) -> Option<u64> {
    let (type_index, payload) = (value.type_index(), value.raw().payload());
    Some(match type_index {
        kTVMFFISmallStr | kTVMFFIStr => combine(kTVMFFIStr as u64, content_hash(value.as_str().unwrap_or_default())),
        kTVMFFIBytes => {
            let content = value.as_bytes().unwrap_or_default();
            match small(kTVMFFISmallBytes, content) {
                // A client may have made an object of what is small elsewhere. They are equal.
                Some(small) => combine(kTVMFFISmallBytes as u64, small.payload()),
                None => combine(kTVMFFIBytes as u64, content_hash(content)),
            }
        }
        kTVMFFIBigInt => combine(kTVMFFIBigInt as u64, content_hash(integer_words(value)?)),
        kTVMFFIStaticObjectBegin.. => return None,
        kTVMFFIFloat if f64::from_bits(payload).is_nan() => combine(kTVMFFIFloat as u64, NAN),
        _ => combine(type_index as u64, payload),
    })
}

/// What every NaN is hashed as.
const NAN: u64 = 0x7ff8_0000_0000_0000;

fn shape_hash(shape: &Shape) -> u64 {
    let extents = shape::extents(shape);
    let hash = combine(type_key_hash(kTVMFFIShape), extents.len() as u64);
    extents.iter().fold(hash, |hash, extent| combine(hash, *extent as u64))
}

fn type_key_hash(type_index: i32) -> u64 {
    // SAFETY: entries of the table are never freed.
    type_table::info(type_index).map_or(0, |info| unsafe { (*info).type_key_hash })
}

fn take_number(counter: &Cell<u32>) -> u32 {
    counter.replace(counter.get().wrapping_add(1))
}
