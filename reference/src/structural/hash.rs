//! The structural hash: equal for values that are structurally equal, and the same in every process as long as no free
//! variable takes part.
//!
//! Every bit is part of the ABI, and so is the order in which things are hashed: variables that are defined and nodes of
//! graphs are numbered as they are met, and an object is hashed once per walk, to what it was met as first. Where the order
//! of a map has a use come before the definition, the variable is numbered there, which takes a second walk.

use std::{
    cell::{Cell, OnceCell, RefCell},
    sync::Arc,
};

use tvm_ffi_spec::*;

use super::{
    DEEPEST, Descent, address, call_back, comparison_kind,
    fields::{Fields, enter_object, entered},
    hashed_part::{Content, Entries, Part, next_element, next_entry},
    leaf_hash::{
        Before, Effort, KeyHashes, at_a_glance, is_nested, leaf, shape_hash, sort_by_key_hash, tensor_hash,
        type_key_hash,
    },
    made_once,
    map_keys::{MapKeys, Objects},
    thread_bound::{Local, Place, Placed},
};
use crate::{
    border::error::Result,
    container::{
        held::Held,
        map::{self, Mapping},
        sequence,
    },
    function::{
        self, Function,
        row::{Row, row, typed},
        signature::Signature,
    },
    object::ObjectRef,
    system::memory::{self, RoomFor},
    types::{attribute, schema::Type},
    value::{
        any::{Any, AnyView},
        bit_hash::combine,
    },
    walk::addresses::{Addresses, ByAddress},
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
    if let Some(hash) = leaf(value, &Effort::default()).or_else(|| at_a_glance(value)) {
        return Ok(hash);
    }
    let hasher = Hasher::new(map_free_vars, skip_tensor_content);
    let mut passes = 0;
    loop {
        // SAFETY: the value is the caller's during the walk.
        let hash = hasher.hash(unsafe { Held::kept(value) }, false, 0)?;
        passes += 1;
        if !hasher.is_loose.get() || passes == PASSES || !hasher.begins_anew()? {
            return Ok(hash);
        }
    }
}

/// How often a value is walked at most: a hook may make variables that are new each time. The second pass knows all that
/// the first one has found, and finds more itself only if keys of maps are sorted differently now.
const PASSES: u32 = 8;

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
    objects: Objects,
    /// The hashes of containers, each with how many objects were known then. Until further ones are, it cannot change.
    containers: RefCell<ByAddress<usize, (ObjectRef, u64, usize)>>,
    effort: Effort,
    key_hashes: KeyHashes,
    map_keys: MapKeys,
    /// Whether entries of maps have been sorted.
    sorts: Cell<bool>,
    /// Whether a variable that was not defined has been met since.
    is_loose: Cell<bool>,
    /// What has been walked once more since, and in which region.
    rewalked: RefCell<Addresses<(usize, i32)>>,
    /// Variables that were used before their definitions were met.
    late: RefCell<ByAddress<usize, ObjectRef>>,
    /// How many of them there were when the walk began.
    known_late: Cell<usize>,
    /// Maps of which entries have been left out, and the regions they were met in.
    cut: RefCell<Vec<(ObjectRef, i32)>>,
    /// What hooks hash their parts with.
    callback: OnceCell<Function>,
    place: Place<Hasher>,
}

impl Placed for Hasher {
    fn place(&self) -> &Place<Self> {
        &self.place
    }
}

impl Hasher {
    fn new(map_free_vars: bool, skip_tensor_content: bool) -> Arc<Self> {
        Self::shared(|| Self {
            skip_tensor_content,
            region: Cell::new(if map_free_vars { kTVMFFIDefRegionKindPattern } else { kTVMFFIDefRegionKindNone }),
            variables: Cell::new(0),
            nodes: Cell::new(0),
            objects: RefCell::default(),
            containers: RefCell::default(),
            effort: Effort::default(),
            key_hashes: KeyHashes::default(),
            map_keys: MapKeys::default(),
            sorts: Cell::new(false),
            is_loose: Cell::new(false),
            rewalked: RefCell::default(),
            late: RefCell::default(),
            known_late: Cell::new(0),
            cut: RefCell::default(),
            callback: OnceCell::new(),
            place: Place::default(),
        })
    }

