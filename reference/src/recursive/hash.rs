//! The hash of a value and of all that it refers to: equal for values that are equal by `compare`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tvm_ffi_spec::*;

use super::children::{Children, Kind, address, ended};
use crate::{
    border::error::{Error, Result},
    container::{
        held::{Parts, Visited},
        shape::{self, Shape},
    },
    function::{self, Function, row, signature::Signature},
    object::ObjectRef,
    reflection::create,
    system::memory,
    types::{attribute, schema::Type, type_table},
    value::{
        any::{Any, AnyView},
        bit_hash::{combine, content_hash},
    },
    walk::{
        addresses::{Addresses, ByAddress},
        recursion::{Fold, Visit, fold},
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
pub fn recursive_hash(value: &Any) -> Result<i64> {
    hash_within(&Arc::default(), Visited::root(value.clone(), false)).map(|hash| hash as i64)
}

fn hash_within(state: &Arc<Mutex<State>>, root: Visited) -> Result<u64> {
    stack_guard::check()?;
    fold(&mut Hasher { state: Arc::clone(state) }, root).map(|hash| hash.value)
}

/// The hash of an object.
#[derive(Clone, Copy)]
struct Hash {
    value: u64,
    /// Whether it leads to an object that contains itself.
    has_circle: bool,
}

impl From<u64> for Hash {
    fn from(value: u64) -> Self {
        Self { value, has_circle: false }
    }
}

/// What a walk and those that its hooks start have in common.
#[derive(Default)]
struct State {
    /// The hashes of objects that may be met again. The reference keeps the address from being another object's.
    done: ByAddress<usize, (ObjectRef, Hash)>,
    open: Addresses,
}

struct Hasher {
    state: Arc<Mutex<State>>,
}

/// An object whose children are being hashed.
struct Frame {
    object: Visited,
    kind: Kind,
    children: Parts,
    type_hash: u64,
    hash: Hash,
    /// How many children have been hashed.
    count: u64,
    /// Of a map: the hash of the last key, and those of the entries.
    key: u64,
    entries: Vec<u64>,
}

impl Fold for Hasher {
    type Input = Visited;
    type Output = Hash;
    type Frame = Frame;
    const NAME: &'static str = "ObjectGraphDFS";

    fn visit(&mut self, visited: Visited) -> Result<Visit<Frame, Hash>> {
        if let Some(hash) = plain_hash(visited.value.view()) {
            return Ok(Visit::Done(hash.into()));
        }
        let Some(object) = visited.value.object() else {
            return Ok(Visit::Done(combine(0, 0).into()));
        };
        let type_index = object.type_index();
        let type_hash = type_hash(type_index)?;
        if visited.noted {
            let state = self.lock();
            if let Some((_, hash)) = state.done.get(&address(object)) {
                return Ok(Visit::Done(*hash));
            }
            if state.open.contains(address(object)) {
                return Ok(Visit::Done(Hash { value: type_hash, has_circle: true }));
            }
        }
        if let Some(hook) = create::function_of(&attribute::HASH, type_index) {
            // What a hook makes of a circle is no circle to those around it.
            return self.hash_by_hook(&visited, object.clone(), &hook).map(|hash| Visit::Done(hash.into()));
        }
        let defines_equality = || attribute::EQ.of(type_index).or(attribute::COMPARE.of(type_index)).is_some();
        if type_index >= kTVMFFIStaticObjectEnd && defines_equality() {
            return Err(hash_is_missing(type_index));
        }
        // SAFETY: the frame has both the object and its children.
        let Children { kind, values, .. } = unsafe { Children::of(object, SKIPPED)? };
        let hash = match kind {
            Kind::Sequence => combine(type_hash, values.len() as u64),
            Kind::Map => combine(type_hash, values.len() as u64 / 2),
            Kind::Object => type_hash,
        };
        let entries = memory::room(if kind == Kind::Map { values.len() / 2 } else { 0 })?;
        self.open(&visited)?;
        Ok(Visit::Enter(Frame {
            object: visited,
            kind,
            children: values,
            type_hash,
            hash: hash.into(),
            count: 0,
            key: 0,
            entries,
        }))
    }

    #[inline]
    fn next(&mut self, frame: &mut Frame) -> Result<Option<Visited>> {
        while let Some(child) = frame.children.next() {
            match plain_hash(child.view()) {
                Some(hash) => frame.feed(hash),
                None => return Ok(Some(frame.object.part(child))),
            }
        }
        Ok(None)
    }

    fn feed(&mut self, frame: &mut Frame, hash: Hash) -> Result<()> {
        frame.feed(hash.value);
        frame.hash.has_circle |= hash.has_circle;
        Ok(())
    }

    fn finish(&mut self, mut frame: Frame) -> Result<Hash> {
        let mut hash = frame.hash;
        if hash.has_circle {
            hash.value = frame.type_hash;
        } else {
            // The order of a map's entries does not matter.
            frame.entries.sort_unstable();
            hash.value = frame.entries.iter().copied().fold(hash.value, combine);
        }
        self.close(&frame.object, Some(hash))?;
        Ok(hash)
    }

    fn abandon(&mut self, frame: Frame) {
        // What is only forgotten needs no memory.
        let _ = self.close(&frame.object, None);
    }
}

impl Frame {
    #[inline]
    fn feed(&mut self, hash: u64) {
        match self.kind {
            Kind::Sequence => self.hash.value = combine(self.hash.value, combine(hash, self.count)),
            Kind::Map if self.count.is_multiple_of(2) => self.key = hash,
            Kind::Map => self.entries.push(combine(self.key, hash)),
            Kind::Object => self.hash.value = combine(self.hash.value, hash),
        }
        self.count += 1;
    }
}

impl Hasher {
    fn hash_by_hook(&self, visited: &Visited, object: ObjectRef, hook: &Function) -> Result<u64> {
        let state = Arc::downgrade(&self.state);
        static SIGNATURE: Signature = Signature::new("(0: AnyView) -> int");
        let go_on = row::typed(&SIGNATURE, move |args| {
            let state = state.upgrade().ok_or_else(ended)?;
            hash_within(&state, Visited::root(args.any(0).to_owned()?, true)).map(|hash| Any::from(hash as i64))
        })?;
        self.open(visited)?;
        let (object_value, go_on) = (Any::from(object), Any::from(go_on));
        let answer = function::call(hook, &[*object_value.view(), *go_on.view()]);
        let hash = answer.and_then(|answer| {
            let hash = answer.view().as_int();
            hash.map(|hash| hash as u64).ok_or_else(|| Type::Int.refuse(answer.view()))
        });
        self.close(visited, hash.as_ref().ok().copied().map(Hash::from))?;
        hash
    }

    /// Begins the visit of an object.
    fn open(&self, visited: &Visited) -> Result<()> {
        if visited.noted
            && let Some(object) = visited.value.object()
        {
            self.lock().open.insert(address(object))?;
        }
        Ok(())
    }

    /// Ends the visit of an object.
    fn close(&self, visited: &Visited, hash: Option<Hash>) -> Result<()> {
        if visited.noted
            && let Some(object) = visited.value.object()
        {
            let mut state = self.lock();
            state.open.remove(address(object));
            if let Some(hash) = hash {
                state.done.try_reserve(1)?;
                state.done.insert(address(object), (object.clone(), hash));
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn type_hash(type_index: i32) -> Result<u64> {
    // SAFETY: entries are never freed.
    type_table::info(type_index).map(|info| unsafe { (*info).type_key_hash })
}

/// The hash of a value that refers to no other.
fn plain_hash(value: &AnyView<'_>) -> Option<u64> {
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
        recursive_hash(&value.into()).unwrap()
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
