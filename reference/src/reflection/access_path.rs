//! Access paths: how to get from a value to one inside it, step by step.
//!
//! A path refers to its parent, so that paths with a common beginning share it.

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{array, sequence::Array},
    function::{
        self, Function,
        arguments::Arguments,
        row::{Row, row},
    },
    object::{self, ObjectRef, Payload, TypedRef, typed_refs},
    reflection::{
        convert::Convert,
        field_types::{AnyField, Field, Int32, OptionalObject, OptionalStep},
        object_def::{Empty, FieldDef, MethodDef, ObjectDef, method, static_method},
    },
    scalar::value_hash,
    system::memory::{self, RoomFor},
    types::{
        builtin_indices::{ACCESS_PATH, ACCESS_STEP},
        schema::{Need, Type},
    },
    value::{
        any::{Any, AnyView},
        text,
    },
};

/// What a step leads to.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A field, by its name.
    Attr = 0,
    /// An element, by its index.
    ArrayItem = 1,
    /// The value of an entry, by its key.
    MapItem = 2,
    /// A field that is not there.
    AttrMissing = 3,
    /// An element that is not there.
    ArrayItemMissing = 4,
    /// An entry that is not there.
    MapItemMissing = 5,
}

typed_refs! {
    /// An access path.
    Path: ObjectRef = ACCESS_PATH;
    /// A step of access paths.
    Step: ObjectRef = ACCESS_STEP;
}

/// What lies behind the header of a step.
#[repr(C)]
#[derive(Clone)]
pub struct AccessStep {
    /// A [`Kind`]; others can be written to it.
    pub kind: i32,
    /// The name, index or key.
    pub key: Any,
}

/// What lies behind the header of a path.
#[repr(C)]
#[derive(Clone)]
pub struct AccessPath {
    /// The path without its last step; none for the root.
    pub parent: Option<ObjectRef>,
    /// The last step; none for the root.
    pub step: Option<ObjectRef>,
    /// How many steps there are.
    pub depth: i32,
}

// SAFETY: `repr(C)`, with the fields of the type.
unsafe impl Payload for AccessStep {
    const TYPE_INDEX: i32 = ACCESS_STEP;
}

// SAFETY: as above.
unsafe impl Payload for AccessPath {
    const TYPE_INDEX: i32 = ACCESS_PATH;
}

impl Empty for AccessStep {
    fn empty() -> Result<Self> {
        Ok(Self { kind: Kind::Attr as i32, key: Any::NONE })
    }
}

impl Empty for AccessPath {
    fn empty() -> Result<Self> {
        Ok(Self { parent: None, step: None, depth: 0 })
    }
}

/// The types of this file.
pub const OBJECTS: &[ObjectDef] = &[
    ObjectDef::of::<AccessStep>()
        .creatable::<AccessStep>()
        .with_final(true)
        .with_kind(kTVMFFISEqHashKindConstTreeNode)
        .with_fields(&[
            FieldDef::new("kind", std::mem::offset_of!(AccessStep, kind), Int32::DECLARED),
            FieldDef::new("key", std::mem::offset_of!(AccessStep, key), AnyField::DECLARED),
        ]),
    ObjectDef::of::<AccessPath>()
        .creatable::<AccessPath>()
        .with_final(true)
        .with_kind(kTVMFFISEqHashKindConstTreeNode)
        .with_fields(&[
            FieldDef::new("parent", std::mem::offset_of!(AccessPath, parent), OptionalObject::DECLARED),
            FieldDef::new("step", std::mem::offset_of!(AccessPath, step), OptionalStep::DECLARED),
            FieldDef::new("depth", std::mem::offset_of!(AccessPath, depth), Int32::DECLARED),
        ]),
];

// ---------------------------------------------------------------------------------------------------------------------
// For the rest of the library
// ---------------------------------------------------------------------------------------------------------------------

/// The path of no steps.
pub fn root() -> Result<Path> {
    Ok(Path(object::try_new(|| AccessPath { parent: None, step: None, depth: 0 })?))
}

/// A step.
pub fn step(kind: Kind, key: Any) -> Result<Step> {
    Ok(Step(object::try_new(|| AccessStep { kind: kind as i32, key })?))
}

/// A path with one more step.
pub fn extend(path: Path, step: Step) -> Result<Path> {
    let depth = path.depth().wrapping_add(1);
    let path = || AccessPath { parent: Some(path.into()), step: Some(step.into()), depth };
    Ok(Path(object::try_new(path)?))
}