    /// Whether variables were used before their definitions were met: entries of maps are equal in any order, so that these
    /// count as defined where they are used. The walk begins anew then, which knows of them.
    #[cold]
    fn begins_anew(&self) -> Result<bool> {
        // What does not go into the hash may define variables, too. It need not be such that it can be hashed.
        let (outer, mut seen) = (self.region.get(), ByAddress::default());
        loop {
            let Some((map, region)) = self.cut.borrow_mut().pop() else { break };
            seen.room_for(1)?;
            // A map may be inside of what is left out of it.
            if seen.insert((address(&map), region), map.clone()).is_some() {
                continue;
            }
            for (_, value) in map.cast_ref().map(map::entries).transpose()?.unwrap_or_default() {
                self.region.set(region);
                let hash = self.hash(Held::ours(value), true, 0);
                // What has not come back from a hook is not touched any more.
                if !self.place.is_with_walk() {
                    return hash.map(|_| false);
                }
            }
        }
        self.region.set(outer);
        let late = self.late.borrow().len();
        if late == self.known_late.replace(late) {
            return Ok(false);
        }
        self.objects.borrow_mut().clear();
        self.containers.borrow_mut().clear();
        self.map_keys.forget();
        self.rewalked.take();
        self.variables.set(0);
        self.nodes.set(0);
        self.sorts.set(false);
        self.is_loose.set(false);
        Ok(true)
    }

