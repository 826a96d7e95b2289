//! Where in a value an error arose: errors that come out of a walk carry the objects that were being visited, and these
//! lead to access paths from the root.

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
    vec,
};

use tvm_ffi_spec::*;

use super::{Descent, Level, address};
use crate::{
    border::{
        error::{Error, Result},
        last_resort,
    },
    container::{array, list, map, sequence},
    function::row::{Row, row},
    generation::{self, TVMFFIErrorCell},
    object::{ObjectRef, TypedRef},
    reflection::{
        access_path::{self, Kind, Path},
        field::{self, Field},
        structural_objects::{self, ErrorContext},
    },
    system::memory::{self, RoomFor},
    types::lineage,
    value::{
        any::{Any, AnyView},
        text,
    },
};

thread_local! {
    /// The context that a walk on this thread has put an object into last, by its address. A null one is nobody's.
    static LAST: Cell<TVMFFIObjectHandle> = const { Cell::new(ptr::null_mut()) };
}

/// Adds `node`, which was being visited, behind the nodes inside it that the error names already. A value that is no
/// object cannot be named.
#[cold]
pub fn add(error: Error, node: &AnyView<'_>) -> Error {
    let Some(node) = node.as_object().filter(|_| generation::ERRORS_HAVE_CONTEXT) else { return error };
    let error = error.into_object();
    if !last_resort::is(&error) {
        let cell = error.data_ptr::<TVMFFIErrorCell>();
        // SAFETY: an error begins with its cell.
        let place = unsafe { AtomicPtr::from_ptr(&raw mut (*cell).extra_context) };
        // Others may have the error, too, and raise it on another thread: whoever takes its context out has it alone.
        // SAFETY: the cell owns its reference, and gives it up.
        let before = unsafe { ObjectRef::from_owned(place.swap(ptr::null_mut(), Ordering::AcqRel)) };
        let context = with_node(before, node, error.is_unique()).map_or(ptr::null_mut(), ObjectRef::into_handle);
        LAST.set(context);
        // SAFETY: as above.
        drop(unsafe { ObjectRef::from_owned(place.swap(context, Ordering::AcqRel)) });
    }
    Error::object(error)
}

/// A context ends with its walk: where others raise its error again, it says nothing of where that is.
pub fn close() {
    LAST.set(ptr::null_mut());
}

/// The context behind this one, which also names a node: this one itself, or a longer one, where it is about the same walk, as that of
/// an error that nobody else has. A context without the node is better than none.
fn with_node(before: Option<ObjectRef>, node: ObjectRef, is_ours: bool) -> Option<ObjectRef> {
    let context = before.as_ref().and_then(ObjectRef::cast_ref::<ErrorContext>);
    let context = context.filter(|context| is_ours || context.handle() == LAST.get());
    let named = context.and_then(ErrorContext::reverse_visit_pattern);
    if let (Some(context), Some(named)) = (context, &named)
        && context.is_unique()
        // That of the context, and the one here.
        && named.strong_count() == 2
    {
        let _ = list::push(named, node.into());
        return before;
    }
    let longer = || {
        let mut nodes = named.as_deref().map(sequence::elements).transpose()?.unwrap_or_default();
        nodes.room_for(1)?;
        nodes.push(node.into());
        structural_objects::visit_error_context(list::new(nodes)?, before.clone())
    };
    longer().map(ErrorContext::into_object).ok().or(before)
}

/// The paths from `root` along which the objects of a context lie one inside the other. With `allow_prefix_match`, also
/// those that end before the innermost object, where nothing further is to be found.
///
/// # Errors
/// `ValueError` for a root that contains itself, and what getters of fields fail with.
pub fn find_access_paths(
    root: Option<&ObjectRef>,
    context: &ErrorContext,
    allow_prefix_match: bool,
) -> Result<Vec<Path>> {
    let mut finder = Finder { records: records(context)?, allow_prefix_match, ..Finder::default() };
    root.map(|root| finder.find(root)).transpose()?;
    Ok(finder.found)
}

/// The global functions about the context of errors.
pub(crate) const GLOBALS: &[Row] = &[row(
    "ffi.VisitErrorContext.FindAccessPaths(0: ffi.Object, 1: ffi.VisitErrorContext, 2: bool) -> \
     Array<ffi.reflection.AccessPath>",
    |args| {
        // Arguments are converted from the last to the first, which tells which of several bad ones is complained about.
        let (allow_prefix_match, context) = (args.bool(2)?, args.borrow(1)?);
        let root = if args.any(0).is_none() { None } else { Some(args.object_ref(0, kTVMFFIObject)?) };
        let paths = find_access_paths(root.as_ref(), context, allow_prefix_match)?;
        Ok(array::new(memory::collected(paths.into_iter().map(Any::from))?)?.into())
    },
)];

/// The objects of a context, outermost first. An object that several places have named one after the other counts once.
fn records(context: &ErrorContext) -> Result<Vec<ObjectRef>> {
    let pattern = context.reverse_visit_pattern();
    let named = pattern.map(|pattern| sequence::elements(&pattern)).transpose()?.unwrap_or_default();
    let mut records = memory::room(named.len())?;
    records.extend(named.iter().filter_map(|entry| entry.view().as_object()));
    records.dedup_by_key(|object| address(object));
    records.reverse();
    Ok(records)
}

