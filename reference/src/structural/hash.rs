//! The structural hash: equal for values that are structurally equal, and the same in every process as long as no free
//! variable takes part.
//!
//! Every bit is part of the ABI, and so is the order in which things are hashed: variables that are defined and nodes of
//! graphs are numbered as they are met, and an object is hashed once per walk, to what it was met as first.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    sync::Arc,
    vec,
};

use tvm_ffi_spec::*;

use super::{
    Descent, ENTERING, LEAVING, Level, address, call_back, check_contiguous, check_on_cpu, comparison_kind,
    fields::{Fields, enter_object, entered},
    hook_function, integer_words, is_shared, null_object,
    thread_bound::Local,
};
use crate::{
    border::error::Result,
    container::{
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
    Hasher::new(map_free_vars, skip_tensor_content).hash(value)
}

/// The global functions about hashes.
pub(crate) const GLOBALS: &[Row] = &[row("ffi.StructuralHash(0: Any, 1: bool, 2: bool) -> int", |args| {
    // Arguments are converted from the last to the first, which tells which of several bad ones is complained about.
    let (skip_tensor_content, map_free_vars) = (args.bool(2)?, args.bool(1)?);
    let value = args.any(0).to_owned()?;
    Ok((hash(value.view(), map_free_vars, skip_tensor_content)? as i64).into())
})];

/// One computation of a hash. Hooks lead back into it, so nothing in it is borrowed while they run.
struct Hasher {
    skip_tensor_content: bool,
    region: Cell<i32>,
    /// How many variables have been met in definition regions.
    variables: Cell<u32>,
    /// How many nodes of graphs have been hashed.
    nodes: Cell<u32>,
    /// The hashes of objects that are compared as their types say. The references keep addresses from being reused.
    objects: RefCell<HashMap<usize, (ObjectRef, u64)>>,
    /// The hashes of containers, each with how many objects were known then. Until further ones are, it cannot change.
    containers: RefCell<HashMap<usize, (ObjectRef, u64, usize)>>,
    /// What hooks hash their parts with.
    callback: OnceCell<Function>,
    this: Local<Hasher>,
}

/// A value that is being hashed.
struct Part {
    object: ObjectRef,
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
        entries: vec::IntoIter<(u64, Option<Any>)>,
        objects_before: usize,
    },
    Object {
        fields: Fields,
        kind: i32,
    },
}

impl Level for Part {
    type Key = usize;

    fn key(&self) -> usize {
        address(&self.object)
    }

    fn type_index(&self) -> i32 {
        self.object.type_index()
    }
}