/// A path to an element.
pub fn array_item(path: &Path, index: i64) -> Result<Path> {
    extend(path.clone(), step(Kind::ArrayItem, index.into())?)
}

/// A path to an element that is not there.
pub fn array_item_missing(path: &Path, index: i64) -> Result<Path> {
    extend(path.clone(), step(Kind::ArrayItemMissing, index.into())?)
}

/// A path to the value of an entry.
pub fn map_item(path: &Path, key: Any) -> Result<Path> {
    extend(path.clone(), step(Kind::MapItem, key)?)
}

/// A path to an entry that is not there.
pub fn map_item_missing(path: &Path, key: Any) -> Result<Path> {
    extend(path.clone(), step(Kind::MapItemMissing, key)?)
}

/// The steps of a path, first to last.
///
/// # Errors
/// `InternalError` for a path that somebody has put together wrongly.
pub fn steps(path: &Path) -> Result<Vec<Step>> {
    let mut steps = memory::room(path.depth().clamp(0, STEPS_AT_FIRST) as usize)?;
    // SAFETY: nothing foreign runs meanwhile.
    let mut upwards = unsafe { Upwards::of(path) };
    while let Some(step) = upwards.next()? {
        steps.room_for(1)?;
        steps.push(step.clone());
    }
    steps.reverse();
    Ok(steps)
}

/// As [`steps`], in an Array. If they are not as many as the path says, or very many, they are counted first.
fn array_of_steps(path: &Path) -> Result<Array> {
    // SAFETY: nothing foreign runs meanwhile.
    let upwards = || unsafe { Upwards::of(path) };
    let mut taken = upwards();
    let array = array_of_last(&mut taken, path.depth().clamp(0, STEPS_AT_FIRST) as usize)?;
    if taken.next()?.is_none() {
        return Ok(array);
    }
    let mut counted = upwards();
    while counted.next()?.is_some() {}
    array_of_last(&mut upwards(), counted.taken)
}

/// At most so many steps, the last ones that are left.
fn array_of_last(steps: &mut Upwards<'_>, most: usize) -> Result<Array> {
    array::of_reversed(most, || Ok(steps.next()?.map(|step| step.clone().into())))
}

/// For how many steps there is room at first, as what a path says of itself need not be so.
const STEPS_AT_FIRST: i32 = 128;

/// The steps of a path where they lie, last to first.
struct Upwards<'p> {
    path: &'p Path,
    /// Fields can be written to, so that a path may lead to itself: it then comes by the latest milestone again.
    milestone: TVMFFIObjectHandle,
    taken: usize,
}

impl<'p> Upwards<'p> {
    /// # Safety
    /// Nobody writes to the path, nor to what it refers to, during the walk. So no foreign code runs meanwhile.
    unsafe fn of(path: &'p Path) -> Self {
        Self { path, milestone: path.handle(), taken: 0 }
    }

    #[inline]
    fn next(&mut self) -> Result<Option<&'p Step>> {
        // SAFETY: it is a path, to which nobody writes, as whoever began the walk sees to.
        let AccessPath { parent, step, .. } = unsafe { self.path.data() };
        let Some(parent) = parent else { return Ok(None) };
        let step = step.as_ref().filter(|_| parent.handle() != self.milestone);
        let step = step.and_then(ObjectRef::cast_ref).ok_or_else(malformed)?;
        self.taken += 1;
        if self.taken.is_power_of_two() {
            self.milestone = parent.handle();
        }
        self.path = as_path(parent)?;
        Ok(Some(step))
    }
}

/// Whether two paths have the same steps.
///
/// # Errors
/// As [`steps`], up to where the paths differ, and what hooks of keys fail with.
pub fn equal(lhs: &Path, rhs: &Path) -> Result<bool> {
    if lhs.handle() == rhs.handle() {
        return Ok(true);
    }
    if lhs.depth() != rhs.depth() {
        return Ok(false);
    }
    // SAFETY: comparing plain keys runs no foreign code.
    let (mut left, mut right) = unsafe { (Upwards::of(lhs), Upwards::of(rhs)) };
    loop {
        let (lhs_step, rhs_step) = match (left.next()?, right.next()?) {
            (Some(lhs_step), Some(rhs_step)) => (lhs_step, rhs_step),
            (lhs_step, rhs_step) => return lhs_step.xor(rhs_step).map_or(Ok(true), |_| Err(malformed())),
        };
        match steps_equal(lhs_step, rhs_step) {
            Some(true) if left.path.handle() == right.path.handle() => return Ok(true),
            Some(true) => {}
            Some(false) => return Ok(false),
            None => return equal_by_hooks(lhs, rhs),
        }
    }
}