    /// Whether a part is to be walked though its hash is known: variables that were used in it may be defined now.
    #[inline]
    fn may_define(&self, part: &ObjectRef) -> Result<bool> {
        let region = self.region.get();
        let is_possible = self.is_loose.get() && region != kTVMFFIDefRegionKindNone;
        Ok(is_possible && self.rewalked.borrow_mut().insert((address(part), region))?)
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
            done = match part.next(&self.region, &self.effort)? {
                Some(child) => {
                    let again = part.again || child.is_shared();
                    self.enter(child, again, nested, &mut inside)?
                }
                None => {
                    let hash = self.leave(part)?;
                    inside.end_innermost();
                    Some(hash)
                }
            };
        }
    }

    /// Hashes a value, unless that means to go inside of it.
    #[inline]
    fn enter(&self, mut value: Held, mut again: bool, nested: u32, inside: &mut Descent<Part>) -> Result<Option<u64>> {
        loop {
            if let Some(hash) = leaf(value.view(), &self.effort) {
                return Ok(Some(hash));
            }
            let object = value.its_object();
            let (key, type_index) = (address(object), object.type_index());
            let before = self.before();
            // Most containers have leaves alone, and are not worth a level.
            let child = match type_index {
                _ if is_nested(type_index, nested) => {
                    return self.nested_hash(object, value.is_shared(), again, nested + 1).map(Some);
                }
                kTVMFFIArray | kTVMFFIList => {
                    if let Some(hash) = self.known_hash(object, again, before)? {
                        return Ok(Some(hash));
                    }
                    let (mut hash, mut at) = (self.sequence_head(object), 0);
                    let Some(child) = next_element(object, &mut at, &mut hash, &self.effort) else {
                        return self.note_hash(value.is_shared(), object, hash, before).map(Some);
                    };
                    inside.admit(key, type_index)?;
                    // SAFETY: the level has the sequence, or what it is inside of, for as long as its elements.
                    let child = unsafe { Held::part(child, type_index == kTVMFFIArray) };
                    inside.push(Part { value, again, hash, before, content: Content::Sequence { at } });
                    child
                }
                kTVMFFIMap | kTVMFFIDict => {
                    if let Some(hash) = self.known_hash(object, again, before)? {
                        return Ok(Some(hash));
                    }
                    let Some(map) = object.cast_ref() else { unreachable!("of the type of a map") };
                    let mut hash = combine(type_key_hash(type_index), map::len(map) as u64);
                    let mut entries = self.sorted_entries(map)?;
                    let Some(child) = next_entry(&mut entries, &mut hash, &self.effort) else {
                        return self.note_hash(value.is_shared(), object, hash, before).map(Some);
                    };
                    inside.admit(key, type_index)?;
                    inside.push(Part { value, again, hash, before, content: Content::Map(entries) });
                    child
                }
                kTVMFFIShape => return Ok(Some(object.cast_ref().map_or(0, |shape| shape_hash(shape, &self.effort)))),
                kTVMFFITensor => return tensor_hash(object, self.skip_tensor_content, &self.effort).map(Some),
                _ => {
                    let (types, kind) = comparison_kind(type_index)?;
                    let hash = types.own.type_key_hash;
                    if let Some(hash) = self.without_fields(object, again, kind, hash)? {
                        return Ok(Some(hash));
                    }
                    let fields = Fields::of(types, kind, &self.region)?;
                    inside.admit(key, type_index)?;
                    inside.push(Part { value, again, hash, before, content: Content::Object { fields, kind } });
                    return Ok(None);
                }
            };
            again |= child.is_shared();
            value = child;
        }
    }

    /// The hash of an object that was met before, or has a hook, which begins with that of its type.
    fn without_fields(&self, object: &ObjectRef, again: bool, kind: i32, init: u64) -> Result<Option<u64>> {
        if again && let Some((_, hash)) = self.objects.borrow().get(&address(object)) {
            if !self.may_define(object)? {
                return Ok(Some(*hash));
            }
            // What a variable that was used has been hashed to.
            if kind == kTVMFFISEqHashKindFreeVar && *hash == address(object) as u64 {
                let mut late = self.late.borrow_mut();
                late.room_for(1)?;
                late.insert(address(object), object.clone());
            }
        }
        attribute::S_HASH.of(object.type_index()).map(|hook| self.by_hook(&hook, object, again, kind, init)).transpose()
    }

    #[inline(never)]
    fn by_hook(&self, hook: &AnyView<'_>, object: &ObjectRef, again: bool, kind: i32, init: u64) -> Result<u64> {
        let hook = function::of_hook(hook, "__s_hash__")?;
        let outer = self.region.get();
        enter_object(kind, &self.region);
        let callback = made_once(&self.callback, || self.make_callback())?;
        let (value, init) = (Any::from(object.clone()), Any::from(init as i64));
        let hash = self.place.lend(|| call_back(&hook, &[*value.view(), *init.view(), *callback.view()]))?;
        let hash = hash.view().as_int().ok_or_else(|| Type::Int.refuse(hash.view()))?;
        self.region.set(outer);
        self.conclude(object, again, kind, hash as u64)
    }

    /// The function that a hook hashes a part with: `(part, hash so far, kind of definition region) -> hash`.
    fn make_callback(&self) -> Result<Function> {
        let hasher = Local::new(&self.place);
        static SIGNATURE: Signature = Signature::new("(0: AnyView, 1: int, 2: int) -> int");
        typed(&SIGNATURE, move |args| {
            let (kind, init) = (args.int(2)? as i32, args.int(1)? as u64);
            let hasher = hasher.get()?;
            let value = args.any(0).to_owned()?;
            let outer = hasher.region.get();
            hasher.region.set(if kind == kTVMFFIDefRegionKindNone { outer } else { entered(outer, kind) });
            // SAFETY: the value is there during the walk. A hook may hash it twice.
            let hash = hasher.hash(unsafe { Held::lent(value.view()) }, true, DEEPEST);
            if hasher.is_held() {
                hasher.region.set(outer);
            }
            Ok((combine(init, hash?) as i64).into())
        })
    }

    /// Ends the hash of a value of which nothing is left.
    fn leave(&self, Part { value, again, hash, before, content }: &Part) -> Result<u64> {
        let object = value.its_object();
        if let Content::Object { fields, kind } = content {
            fields.close(&self.region);
            return self.conclude(object, *again, *kind, *hash);
        }
        self.note_hash(value.is_shared(), object, *hash, *before)
    }

    /// Hashes a value by a nested call.
    fn nested_hash(&self, object: &ObjectRef, is_shared: bool, again: bool, nested: u32) -> Result<u64> {
        match object.type_index() {
            kTVMFFIArray | kTVMFFIList => self.sequence_hash(object, is_shared, again, nested),
            _ => self.object_hash(object, again, nested),
        }
    }

    fn object_hash(&self, object: &ObjectRef, again: bool, nested: u32) -> Result<u64> {
        let (types, kind) = comparison_kind(object.type_index())?;
        let mut hash = types.own.type_key_hash;
        if let Some(hash) = self.without_fields(object, again, kind, hash)? {
            return Ok(hash);
        }
        let mut fields = Fields::of(types, kind, &self.region)?;
        while let Some(field) = fields.next(&self.region) {
            // SAFETY: the fields are those of the object's type.
            let part = unsafe { field.held(object)? };
            let part = match leaf(part.view(), &self.effort) {
                Some(hash) => hash,
                None => match self.nested_part_hash(&part, again, nested) {
                    Some(hash) => hash?,
                    None => {
                        let again = again || part.is_shared();
                        self.hash(part, again, nested)?
                    }
                },
            };
            hash = combine(hash, part);
        }
        fields.close(&self.region);
        self.conclude(object, again, kind, hash)
    }

    /// Hashes a value that is inside of another and is no leaf.
    fn part_hash(&self, part: Held, again: bool, nested: u32) -> Result<u64> {
        match self.nested_part_hash(&part, again, nested) {
            Some(hash) => hash,
            None => {
                let again = again || part.is_shared();
                self.hash(part, again, nested)
            }
        }
    }

    /// As [`part_hash`](Self::part_hash), if that is a nested call: the part stays where it lies.
    #[inline]
    fn nested_part_hash(&self, part: &Held, again: bool, nested: u32) -> Option<Result<u64>> {
        let (is_shared, object) = (part.is_shared(), part.object()?);
        let is_nested = is_nested(object.type_index(), nested);
        is_nested.then(|| self.nested_hash(object, is_shared, again || is_shared, nested + 1))
    }

    fn sequence_hash(&self, object: &ObjectRef, is_shared: bool, again: bool, nested: u32) -> Result<u64> {
        let before = self.before();
        if let Some(hash) = self.known_hash(object, again, before)? {
            return Ok(hash);
        }
        let (mut hash, mut at) = (self.sequence_head(object), 0);
        let is_fixed = object.type_index() == kTVMFFIArray;
        while let Some(element) = next_element(object, &mut at, &mut hash, &self.effort) {
            let part = match element.view().cast_ref::<ObjectRef>() {
                // Where an Array keeps it, it need not be held.
                Some(part) if is_fixed && is_nested(part.type_index(), nested) => {
                    let is_shared = part.strong_count() > 1;
                    self.nested_hash(part, is_shared, again || is_shared, nested + 1)?
                }
                // SAFETY: the walk holds the sequence, or what it is inside of, for as long as its elements.
                _ => self.part_hash(unsafe { Held::part(element, is_fixed) }, again, nested)?,
            };
            hash = combine(hash, part);
        }
        self.note_hash(is_shared, object, hash, before)
    }

    /// What the hash of a sequence begins with.
    #[inline]
    fn sequence_head(&self, sequence: &ObjectRef) -> u64 {
        // SAFETY: nothing runs while the elements are borrowed.
        let len = unsafe { sequence::borrow_in(sequence) }.len();
        self.effort.add(len);
        combine(self.key_hashes.of(sequence.type_index()), len as u64)
    }

    #[inline]
    fn before(&self) -> Before {
        Before { objects: self.objects.borrow().len(), effort: self.effort.so_far() }
    }

    /// The hash of a container that was met before, if it has not changed since.
    #[inline]
    fn known_hash(&self, object: &ObjectRef, again: bool, before: Before) -> Result<Option<u64>> {
        let containers = self.containers.borrow();
        let known = if again { containers.get(&address(object)) } else { None };
        let Some((_, hash, objects)) = known else { return Ok(None) };
        Ok((*objects == before.objects && !self.may_define(object)?).then_some(*hash))
    }

    /// Notes the hash of a container, if that is worth it.
    #[inline]
    fn note_hash(&self, is_shared: bool, object: &ObjectRef, hash: u64, before: Before) -> Result<u64> {
        if is_shared && self.effort.is_noteworthy(before.effort) && self.objects.borrow().len() == before.objects {
            self.note_noteworthy(object, hash, before)?;
        }
        Ok(hash)
    }

    #[cold]
    fn note_noteworthy(&self, object: &ObjectRef, hash: u64, before: Before) -> Result<()> {
        let mut containers = self.containers.borrow_mut();
        containers.room_for(1)?;
        containers.insert(address(object), (object.clone(), hash, before.objects));
        self.effort.forget(before.effort);
        Ok(())
    }

    /// The hash of an object whose parts have this one.
    fn conclude(&self, object: &ObjectRef, again: bool, kind: i32, parts: u64) -> Result<u64> {
        if again
            && self.is_loose.get()
            && let Some((_, hash)) = self.objects.borrow().get(&address(object))
        {
            return Ok(*hash);
        }
        let hash = match kind {
            kTVMFFISEqHashKindFreeVar if self.is_used(object) => address(object) as u64,
            kTVMFFISEqHashKindFreeVar => combine(parts, u64::from(take_number(&self.variables))),
            kTVMFFISEqHashKindDAGNode => combine(parts, u64::from(take_number(&self.nodes))),
            _ => parts,
        };
        if again {
            /// Where there is one there are more.
            const FIRST: usize = 14;
            let mut objects = self.objects.borrow_mut();
            if objects.len() == objects.capacity() {
                let further = FIRST.max(3 * objects.len());
                objects.room_for(further)?;
            }
            objects.insert(address(object), (object.clone(), hash));
        }
        Ok(hash)
    }

    /// Whether a variable is not defined, as far as is known.
    fn is_used(&self, variable: &ObjectRef) -> bool {
        let is_used = self.region.get() == kTVMFFIDefRegionKindNone
            && (self.known_late.get() == 0 || !self.late.borrow().contains_key(&address(variable)));
        self.is_loose.set(self.is_loose.get() || is_used && self.sorts.get());
        is_used
    }

    /// The entries of a map by the hashes of their keys. Keys whose hash would depend on the order of entries are left
    /// out, and so are the values of keys with the same hash.
    fn sorted_entries(&self, map: &Mapping) -> Result<Entries> {
        self.sorts.set(true);
        let mut sorted = memory::room(map::len(map))?;
        self.effort.add(map::len(map));
        // SAFETY: looking a hash up runs no foreign code, nor does cloning a value.
        let entries = unsafe { map::iter(map) };
        let is_fixed = map.type_index() == kTVMFFIMap;
        // SAFETY: the walk holds the map, or what it is inside of, for as long as its values.
        let held = |value: &Any| unsafe { Held::part(value, is_fixed) };
        for (key, value) in entries {
            sorted.extend(
                self.map_keys.hash(key.view(), &self.objects, &self.effort)?.map(|hash| (hash, Some(held(value)))),
            );
        }
        sort_by_key_hash(&mut sorted);
        if sorted.len() < map::len(map) {
            let mut cut = self.cut.borrow_mut();
            cut.room_for(1)?;
            cut.push((map.clone().into(), self.region.get()));
            // What is left out counts once for all the times that a map is met.
            self.effort.add(Effort::NOTEWORTHY);
        }
        Ok(sorted.into_iter())
    }
}

fn take_number(counter: &Cell<u32>) -> u32 {
    counter.replace(counter.get().wrapping_add(1))
}