enum Step {
    Into(Part),
    Done(u64),
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
            this: Local::new(this),
        })
    }

    fn hash(&self, value: &AnyView<'_>) -> Result<u64> {
        let mut inside = Descent::new();
        let mut step = self.enter(value)?;
        loop {
            let done = match step {
                Step::Into(part) => inside.enter(part).map(|()| None).map_err(|(_, error)| error)?,
                Step::Done(hash) => Some(hash),
            };
            let Some(part) = inside.innermost() else { return Ok(done.unwrap_or_default()) };
            part.hash = done.map_or(part.hash, |hash| combine(part.hash, hash));
            step = match part.next(self)? {
                Some(child) => self.enter(child.view())?,
                None => Step::Done(inside.leave().map_or(Ok(0), |part| self.leave(part))?),
            };
        }
    }

    /// Hashes a value, or begins to.
    fn enter(&self, value: &AnyView<'_>) -> Result<Step> {
        if let Some(hash) = leaf(value) {
            return Ok(Step::Done(hash));
        }
        let object = value.as_object().ok_or_else(null_object)?;
        let type_index = object.type_index();
        Ok(match type_index {
            kTVMFFIArray | kTVMFFIList => self.enter_container(object, |object| {
                let content = Content::Sequence { at: 0, objects_before: self.objects.borrow().len() };
                Ok((object.cast_ref().map_or(0, sequence::len), content))
            })?,
            kTVMFFIMap | kTVMFFIDict => self.enter_container(object, |object| {
                let (map, objects_before) = (object.cast_ref(), self.objects.borrow().len());
                let entries = map.map(|map| self.sorted_entries(map)).transpose()?.unwrap_or_default();
                Ok((map.map_or(0, map::len), Content::Map { entries, objects_before }))
            })?,
            kTVMFFIShape => Step::Done(object.cast_ref().map_or(0, shape_hash)),
            kTVMFFITensor => Step::Done(self.tensor_hash(&object)?),
            _ => self.enter_object(object)?,
        })
    }

    fn enter_container(
        &self,
        object: ObjectRef,
        content: impl FnOnce(&ObjectRef) -> Result<(usize, Content)>,
    ) -> Result<Step> {
        if is_shared(&object, ENTERING)
            && let Some((_, hash, objects)) = self.containers.borrow().get(&address(&object))
            && *objects == self.objects.borrow().len()
        {
            return Ok(Step::Done(*hash));
        }
        let (len, content) = content(&object)?;
        let hash = combine(type_key_hash(object.type_index()), len as u64);
        Ok(Step::Into(Part { object, hash, content }))
    }

    fn enter_object(&self, object: ObjectRef) -> Result<Step> {
        let type_index = object.type_index();
        let kind = comparison_kind(type_index)?;
        if let Some((_, hash)) = self.objects.borrow().get(&address(&object)) {
            return Ok(Step::Done(*hash));
        }
        let hash = type_key_hash(type_index);
        let Some(hook) = hook_function(&attribute::S_HASH, type_index, "__s_hash__")? else {
            let content = Content::Object { fields: Fields::new(type_index, kind, &self.region)?, kind };
            return Ok(Step::Into(Part { object, hash, content }));
        };
        let outer = self.region.get();
        enter_object(kind, &self.region);
        let hash = self.call_hook(&hook, &object, hash);
        self.region.set(outer);
        Ok(Step::Done(self.conclude(object, kind, hash?)?))
    }

    fn call_hook(&self, hook: &Function, object: &ObjectRef, init: u64) -> Result<u64> {
        let callback = self.callback.get_or_init(|| self.make_callback()).clone();
        let (object, init, callback) = (Any::from(object.clone()), Any::from(init as i64), Any::from(callback));
        let hash = call_back(hook, &[*object.view(), *init.view(), *callback.view()])?;
        hash.view().as_int().map(|hash| hash as u64).ok_or_else(|| Type::Int.refuse(hash.view()))
    }

    /// The function that a hook hashes a part with: `(part, hash so far, kind of definition region) -> hash`.
    fn make_callback(&self) -> Function {
        let hasher = self.this.clone();
        static SIGNATURE: Signature = Signature::new("(0: AnyView, 1: int, 2: int) -> int");
        typed(&SIGNATURE, move |args| {
            let (kind, init) = (args.int(2)? as i32, args.int(1)? as u64);
            let hasher = hasher.get()?;
            let value = args.any(0).to_owned()?;
            let outer = hasher.region.get();
            hasher.region.set(if kind == kTVMFFIDefRegionKindNone { outer } else { entered(outer, kind) });
            let hash = hasher.hash(value.view());
            hasher.region.set(outer);
            Ok((combine(init, hash?) as i64).into())
        })
    }

    /// Ends the hash of a value of which nothing is left.
    fn leave(&self, Part { object, hash, content }: Part) -> Result<u64> {
        match content {
            Content::Object { fields, kind } => {
                fields.close(&self.region);
                return self.conclude(object, kind, hash);
            }
            Content::Sequence { objects_before, .. } | Content::Map { objects_before, .. } => {
                if is_shared(&object, LEAVING) && self.objects.borrow().len() == objects_before {
                    let mut containers = self.containers.borrow_mut();
                    containers.try_reserve(1)?;
                    containers.insert(address(&object), (object, hash, objects_before));
                }
            }
        }
        Ok(hash)
    }

    /// The hash of an object whose parts have this one.
    fn conclude(&self, object: ObjectRef, kind: i32, parts: u64) -> Result<u64> {
        let hash = match kind {
            kTVMFFISEqHashKindFreeVar if self.region.get() == kTVMFFIDefRegionKindNone => address(&object) as u64,
            kTVMFFISEqHashKindFreeVar => combine(parts, u64::from(take_number(&self.variables))),
            kTVMFFISEqHashKindDAGNode => combine(parts, u64::from(take_number(&self.nodes))),
            _ => parts,
        };
        let mut objects = self.objects.borrow_mut();
        objects.try_reserve(1)?;
        objects.insert(address(&object), (object, hash));
        Ok(hash)
    }

    /// The entries of a map by the hashes of their keys. Keys whose hash would depend on the order of entries are left
    /// out, and so are the values of keys with the same hash.
    fn sorted_entries(&self, map: &Mapping) -> Result<vec::IntoIter<(u64, Option<Any>)>> {
        let mut sorted = memory::room(map::len(map))?;
        // SAFETY: looking a hash up runs no foreign code, nor does cloning a value.
        let entries = unsafe { map::iter(map) };
        sorted.extend(entries.filter_map(|(key, value)| Some((self.key_hash(key.view())?, Some(value.clone())))));
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
    fn next(&mut self, hasher: &Hasher) -> Result<Option<Any>> {
        match &mut self.content {
            Content::Sequence { at, .. } => {
                // SAFETY: hashing a leaf runs no foreign code, nor does cloning a value.
                let elements = unsafe { sequence::borrow_in(&self.object) };
                for element in elements.get(*at..).unwrap_or_default() {
                    *at += 1;
                    match leaf(element.view()) {
                        Some(hash) => self.hash = combine(self.hash, hash),
                        None => return Ok(Some(element.clone())),
                    }
                }
                Ok(None)
            }
            Content::Map { entries, .. } => {
                for (key, value) in entries {
                    self.hash = combine(self.hash, key);
                    if value.is_some() {
                        return Ok(value);
                    }
                }
                Ok(None)
            }
            Content::Object { fields, .. } => {
                // SAFETY: the fields are those of the object's type.
                fields.next(&hasher.region).map(|field| unsafe { field.get(&self.object) }).transpose()
            }
        }
    }
}

/// The hash of a value that is not an object to be taken apart.
fn leaf(value: &AnyView<'_>) -> Option<u64> {
    let (type_index, payload) = (value.type_index(), value.raw().payload());
    let content = match type_index {
        kTVMFFISmallStr | kTVMFFIStr => value.as_str(),
        kTVMFFIBytes => value.as_bytes(),
        kTVMFFIBigInt => integer_words(value),
        _ => None,
    };
    if let Some(small) =
        content.filter(|_| type_index == kTVMFFIBytes).and_then(|content| small(kTVMFFISmallBytes, content))
    {
        // A client may have made an object of what is small elsewhere. They are equal.
        return Some(combine(kTVMFFISmallBytes as u64, small.payload()));
    }
    if let Some(content) = content {
        let type_index = if type_index == kTVMFFISmallStr { kTVMFFIStr } else { type_index };
        return Some(combine(type_index as u64, content_hash(content)));
    }
    let is_nan = type_index == kTVMFFIFloat && f64::from_bits(payload).is_nan();
    let word = if is_nan { NAN } else { payload };
    (type_index < kTVMFFIStaticObjectBegin).then(|| combine(type_index as u64, word))
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
