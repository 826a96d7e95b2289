//! The hash of a value and of all that it refers to: equal for values that are equal by `compare`.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tvm_ffi_spec::*;

use super::children::{Kind, VisibleFields, address, ended};
use crate::{
    border::error::{Error, Result},
    container::{
        held::{Held, Parts, Visited},
        sequence,
        shape::{self, Shape},
    },
    function::{self, Function, row, signature::Signature},
    object::ObjectRef,
    reflection::bigint,
    system::memory::{self, RoomFor},
    types::{attribute, schema::Type, type_table},
    value::{
        any::{Any, AnyView},
        bit_hash::{combine, content_hash},
    },
    walk::{
        addresses::ByAddress,
        recursion::{Fold, USUAL_DEPTH, Visit, fold},
        stack_guard,
    },
};

/// Fields that do not take part.
const SKIPPED: i64 = kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskCompareOff;

/// The hash of a value. What leads to an object that contains itself counts as its type only, as circles of any length are equal where what
/// goes round in them is.
///
/// # Errors
/// `ValueError` for an object whose type says what is equal but not how to hash it, and for values nested too deep;
/// what getters and hooks fail with.
pub fn recursive_hash(value: &AnyView<'_>) -> Result<i64> {
    if let Some(hash) = plain_hash(value).or_else(|| at_a_glance(value)) {
        return Ok(hash as i64);
    }
    hash_inside(Hasher::default(), Visited::root(value.to_owned()?, false)).map(|hash| hash.value as i64)
}

/// The hash of a sequence of a few plain values: what a walk needs takes longer to be made ready.
fn at_a_glance(value: &AnyView<'_>) -> Option<u64> {
    const GLANCED: usize = 16;
    let sequence = value.cast_ref()?;
    // SAFETY: nothing foreign runs while the elements are looked at.
    let elements = unsafe { sequence::borrow(sequence) };
    let is_told = elements.len() <= GLANCED && elements.iter().all(|element| is_plain(element.view().type_index()));
    if !is_told || attribute::HASH.of(value.type_index()).is_some() {
        return None;
    }
    let head = combine(type_hash(value.type_index()).ok()?, elements.len() as u64);
    let mut parts = elements.iter().zip(0..);
    parts.try_fold(head, |hash, (element, at)| Some(combine(hash, combine(plain_hash(element.view())?, at))))
}

/// The hash of a value that a hook asks for.
fn hash_within(notes: &Shared, root: Visited) -> Result<u64> {
    if let Some(hash) = plain_hash(root.value.view()) {
        return Ok(hash);
    }
    let hash = hash_inside(Hasher { shared: Some(Arc::clone(notes)), ..Hasher::default() }, root)?;
    if hash.has_circle == Word::Yes {
        lock(notes).circles += 1;
    }
    Ok(hash.value)
}

/// The hash of a value that may refer to others.
fn hash_inside(mut hasher: Hasher, root: Visited) -> Result<Hash> {
    stack_guard::check()?;
    fold(&mut hasher, root)
}

/// The hash of an object.
#[derive(Clone, Copy)]
struct Hash {
    value: u64,
    /// Whether it leads to an object that contains itself.
    has_circle: Word,
}

/// A truth value that takes a whole word: bytes next to padding are moved slowly.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Word {
    No,
    Yes,
}

impl Hash {
    fn of_circle(type_hash: u64) -> Self {
        Self { value: type_hash, has_circle: Word::Yes }
    }
}

impl From<u64> for Hash {
    fn from(value: u64) -> Self {
        Self { value, has_circle: Word::No }
    }
}

/// What a walk and those that its hooks start note.
#[derive(Default)]
struct Notes {
    /// The objects that may be met again: nothing of those that the walk is in, the hashes of others. The reference keeps the
    /// address from being another object's, unless the walk does.
    met: ByAddress<usize, Option<(Option<ObjectRef>, Hash)>>,
    /// How many of the values that hooks have asked for lead to an object that contains itself.
    circles: usize,
}

type Shared = Arc<Mutex<Notes>>;