#[derive(Default)]
struct Finder {
    records: Vec<ObjectRef>,
    allow_prefix_match: bool,
    /// How many of the records the search is inside of.
    matched: usize,
    /// How to get from the root to where the search is, and the paths that have been made of the first of these steps.
    steps: Vec<(Kind, Key)>,
    paths: Vec<Path>,
    found: Vec<Path>,
    /// Values in which nothing is to be found when so many records have been matched outside.
    fruitless: HashSet<(usize, usize)>,
    /// What keeps the addresses of these from being reused.
    kept: HashMap<usize, ObjectRef>,
}

/// A name, index or key. Names are only turned into strings when a path is made.
enum Key {
    Field(Field),
    Value(Any),
}

/// A value that is being searched.
struct Place {
    object: ObjectRef,
    content: Content,
    is_record: bool,
    found_before: usize,
    matched_before: usize,
}

/// What is left of it.
enum Content {
    Sequence(usize),
    Map(vec::IntoIter<(Any, Any)>),
    Object(vec::IntoIter<Field>),
}

impl Level for Place {
    type Key = usize;

    fn key(&self) -> usize {
        address(&self.object)
    }
}

impl Finder {
    fn find(&mut self, root: &ObjectRef) -> Result<()> {
        let mut inside = Descent::new();
        let mut entered = self.enter(root.clone())?;
        loop {
            if let Some(place) = entered {
                inside.admit(place.key(), place.object.type_index())?;
                inside.push(place);
            } else {
                self.steps.pop();
                self.paths.truncate(self.steps.len());
            }
            let Some(place) = inside.innermost() else { return Ok(()) };
            entered = match place.next()? {
                Some((kind, key, value)) => {
                    self.steps.room_for(1)?;
                    self.steps.push((kind, key));
                    value.view().as_object().map(|object| self.enter(object)).transpose()?.flatten()
                }
                None => {
                    inside.leave().map(|place| self.leave(place)).transpose()?;
                    None
                }
            };
        }
    }

    /// Enters an object, unless nothing is to be found inside or it is the innermost one that is looked for.
    fn enter(&mut self, object: ObjectRef) -> Result<Option<Place>> {
        if self.fruitless.contains(&(address(&object), self.matched)) {
            return Ok(None);
        }
        let is_record = self.records.get(self.matched).is_some_and(|record| record.handle() == object.handle());
        if is_record && self.matched + 1 == self.records.len() {
            self.report()?;
            return Ok(None);
        }
        let content = match object.type_index() {
            kTVMFFIArray | kTVMFFIList => Content::Sequence(0),
            kTVMFFIMap | kTVMFFIDict => {
                Content::Map(object.cast_ref().map(map::entries).transpose()?.unwrap_or_default().into_iter())
            }
            type_index if lineage::metadata(type_index)?.is_none() => return Ok(None),
            type_index => Content::Object(field::fields(type_index)?.collect::<Vec<_>>().into_iter()),
        };
        let place = Place { object, content, is_record, found_before: self.found.len(), matched_before: self.matched };
        self.matched += usize::from(is_record);
        Ok(Some(place))
    }

    fn leave(&mut self, place: Place) -> Result<()> {
        let nothing_found = self.found.len() == place.found_before;
        let is_object = matches!(place.content, Content::Object(_));
        let partly_matched = 0 < self.matched && self.matched < self.records.len();
        if is_object && nothing_found && partly_matched && self.allow_prefix_match && !self.steps.is_empty() {
            self.report()?;
        } else if nothing_found {
            self.fruitless.room_for(1)?;
            self.kept.room_for(1)?;
            self.fruitless.insert((place.key(), place.matched_before));
            self.kept.insert(place.key(), place.object);
        }
        self.matched -= usize::from(place.is_record);
        Ok(())
    }

    /// Takes the path to where the search is into the result.
    fn report(&mut self) -> Result<()> {
        for (kind, key) in &self.steps[self.paths.len()..] {
            let key = match key {
                Key::Field(field) => text::string(field.name())?,
                Key::Value(value) => value.clone(),
            };
            let parent = self.paths.last().cloned().map_or_else(access_path::root, Ok)?;
            self.paths.room_for(1)?;
            self.paths.push(access_path::extend(parent, access_path::step(*kind, key)?)?);
        }
        self.found.room_for(1)?;
        self.found.push(self.paths.last().cloned().map_or_else(access_path::root, Ok)?);
        Ok(())
    }
}

impl Place {
    /// The next value inside, and how to get to it.
    fn next(&mut self) -> Result<Option<(Kind, Key, Any)>> {
        match &mut self.content {
            Content::Sequence(at) => {
                *at += 1;
                let index = Key::Value(Any::from(*at as i64 - 1));
                Ok(sequence::get_in(&self.object, *at - 1).map(|value| (Kind::ArrayItem, index, value)))
            }
            Content::Map(entries) => {
                let entry = entries.find(|(key, _)| !key.view().is_none());
                Ok(entry.map(|(key, value)| (Kind::MapItem, Key::Value(key), value)))
            }
            Content::Object(fields) => {
                let Some(field) = fields.next() else { return Ok(None) };
                // SAFETY: the fields are those of the object's type.
                Ok(Some((Kind::Attr, Key::Field(field), unsafe { field.get(&self.object)? })))
            }
        }
    }
}