/// Whether two steps are the same, unless it takes a hook of their keys to find out.
fn steps_equal(lhs: &Step, rhs: &Step) -> Option<bool> {
    // SAFETY: they are steps, and nothing foreign runs meanwhile.
    let (lhs, rhs) = unsafe { (lhs.data::<AccessStep>(), rhs.data::<AccessStep>()) };
    if lhs.kind == rhs.kind { value_hash::plainly_equal(lhs.key.view(), rhs.key.view()) } else { Some(false) }
}

/// As [`equal`], of paths whose keys may have hooks: these might write to the paths.
#[cold]
fn equal_by_hooks(lhs: &Path, rhs: &Path) -> Result<bool> {
    let lhs = steps(lhs)?;
    let rhs = Some(steps(rhs)?).filter(|rhs| rhs.len() == lhs.len()).ok_or_else(malformed)?;
    for (lhs, rhs) in lhs.iter().zip(&rhs).rev() {
        let (lhs, rhs) = (lhs.content(), rhs.content());
        if lhs.kind != rhs.kind || !value_hash::any_equal(lhs.key.view(), rhs.key.view())? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a path begins with the steps of another.
///
/// # Errors
/// As [`equal`].
pub fn is_prefix(prefix: &Path, path: &Path) -> Result<bool> {
    let (depth, mut path) = (prefix.depth(), path);
    if depth > path.depth() {
        return Ok(false);
    }
    while path.depth() > depth {
        // SAFETY: it is a path, and nothing foreign runs meanwhile.
        let parent = unsafe { &path.data::<AccessPath>().parent };
        let parent = parent.as_ref().and_then(ObjectRef::cast_ref::<Path>);
        path = parent.filter(|parent| parent.depth() < path.depth()).ok_or_else(malformed)?;
    }
    // Hooks of keys might end what is only borrowed.
    equal(prefix, &path.clone())
}

impl Path {
    fn depth(&self) -> i32 {
        // SAFETY: it is a path, and nothing runs meanwhile.
        unsafe { self.data::<AccessPath>() }.depth
    }
}

impl Step {
    fn content(&self) -> AccessStep {
        // SAFETY: it is a step; the copy is independent of what others write to the object.
        unsafe { self.data::<AccessStep>() }.clone()
    }
}

fn as_path(parent: &ObjectRef) -> Result<&Path> {
    parent.cast_ref().ok_or_else(malformed)
}

#[cold]
fn malformed() -> Error {
    Error::new("InternalError", "Check failed: an access path has a parent or a step that does not fit")
}

// ---------------------------------------------------------------------------------------------------------------------
// Methods
// ---------------------------------------------------------------------------------------------------------------------

/// The methods of paths.
pub const METHODS: &[MethodDef] = &[
    static_method("ffi.reflection.AccessPath._root() -> ffi.reflection.AccessPath", |_| root().map(Any::from)),
    method(
        "ffi.reflection.AccessPath._extend(0: ffi.reflection.AccessPath, 1: ffi.reflection.AccessStep) -> \
         ffi.reflection.AccessPath",
        |args| extend(path(args, 0)?.clone(), args.borrow::<Step>(1)?.clone()).map(Any::from),
    ),
    method(
        "ffi.reflection.AccessPath._attr(0: ffi.reflection.AccessPath, 1: str) -> ffi.reflection.AccessPath",
        |args| extend(path(args, 0)?.clone(), step(Kind::Attr, args.string(1)?)?).map(Any::from),
    ),
    method(
        "ffi.reflection.AccessPath._array_item(0: ffi.reflection.AccessPath, 1: int) -> ffi.reflection.AccessPath",
        |args| array_item(path(args, 0)?, args.int(1)?).map(Any::from),
    ),
    method(
        "ffi.reflection.AccessPath._map_item(0: ffi.reflection.AccessPath, 1: Any) -> ffi.reflection.AccessPath",
        |args| map_item(path(args, 0)?, args.any(1).to_owned()?).map(Any::from),
    ),
    method(
        "ffi.reflection.AccessPath._attr_missing(0: ffi.reflection.AccessPath, 1: str) -> ffi.reflection.AccessPath",
        |args| extend(path(args, 0)?.clone(), step(Kind::AttrMissing, args.string(1)?)?).map(Any::from),
    ),
    method(
        "ffi.reflection.AccessPath._array_item_missing(0: ffi.reflection.AccessPath, 1: int) -> \
         ffi.reflection.AccessPath",
        |args| array_item_missing(path(args, 0)?, args.int(1)?).map(Any::from),
    ),
    method(
        "ffi.reflection.AccessPath._map_item_missing(0: ffi.reflection.AccessPath, 1: Any) -> \
         ffi.reflection.AccessPath",
        |args| map_item_missing(path(args, 0)?, args.any(1).to_owned()?).map(Any::from),
    ),
    method(
        "ffi.reflection.AccessPath._is_prefix_of(0: ffi.reflection.AccessPath, 1: ffi.reflection.AccessPath) -> bool",
        |args| Ok(is_prefix(path(args, 0)?, path(args, 1)?)?.into()),
    ),
    method(
        "ffi.reflection.AccessPath._to_steps(0: ffi.reflection.AccessPath) -> Array<ffi.reflection.AccessStep>",
        |args| Ok(array_of_steps(path(args, 0)?)?.into()),
    ),
    method(
        "ffi.reflection.AccessPath._path_equal(0: ffi.reflection.AccessPath, 1: ffi.reflection.AccessPath) -> bool",
        |args| Ok(equal(path(args, 0)?, path(args, 1)?)?.into()),
    ),
];

fn path<'a>(args: &Arguments<'a>, index: usize) -> Result<&'a Path> {
    args.borrow(index)
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------------------------------------------------

/// The attributes of steps and paths.
pub const ATTRIBUTES: &[Row] = &[
    row("ffi.reflection.AccessStep.__ffi_repr__(0: ffi.Object, 1: ffi.Function) -> str", |args| {
        let (object, repr) = (args.object_ref(0, kTVMFFIObject)?, args.borrow::<Function>(1)?);
        let step: &Step = checked(&object, "ffi.reflection.AccessStep")?;
        text_value(&step_text(&step.content(), repr)?)
    }),
    row("ffi.reflection.AccessPath.__ffi_repr__(0: ffi.Object, 1: ffi.Function) -> str", |args| {
        let (object, repr) = (args.object_ref(0, kTVMFFIObject)?, args.borrow::<Function>(1)?);
        let path = checked(&object, "ffi.reflection.AccessPath")?;
        let mut text = b"<root>".to_vec();
        for step in steps(path)? {
            let shown = call_repr(repr, Any::from(step).view())?;
            text.room_for(shown.len())?;
            text.extend(shown);
        }
        text_value(&text)
    }),
];

/// A text as clients get it from here: an object, however short.
fn text_value(text: &[u8]) -> Result<Any> {
    Ok(text::string_object(text)?.into())
}

fn checked<'a, T: TypedRef>(object: &'a ObjectRef, key: &'static str) -> Result<&'a T> {
    let refuse = || Type::object(key).refuse_for(Need::Identity, Any::from(object.clone()).view());
    object.cast_ref().ok_or_else(refuse)
}

fn step_text(step: &AccessStep, repr: &Function) -> Result<Vec<u8>> {
    let key = step.key.view();
    let missing = step.kind >= Kind::AttrMissing as i32;
    let inner = if step.kind == Kind::Attr as i32 {
        let name = Type::Str.cast(key)?;
        return concatenated([b".", name.view().as_str().unwrap_or_default(), b""]);
    } else if step.kind == Kind::ArrayItem as i32 || step.kind == Kind::ArrayItemMissing as i32 {
        Type::Int.cast(key)?.view().as_int().unwrap_or_default().to_string().into_bytes()
    } else if (Kind::MapItem as i32..=Kind::MapItemMissing as i32).contains(&step.kind) {
        call_repr(repr, key)?
    } else {
        return Err(Error::new("InternalError", format!("An access step cannot be of kind {}", step.kind)));
    };
    let (before, after): (&[u8], &[u8]) = if missing { (b"[<missing:", b">]") } else { (b"[", b"]") };
    concatenated([before, &inner, after])
}

/// The parts behind each other. A key is as long as its maker likes, so that there may be no memory for it.
fn concatenated(parts: [&[u8]; 3]) -> Result<Vec<u8>> {
    let mut text = memory::room(parts.map(<[u8]>::len).iter().sum())?;
    parts.iter().for_each(|part| text.extend_from_slice(part));
    Ok(text)
}

fn call_repr(repr: &Function, value: &AnyView<'_>) -> Result<Vec<u8>> {
    let text = Type::Str.cast(function::call(repr, &[*value])?.view())?;
    concatenated([text.view().as_str().unwrap_or_default(), b"", b""])
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::reflection::field;

    fn text(text: &[u8]) -> Any {
        text::string(text).unwrap()
    }

    fn root() -> Path {
        super::root().unwrap()
    }

    fn step(kind: Kind, key: Any) -> Step {
        super::step(kind, key).unwrap()
    }

    fn attr(path: &Path, name: &[u8]) -> Path {
        extend(path.clone(), step(Kind::Attr, text(name))).unwrap()
    }

    fn array_item(path: &Path, index: i64) -> Path {
        super::array_item(path, index).unwrap()
    }

    fn map_item(path: &Path, key: Any) -> Path {
        super::map_item(path, key).unwrap()
    }

    /// `.a[1]["k"]`
    fn path() -> Path {
        map_item(&array_item(&attr(&root(), b"a"), 1), text(b"k"))
    }

    fn set(object: &ObjectRef, name: &[u8], value: Any) {
        let mut fields = field::fields(object.type_index()).unwrap();
        let field = fields.find(|field| field.name() == name).unwrap();
        // SAFETY: the field is one of the object's type.
        unsafe { field.set(object, value.view()) }.unwrap();
    }

    #[rstest]
    #[case(path(), true, true)]
    #[case(root(), false, true)]
    #[case(array_item(&attr(&root(), b"a"), 1), false, true)]
    #[case(array_item(&attr(&root(), b"b"), 1), false, false)]
    #[case(array_item_missing(&attr(&root(), b"a"), 1).unwrap(), false, false)]
    #[case(map_item(&path(), text(b"k")), false, false)]
    #[case(map_item(&array_item(&attr(&root(), b"a"), 1), 1.into()), false, false)]
    fn paths_are_compared_step_by_step(#[case] other: Path, #[case] same: bool, #[case] prefix: bool) {
        assert_eq!(equal(&other, &path()).unwrap(), same);
        assert_eq!(equal(&path(), &other).unwrap(), same);
        assert_eq!(is_prefix(&other, &path()).unwrap(), prefix);
    }

    #[test]
    fn steps_come_in_order() {
        let kinds: Vec<_> = steps(&path()).unwrap().iter().map(|step| step.content().kind).collect();
        assert_eq!(kinds, [Kind::Attr as i32, Kind::ArrayItem as i32, Kind::MapItem as i32]);
    }

    #[test]
    fn texts_show_every_kind_of_step() {
        let repr = function::from_closure(|args| text::string(format!("<{}>", args[0].type_index()).as_bytes()));
        let shown = |step: Step| String::from_utf8(step_text(&step.content(), &repr).unwrap()).unwrap();
        assert_eq!(shown(step(Kind::Attr, text(b"a long name"))), ".a long name");
        assert_eq!(shown(step(Kind::ArrayItem, (-1).into())), "[-1]");
        assert_eq!(shown(step(Kind::MapItem, 1.into())), "[<1>]");
        assert_eq!(shown(step(Kind::AttrMissing, text(b"x"))), "[<missing:<11>>]");
        assert_eq!(shown(step(Kind::ArrayItemMissing, 5.into())), "[<missing:5>]");
        assert_eq!(shown(step(Kind::MapItemMissing, Any::NONE)), "[<missing:<0>>]");
        for (kind, key) in [(Kind::Attr, 1.into()), (Kind::ArrayItem, text(b"1"))] {
            assert!(step_text(&step(kind, key).content(), &repr).is_err());
        }
    }

    #[test]
    fn paths_that_make_no_sense_are_errors() {
        let looping = path();
        set(&looping, b"parent", looping.clone().into());
        assert!(steps(&looping).is_err() && equal(&looping, &path()).is_err());
        assert!(is_prefix(&root(), &looping).is_err());
        let longer = array_item(&array_item(&looping, 1), 2);
        assert!(steps(&longer).is_err() && is_prefix(&root(), &longer).is_err());
        // So that it ends.
        set(&looping, b"parent", Any::NONE);

        let without_step = path();
        set(&without_step, b"step", Any::NONE);
        assert!(steps(&without_step).is_err());
        let without_path = path();
        set(&without_path, b"parent", step(Kind::Attr, Any::NONE).into());
        assert!(steps(&without_path).is_err() && is_prefix(&root(), &without_path).is_err());
    }

    #[test]
    fn long_paths_end() {
        let longest = (0..200_000).fold(root(), |path, index| array_item(&path, index));
        assert_eq!(steps(&longest).unwrap().len(), 200_000);
    }
}