fn lock(notes: &Shared) -> MutexGuard<'_, Notes> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Default)]
struct Hasher {
    /// The notes, up to the first hook, ...
    own: Notes,
    /// ... and from then on, as hooks may call on any thread.
    shared: Option<Shared>,
    /// How many objects nothing was noted of although they may be met again.
    unnoted: usize,
}

/// An object whose children are being hashed.
struct Frame {
    object: Visited,
    kind: Kind,
    children: Rest,
    type_hash: u64,
    hash: Hash,
    /// Whether the walk is still to be noted as being in the object. That is soon enough when it goes further inside.
    is_to_be_opened: bool,
    /// How many children have been hashed.
    count: u64,
    /// Of a map: the hashes of the entries, of which the last one is that of its key until the value has been hashed.
    entries: Vec<u64>,
}

/// The children of an object that are still to be hashed.
enum Rest {
    /// Those of a container.
    Parts(Parts),
    /// The values of these fields.
    Fields(VisibleFields),
}

/// How many children an object has at least whose hash is noted although none of them refers to others.
const NOTEWORTHY: u64 = 16;

/// How many objects are hashed without a note that do not seem to be met again: what getters answer may be.
const UNREMEMBERED: usize = 1024;

impl Fold for Hasher {
    type Input = Visited;
    type Output = Hash;
    type Frame = Frame;
    const NAME: &'static str = "ObjectGraphDFS";
    const NESTED: usize = USUAL_DEPTH;

    fn visit(&mut self, mut visited: Visited) -> Result<Visit<Frame, Hash>> {
        let Some(object) = visited.value.object() else { return Ok(Visit::Done(combine(0, 0).into())) };
        let type_index = object.type_index();
        let type_hash = type_hash(type_index)?;
        let noted = visited.noted && self.takes_note_of(&visited);
        if noted && let Some(hash) = self.known(object, type_hash) {
            return Ok(Visit::Done(hash));
        }
        if let Some(hash) = self.hash_by_hook_of(&visited, object, type_hash)? {
            return Ok(Visit::Done(hash));
        }
        // SAFETY: the frame has both the object and its children.
        let parts = unsafe { parts_of(object)? };
        let (kind, children, hash, entries) = match parts {
            Some(parts) if matches!(type_index, kTVMFFIMap | kTVMFFIDict) => {
                let len = parts.len() / 2;
                (Kind::Map, Rest::Parts(parts), combine(type_hash, len as u64), memory::room(len)?)
            }
            Some(parts) => {
                let hash = combine(type_hash, parts.len() as u64);
                (Kind::Sequence, Rest::Parts(parts), hash, Vec::new())
            }
            None => {
                let fields = Rest::Fields(VisibleFields::of(type_index, SKIPPED)?);
                (Kind::Object { foreign: false }, fields, type_hash, Vec::new())
            }
        };
        visited.noted = noted;
        Ok(Visit::Enter(Frame {
            object: visited,
            kind,
            children,
            type_hash,
            hash: hash.into(),
            is_to_be_opened: noted,
            count: 0,
            entries,
        }))
    }

    #[inline]
    fn next(&mut self, frame: &mut Frame) -> Result<Option<Visited>> {
        while let Some(child) = frame.next_child()? {
            match plain_hash(child.view()) {
                Some(hash) => frame.feed(hash),
                None => {
                    if mem::take(&mut frame.is_to_be_opened) {
                        self.open(&frame.object)?;
                    }
                    return Ok(Some(frame.object.part(child)));
                }
            }
        }
        Ok(None)
    }

    fn feed(&mut self, frame: &mut Frame, hash: Hash) -> Result<()> {
        frame.feed(hash.value);
        if hash.has_circle == Word::Yes {
            frame.hash.has_circle = Word::Yes;
        }
        Ok(())
    }

    fn finish(&mut self, mut frame: Frame) -> Result<Hash> {
        let mut hash = frame.hash;
        if hash.has_circle == Word::Yes {
            hash.value = frame.type_hash;
        } else {
            // The order of a map's entries does not matter.
            frame.entries.sort_unstable();
            hash.value = frame.entries.iter().copied().fold(hash.value, combine);
        }
        if frame.is_to_be_opened && frame.count >= NOTEWORTHY {
            frame.is_to_be_opened = false;
            self.open(&frame.object)?;
        }
        if !frame.is_to_be_opened {
            self.close(&frame.object, Some(hash));
        }
        Ok(hash)
    }

    fn abandon(&mut self, frame: Frame) {
        if !frame.is_to_be_opened {
            self.close(&frame.object, None);
        }
    }
}

impl Frame {
    #[inline]
    fn next_child(&mut self) -> Result<Option<Held>> {
        match &mut self.children {
            Rest::Parts(parts) => Ok(parts.next()),
            Rest::Fields(fields) => match (fields.next(), self.object.value.object()) {
                // SAFETY: the fields are those of the object's type.
                (Some(field), Some(object)) => unsafe { field.held(object).map(Some) },
                _ => Ok(None),
            },
        }
    }

    #[inline]
    fn feed(&mut self, hash: u64) {
        match self.kind {
            Kind::Sequence => self.hash.value = combine(self.hash.value, combine(hash, self.count)),
            Kind::Map if self.count.is_multiple_of(2) => self.entries.push(hash),
            Kind::Map => {
                if let Some(entry) = self.entries.last_mut() {
                    *entry = combine(*entry, hash);
                }
            }
            Kind::Object { .. } => self.hash.value = combine(self.hash.value, hash),
        }
        self.count += 1;
    }
}

impl Hasher {
    /// The hash of an object that has a hook.
    fn hash_by_hook_of(&mut self, visited: &Visited, object: &ObjectRef, type_hash: u64) -> Result<Option<Hash>> {
        let type_index = object.type_index();
        let Some(hook) = attribute::HASH.of(type_index) else {
            let defines_equality = || attribute::EQ.of(type_index).or(attribute::COMPARE.of(type_index)).is_some();
            if type_index >= kTVMFFIStaticObjectEnd && defines_equality() {
                return Err(hash_is_missing(type_index));
            }
            return Ok(None);
        };
        let Some(hook) = hook.cast() else { return Ok(None) };
        let notes = Arc::clone(self.share());
        if visited.noted {
            self.open(visited)?;
        }
        let before = lock(&notes).circles;
        let hash = hash_by_hook(&notes, object, &hook).map(|hash| {
            // Of what the walk begins with, the hook's answer is the hash. To those around it, it is as other objects are.
            let has_circle = !visited.is_root() && lock(&notes).circles != before;
            if has_circle { Hash::of_circle(type_hash) } else { hash.into() }
        });
        self.close(visited, hash.as_ref().ok().copied());
        hash.map(Some)
    }

    /// Whether what becomes of an object is noted, which may be met again. As long as no hook leads back into the walk, that takes
    /// longer than it saves where nothing else seems to refer to the object.
    #[inline]
    fn takes_note_of(&mut self, visited: &Visited) -> bool {
        if visited.is_root() || self.shared.is_some() || visited.value.seems_shared() {
            return true;
        }
        self.unnoted += 1;
        self.unnoted > UNREMEMBERED
    }

    /// The hash of an object that has been met before.
    fn known(&mut self, object: &ObjectRef, type_hash: u64) -> Option<Hash> {
        self.with_notes(|notes| {
            let known = notes.met.get(&address(object))?.as_ref();
            Some(known.map_or(Hash::of_circle(type_hash), |(_, hash)| *hash))
        })
    }

    /// Begins the visit of an object.
    fn open(&mut self, visited: &Visited) -> Result<()> {
        let object = visited.value.its_object();
        self.with_notes(|Notes { met, .. }| {
            // Where there is one, more follow.
            met.room_for(if met.is_empty() { 14 } else { 1 })?;
            met.entry(address(object)).or_insert(None);
            Ok(())
        })
    }

    /// Ends the visit of an object.
    fn close(&mut self, visited: &Visited, hash: Option<Hash>) {
        // What a walk has begun with is not met again afterwards.
        if visited.noted
            && !visited.is_root()
            && let Some(object) = visited.value.object()
        {
            self.with_notes(|Notes { met, .. }| match hash {
                Some(hash) => {
                    if let Some(known) = met.get_mut(&address(object)) {
                        *known = Some(((!visited.is_kept).then(|| object.clone()), hash));
                    }
                }
                None => drop(met.remove(&address(object))),
            });
        }
    }

    #[inline]
    fn with_notes<T>(&mut self, body: impl FnOnce(&mut Notes) -> T) -> T {
        match &self.shared {
            None => body(&mut self.own),
            Some(shared) => body(&mut lock(shared)),
        }
    }

    /// The notes, for a hook.
    fn share(&mut self) -> &Shared {
        let own = &mut self.own;
        self.shared.get_or_insert_with(|| Arc::new(Mutex::new(mem::take(own))))
    }
}

fn hash_by_hook(notes: &Shared, object: &ObjectRef, hook: &Function) -> Result<u64> {
    let notes = Arc::downgrade(notes);
    static SIGNATURE: Signature = Signature::new("(0: AnyView) -> int");
    let go_on = row::typed(&SIGNATURE, move |args| {
        let notes = notes.upgrade().ok_or_else(ended)?;
        hash_within(&notes, Visited::root(args.any(0).to_owned()?, true)).map(|hash| Any::from(hash as i64))
    })?;
    let (object, go_on) = (Any::from(object.clone()), Any::from(go_on));
    let answer = function::call(hook, &[*object.view(), *go_on.view()])?;
    answer.view().as_int().map(|hash| hash as u64).ok_or_else(|| Type::Int.refuse(answer.view()))
}

/// The parts of a container. Those of a List or a Dict of a few plain ones need no copies, as nothing foreign runs then that could change it.
///
/// # Safety
/// As for [`Parts::of`].
unsafe fn parts_of(object: &ObjectRef) -> Result<Option<Parts>> {
    /// How many are looked at twice, which is for as long as they stay in a cache.
    const FEW: usize = 256;
    if matches!(object.type_index(), kTVMFFIList | kTVMFFIDict) {
        // SAFETY: the caller's contract, and nothing runs meanwhile, or as long as there are only plain parts.
        let lent = || unsafe { Parts::lent(object) }.filter(|parts| parts.len() <= FEW);
        if let Some(mut parts) = lent()
            && parts.all(|part| is_plain(part.view().type_index()))
        {
            return Ok(lent());
        }
    }
    // SAFETY: the caller's contract is the same.
    unsafe { Parts::of(object) }
}

fn type_hash(type_index: i32) -> Result<u64> {
    // SAFETY: entries are never freed.
    type_table::info(type_index).map(|info| unsafe { (*info).type_key_hash })
}

/// Whether values of a type refer to no others.
fn is_plain(type_index: i32) -> bool {
    type_index < kTVMFFIStaticObjectBegin
        || matches!(type_index, kTVMFFIStr | kTVMFFIBytes | kTVMFFIShape | kTVMFFIBigInt)
}

/// The hash of a value that refers to no other.
#[inline]
fn plain_hash(value: &AnyView<'_>) -> Option<u64> {
    match value.type_index() {
        kTVMFFIInt => Some(combine(kTVMFFIInt as u64, value.raw().payload())),
        kTVMFFIArray | kTVMFFIMap | kTVMFFIList | kTVMFFIDict | kTVMFFIStaticObjectEnd.. => None,
        _ => other_plain_hash(value),
    }
}

fn other_plain_hash(value: &AnyView<'_>) -> Option<u64> {
    let (type_index, payload) = (value.type_index(), value.raw().payload());
    let words: &[u64] = match type_index {
        kTVMFFINone => return Some(combine(0, 0)),
        kTVMFFISmallStr | kTVMFFIStr => return Some(combine(kTVMFFIStr as u64, content_hash(value.as_str()?))),
        kTVMFFISmallBytes | kTVMFFIBytes => return Some(combine(kTVMFFIBytes as u64, content_hash(value.as_bytes()?))),
        kTVMFFIBool => &[u64::from(payload != 0)],
        kTVMFFIFloat => &[canonical_bits(f64::from_bits(payload))],
        kTVMFFIDataType => {
            // SAFETY: the value is a data type.
            let DLDataType { code, bits, lanes } = unsafe { value.raw().value.v_dtype };
            &[u64::from(code), u64::from(bits), u64::from(lanes)]
        }
        kTVMFFIDevice => {
            // SAFETY: the value is a device.
            let DLDevice { device_type, device_id } = unsafe { value.raw().value.v_device };
            &[i64::from(device_type) as u64, i64::from(device_id) as u64]
        }
        kTVMFFIShape => return Some(shape_hash(value.cast_ref()?)),
        // What the hook of the type answers.
        kTVMFFIBigInt => return Some(bigint::hash(value.cast_ref()?)),
        kTVMFFIStaticObjectBegin.. => return None,
        _ => &[payload],
    };
    Some(words.iter().fold(type_index as u64, |hash, &word| combine(hash, word)))
}

/// The bits of a number; those of 0 for -0, and one NaN for all.
fn canonical_bits(value: f64) -> u64 {
    if value.is_nan() {
        f64::NAN.to_bits()
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    }
}

fn shape_hash(shape: &Shape) -> u64 {
    let extents = shape::extents(shape);
    let hash = combine(type_hash(kTVMFFIShape).unwrap_or_default(), extents.len() as u64);
    extents.iter().fold(hash, |hash, &extent| combine(hash, extent as u64))
}

#[cold]
fn hash_is_missing(type_index: i32) -> Error {
    let key = type_table::key_of(type_index);
    let text = "defines __ffi_eq__ or __ffi_compare__ but not __ffi_hash__. Add a __ffi_hash__ hook to maintain the \
                invariant RecursiveEq(a,b) => RecursiveHash(a)==RecursiveHash(b).";
    Error::new("ValueError", format!("RecursiveHash: type '{key}' {text}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::{
        container::{array, map},
        test_values,
        value::text,
    };

    fn hash(value: impl Into<Any>) -> i64 {
        recursive_hash(Into::<Any>::into(value).view()).unwrap()
    }

    // Known answers: what the releases hash these to.
    #[rstest]
    #[case(text::string(b"abcdefg").unwrap(), 4_352_227_701)]
    #[case(Any::from(array::new(vec![1.into(), 2.into(), text::string(b"x").unwrap()]).unwrap()), -982_932_835_619_308_704)]
    #[case(Any::from(map::new(vec![(1.into(), 1.into()), (2.into(), 2.into()), (3.into(), 3.into())]).unwrap()),
        4_331_231_577_370_438_331)]
    #[case(Any::from(shape::new(&[1, 2, 3]).unwrap()), -142_990_502_110_543_205)]
    fn values_hash_as_in_the_releases(#[case] value: Any, #[case] expected: i64) {
        assert_eq!(hash(value), expected);
    }

    #[test]
    fn numbers_that_are_equal_hash_alike() {
        assert_eq!(hash(0.0), hash(-0.0));
        assert_eq!(hash(f64::NAN), hash(-f64::NAN));
        assert_ne!(hash(1.0), hash(1));
    }

    #[test]
    fn the_order_of_entries_does_not_matter() {
        let entries = [(1.into(), 2.into()), (3.into(), 4.into())];
        let reversed = entries.iter().rev().cloned().collect();
        assert_eq!(hash(map::new(entries.to_vec()).unwrap()), hash(map::new(reversed).unwrap()));
    }

    #[test]
    fn cycles_and_depth_are_no_danger() {
        let cyclic = test_values::cyclic_list();
        assert_eq!(hash(cyclic.clone()), hash(cyclic.clone()));
        test_values::break_cycle(&cyclic);
        hash(test_values::nested_lists(100_000));
    }

    proptest! {
        #[test]
        fn values_of_one_content_hash_alike(sample in test_values::values()) {
            prop_assert_eq!(hash(sample.value()), hash(sample.value()));
        }
    }
}
