//! Classes that a frontend defines while it runs: their fields are registered one by one, and their objects are made,
//! copied and ended here, knowing nothing but these fields.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    function::{
        self, Function,
        arguments::Arguments,
        row::{self, Row, row},
        signature::Signature,
    },
    generation::TVMFFIObject,
    object::{self, ObjectRef, OutOfMemory},
    reflection::{
        convert::Convert,
        field::{self, Field},
        field_types::{self, Declared},
        init,
    },
    types::{lineage, schema::Type, type_table},
    value::any::{Any, AnyView},
};

/// Functions that a frontend defines classes with.
pub const GLOBALS: &[Row] = &[
    row("ffi._RegisterFFIInit(0: int) -> void", |args| init::register(index_argument(args)?).map(|()| Any::NONE)),
    row("ffi.MakeFieldSetter(0: int, 1: int, 2: int) -> ffi.Function", |args| {
        let (converter, convert) = (args.int(1)?, args.int(2)?);
        Ok(setter(index_argument(args)?, converter as *mut c_void, convert as *mut c_void)?.into())
    }),
    row("ffi._PyClassRegisterTypeAttrColumns(0: int, 1: int) -> void", |args| {
        register(index_argument(args)?, args.int(1)? as i32).map(|()| Any::NONE)
    }),
];

/// The function that stands among those of other subjects.
pub const GETTER: &[Row] = &[row("ffi.MakeFieldGetter(0: int) -> int", |args| {
    let type_index = index_argument(args)?;
    let Declared { getter, .. } = declared(type_index, "getter")?;
    Ok((getter as usize as i64).into())
})];

/// A type index.
fn index_argument(args: &Arguments<'_>) -> Result<i32> {
    lineage::index_of_int(args.int(0)?)
}

fn declared(type_index: i32, what: &str) -> Result<Declared> {
    field_types::declared(type_index)
        .ok_or_else(|| Error::new("ValueError", format!("Unsupported field type index for {what}: {type_index}")))
}

// ---------------------------------------------------------------------------------------------------------------------
// Setters
// ---------------------------------------------------------------------------------------------------------------------

/// Converts a value: answers 0 and writes an owned value, or answers another number and raises an error.
type ConvertFn = unsafe extern "C" fn(converter: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int;

/// A converter of the frontend, borrowed: the frontend keeps it as long as the class.
struct Converter {
    converter: *mut c_void,
    convert: ConvertFn,
}

// SAFETY: the converter is only handed back to the frontend, which locks what it needs.
unsafe impl Send for Converter {}
// SAFETY: as above.
unsafe impl Sync for Converter {}

impl Converter {
    fn call(&self, value: &AnyView<'_>) -> Result<Any> {
        let (value, mut result) = (value.raw(), TVMFFIAny::NONE);
        // SAFETY: the frontend vouches for the function and the converter; the value is alive, the result writable.
        match unsafe { (self.convert)(self.converter, &value, &mut result) } {
            // SAFETY: on success the result is an owned value.
            0 => Ok(unsafe { Any::from_raw(result) }),
            _ => Err(Error::raised()),
        }
    }
}

/// A function that converts a value and writes it to a field: `(address, value)`.
fn setter(type_index: i32, converter: *mut c_void, convert: *mut c_void) -> Result<Function> {
    if convert.is_null() {
        return Err(Error::new("ValueError", "The address of the function that converts values must not be 0"));
    }
    // SAFETY: the frontend passes the address of a function of this type.
    let convert = unsafe { std::mem::transmute::<*mut c_void, ConvertFn>(convert) };
    let converter = Converter { converter, convert };
    function::try_from_closure(move |args| {
        let [address, value, ..] = args else {
            let text = format!("A field setter takes the address of a field and a value, but got {}", args.len());
            return Err(Error::new("TypeError", text));
        };
        let address = Type::Pointer.cast(address)?.view().as_opaque_ptr().unwrap_or_default();
        let value = converter.call(value)?;
        let Declared { setter, .. } = declared(type_index, "setter")?;
        // SAFETY: the caller passes the address of a field of this type; the value is alive. NULL is noticed.
        match unsafe { setter(address, &value.view().raw()) } {
            0 => Ok(Any::NONE),
            _ => Err(Error::raised()),
        }
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects
// ---------------------------------------------------------------------------------------------------------------------

/// Gives a class the attributes that its objects are made and copied with.
fn register(type_index: i32, total_size: i32) -> Result<()> {
    static NEW: Signature = Signature::new("() -> ffi.Object");
    static COPY: Signature = Signature::new("(0: ffi.Object) -> ffi.Object");
    let new = row::typed(&NEW, move |_| new_object(type_index, total_size).map(Any::from))?;
    let copy = row::typed(&COPY, move |args| {
        copy_object(&args.object_ref(0, kTVMFFIObject)?, type_index, total_size).map(Any::from)
    })?;
    let init = init::of_fields(type_index)?;
    let attributes: [(&[u8], Any); 3] =
        [(b"__ffi_init__", init.into()), (b"__ffi_new__", new.into()), (b"__ffi_shallow_copy__", copy.into())];
    type_table::register_attributes(type_index, attributes)
}

/// An object with all fields zero, which is None for values and objects.
fn new_object(type_index: i32, total_size: i32) -> Result<ObjectRef> {
    let failed = || {
        let key = type_table::key_of(type_index);
        Error::new("RuntimeError", format!("Failed to allocate {total_size} bytes for type {key}"))
    };
    let size = usize::try_from(total_size).map_err(|_| failed())?;
    // Fields may have been registered behind the end that was told.
    let end = field::fields(type_index)?.filter_map(|field| extent(&field)).map(|(_, end)| end).max().unwrap_or(0);
    // What an allocator of the client's has raised stands.
    let out_of_memory = |problem: OutOfMemory| if problem.is_raised { problem.into() } else { failed() };
    object::new_zeroed(type_index, size.max(end), end_object).map_err(out_of_memory)
}

fn copy_object(source: &ObjectRef, type_index: i32, total_size: i32) -> Result<ObjectRef> {
    if !lineage::is_instance(source.type_index(), type_index) {
        let class = Type::Object(type_table::key_of(type_index).into());
        return Err(class.refuse(Any::from(source.clone()).view()));
    }
    let copy = new_object(type_index, total_size)?;
    let readable = object::zeroed_size(source).unwrap_or(usize::MAX);
    for field in field::fields(type_index)? {
        let Some((offset, end)) = extent(&field).filter(|(_, end)| *end <= readable) else { continue };
        let (from, to) = (field.address(source), field.address(&copy));
        // SAFETY: the field lies within both objects, and is of the kind that was registered. What is replaced is what
        // another field at the same place has put there.
        unsafe {
            match Kind::of(&field) {
                Kind::Any => drop(to.cast::<Any>().replace((*from.cast::<Any>()).clone())),
                Kind::Object => drop(to.cast::<Handle>().replace((*from.cast::<Handle>()).clone())),
                Kind::Plain => to.cast::<u8>().copy_from_nonoverlapping(from.cast(), end - offset),
            }
        }
    }
    Ok(copy)
}

/// Drops what the fields of an object hold.
///
/// # Safety
/// The object is ending, and nobody else uses it.
unsafe fn end_object(object: TVMFFIObjectHandle, size: usize) {
    // SAFETY: the object is ending, and its header is still there.
    let type_index = unsafe { (*object.cast::<TVMFFIObject>()).type_index };
    let Ok(fields) = field::fields(type_index) else { return };
    for field in fields {
        let Some((offset, _)) = extent(&field).filter(|(_, end)| *end <= size) else { continue };
        // SAFETY: the field lies within the object, and is of the kind that was registered. Another field at the same
        // place finds it empty.
        unsafe {
            let address = object.cast::<u8>().add(offset);
            match Kind::of(&field) {
                Kind::Any => drop(address.cast::<Any>().replace(Any::NONE)),
                Kind::Object => drop(address.cast::<Handle>().replace(None)),
                Kind::Plain => {}
            }
        }
    }
}

type Handle = Option<ObjectRef>;

/// What a field holds.
enum Kind {
    /// A value of any type.
    Any,
    /// An object or NULL.
    Object,
    /// Nothing that must be given up.
    Plain,
}

impl Kind {
    fn of(field: &Field) -> Self {
        let info = field.info();
        match info.field_static_type_index {
            // C++ declares optional objects like values of any type, but stores a mere handle.
            field_types::ANY | kTVMFFINone if info.size == size_of::<Any>() as i64 => Self::Any,
            field_types::ANY | kTVMFFIStaticObjectBegin.. if info.size == size_of::<Handle>() as i64 => Self::Object,
            _ => Self::Plain,
        }
    }
}

/// Where a field begins and ends in its object; `None` if it does not lie behind the header.
fn extent(field: &Field) -> Option<(usize, usize)> {
    let info = field.info();
    let (offset, size) = (usize::try_from(info.offset).ok()?, usize::try_from(info.size).ok()?);
    (offset >= object::HEADER_SIZE).then_some((offset, offset.checked_add(size)?))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::ptr;

    use rstest::rstest;

    use super::*;
    use crate::{
        border::{guard, raised},
        container::{list, sequence},
        object::TypedRef,
        reflection::create,
        types::{attribute, type_table::NewType},
        value::text,
    };

    /// Takes every value but Unchanged.
    unsafe extern "C" fn accept(_: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
        guard::guard(|| {
            // SAFETY: setters pass a live value and a writable result.
            unsafe {
                if (*value).type_index == kTVMFFIUnchanged {
                    return Err(Error::new("ValueError", "not\nthis"));
                }
                result.write(AnyView::from_raw(value).to_owned()?.into_raw());
            }
            Ok(())
        })
    }

    /// A value that no converter takes.
    pub fn refused() -> Any {
        // SAFETY: the marker owns nothing.
        unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIUnchanged, 0)) }
    }

    /// A field as a frontend registers it.
    pub fn field(name: &'static str, type_index: i32, offset: i64) -> TVMFFIFieldInfo {
        let declared = field_types::declared(type_index).unwrap();
        TVMFFIFieldInfo {
            name: TVMFFIByteArray::new(name.as_bytes()),
            doc: TVMFFIByteArray::EMPTY,
            metadata: TVMFFIByteArray::EMPTY,
            flags: kTVMFFIFieldFlagBitSetterIsFunctionObj,
            size: declared.size as i64,
            alignment: declared.alignment as i64,
            offset,
            getter: Some(declared.getter),
            setter: setter(type_index, ptr::null_mut(), accept as *mut c_void).unwrap().into_handle(),
            default_value_or_factory: TVMFFIAny::NONE,
            field_static_type_index: type_index,
        }
    }

    /// The same field with a default.
    pub fn with_default(field: TVMFFIFieldInfo, default: Any) -> TVMFFIFieldInfo {
        let flags = field.flags | kTVMFFIFieldFlagBitMaskHasDefault;
        TVMFFIFieldInfo { flags, default_value_or_factory: default.into_raw(), ..field }
    }

    /// A class with these fields. Each test needs a key of its own.
    pub fn class(key: &str, parent_index: i32, depth: i32, fields: &[TVMFFIFieldInfo]) -> i32 {
        let new = NewType {
            key: key.as_bytes(),
            static_index: -1,
            depth,
            num_child_slots: 0,
            can_overflow: true,
            parent_index,
        };
        let type_index = type_table::get_or_register(new).unwrap();
        for field in fields {
            // SAFETY: the names are constants, setters and defaults are alive.
            unsafe { type_table::register_field(type_index, field).unwrap() };
        }
        let end = fields.iter().map(|field| field.offset + field.size).max().unwrap_or(24);
        register(type_index, end as i32).unwrap();
        type_index
    }

    fn get(object: &ObjectRef, name: &str) -> Any {
        let named = |field: &Field| field.name() == name.as_bytes();
        let field = field::fields(object.type_index()).unwrap().find(named).unwrap();
        // SAFETY: the field is one of the object's type.
        unsafe { field.get(object) }.unwrap()
    }

    fn set(object: &ObjectRef, name: &str, value: &Any) -> Result<()> {
        let named = |field: &Field| field.name() == name.as_bytes();
        let field = field::fields(object.type_index()).unwrap().find(named).unwrap();
        // SAFETY: the field is one of the object's type.
        unsafe { field.set(object, value.view()) }
    }

    fn copy_of(object: &ObjectRef) -> Result<ObjectRef> {
        let copy = create::function_of(&attribute::SHALLOW_COPY, object.type_index()).unwrap();
        let copied = function::call(&copy, &[*Any::from(object.clone()).view()])?;
        Ok(copied.view().as_object().unwrap())
    }

    #[test]
    fn objects_hold_and_give_up_what_is_written_to_them() {
        let fields = [field("value", -1, 24), field("object", kTVMFFIList, 40), field("number", kTVMFFIFloat, 48)];
        let type_index = class("test.class.holds", kTVMFFIObject, 1, &fields);
        let object = create::empty_object(type_index).unwrap();
        assert!(get(&object, "value").view().is_none() && get(&object, "object").view().is_none());

        let (first, second) = (list::empty().unwrap(), list::empty().unwrap());
        for held in [&first, &second] {
            set(&object, "value", &held.clone().into()).unwrap();
            set(&object, "object", &held.clone().into()).unwrap();
        }
        set(&object, "number", &2.into()).unwrap();
        assert!(first.is_unique() && !second.is_unique());
        assert_eq!(get(&object, "number").view().raw().payload(), 2_f64.to_bits());

        let copy = copy_of(&object).unwrap();
        assert_eq!(get(&copy, "number").view().raw().payload(), 2_f64.to_bits());
        drop(object);
        assert_eq!(get(&copy, "value").view().raw().payload(), second.handle() as u64);
        drop(copy);
        assert!(second.is_unique());
    }

    #[test]
    fn what_a_converter_refuses_changes_nothing() {
        let type_index = class("test.class.refuses", kTVMFFIObject, 1, &[field("value", -1, 24)]);
        let object = create::empty_object(type_index).unwrap();
        set(&object, "value", &1.into()).unwrap();
        assert!(set(&object, "value", &refused()).is_err());
        assert!(raised::take_raised().is_some());
        assert_eq!(get(&object, "value").view().as_int(), Some(1));
    }

    #[test]
    fn fields_at_the_same_place_are_given_up_once() {
        let fields = [field("one", -1, 24), field("other", -1, 24)];
        let type_index = class("test.class.alias", kTVMFFIObject, 1, &fields);
        let (object, held) = (create::empty_object(type_index).unwrap(), list::empty().unwrap());
        set(&object, "one", &held.clone().into()).unwrap();
        let copy = copy_of(&object).unwrap();
        drop((object, copy));
        assert!(held.is_unique());
    }

    #[test]
    fn inherited_fields_are_held_too() {
        let parent = class("test.class.parent", kTVMFFIObject, 1, &[field("first", -1, 24)]);
        let child = class("test.class.child", parent, 2, &[field("second", kTVMFFIObject, 40)]);
        let (object, held) = (create::empty_object(child).unwrap(), list::empty().unwrap());
        set(&object, "first", &held.clone().into()).unwrap();
        set(&object, "second", &held.clone().into()).unwrap();
        drop(copy_of(&object).unwrap());
        drop(object);
        assert!(held.is_unique());
    }

    #[test]
    fn fields_that_come_later_do_not_reach_beyond_older_objects() {
        let type_index = class("test.class.grows", kTVMFFIObject, 1, &[field("first", -1, 24)]);
        let older = create::empty_object(type_index).unwrap();
        // SAFETY: as in `class`.
        unsafe { type_table::register_field(type_index, &field("second", -1, 40)).unwrap() };
        let newer = create::empty_object(type_index).unwrap();
        set(&newer, "second", &1.into()).unwrap();
        assert_eq!(get(&copy_of(&newer).unwrap(), "second").view().as_int(), Some(1));
        assert!(get(&copy_of(&older).unwrap(), "second").view().is_none());
    }

    #[test]
    fn a_chain_of_a_million_objects_ends() {
        let type_index = class("test.class.chain", kTVMFFIObject, 1, &[field("next", kTVMFFIObject, 24)]);
        let innermost = list::empty().unwrap().into_object();
        let next = field::fields(type_index).unwrap().next().unwrap();
        let outermost = (0..1_000_000).fold(innermost.clone(), |inner, _| {
            let outer = new_object(type_index, 32).unwrap();
            // SAFETY: this is where the field lies, and it is empty.
            unsafe { next.address(&outer).cast::<Handle>().write(Some(inner)) };
            outer
        });
        drop(outermost);
        assert!(innermost.is_unique());
    }

    #[rstest]
    #[case(kTVMFFIInt, 7.into(), Some(7))]
    #[case(kTVMFFIBool, 7.into(), Some(1))]
    #[case(kTVMFFIInt, text::string(b"7").unwrap(), None)]
    #[case(kTVMFFIDevice, text::string(b"cuda:1").unwrap(), Some(1 << 32 | 2))]
    #[case(kTVMFFIDevice, text::string(b"gpu").unwrap(), None)]
    #[case(kTVMFFIDataType, text::string(b"int8").unwrap(), Some(0x1_0800))]
    #[case(kTVMFFIOpaquePtr, Any::NONE, Some(0))]
    #[case(kTVMFFIObject, 1.into(), None)]
    fn fields_convert_what_is_written(#[case] type_index: i32, #[case] value: Any, #[case] expected: Option<i64>) {
        let setter = setter(type_index, ptr::null_mut(), accept as *mut c_void).unwrap();
        let mut cell = TVMFFIAny::NONE;
        let address = TVMFFIAny::new(kTVMFFIOpaquePtr, (&raw mut cell) as u64);
        // SAFETY: a pointer owns nothing.
        let result = function::call(&setter, &[unsafe { AnyView::from_raw(&address) }, *value.view()]);
        raised::set_raised(None);
        let written = result.ok().map(|_| i64::from(cell.type_index as u32) | i64::from(cell.aux_word()) << 32);
        assert_eq!(written, expected);
    }

    #[test]
    fn calls_against_the_convention_are_refused() {
        let type_index = class("test.class.refused", kTVMFFIObject, 1, &[field("value", kTVMFFIInt, 24)]);
        let setter = setter(kTVMFFIInt, ptr::null_mut(), accept as *mut c_void).unwrap();
        let (null, number) = (Any::NONE, Any::from(1));
        for args in [&[][..], &[*number.view()], &[*null.view(), *number.view()], &[*number.view(), *number.view()]] {
            assert!(function::call(&setter, args).is_err());
        }
        let copy = create::function_of(&attribute::SHALLOW_COPY, type_index).unwrap();
        assert!(function::call(&copy, &[*Any::from(list::empty().unwrap()).view()]).is_err());
        assert!(register(type_index, 24).is_err() && register(1 << 20, 24).is_err());
        assert!(new_object(type_index, -1).is_err() && new_object(1 << 20, 24).is_err());
        assert!(super::setter(kTVMFFIInt, ptr::null_mut(), ptr::null_mut()).is_err());
        assert!([kTVMFFIRawStr, kTVMFFISmallStr, -2, 63].into_iter().all(|index| declared(index, "getter").is_err()));
        raised::set_raised(None);
    }

    #[test]
    fn objects_are_made_of_names_and_values() {
        let fields = [field("a", kTVMFFIInt, 24), with_default(field("b", -1, 32), text::string(b"B").unwrap())];
        let type_index = class("test.class.packed", kTVMFFIObject, 1, &fields);
        let text = |text: &[u8]| text::string(text).unwrap();
        let make = |args: &[Any]| {
            let args: Vec<_> = args.iter().map(|arg| *arg.view()).collect();
            crate::startup::globals::call_builtin("ffi.MakeObjectFromPackedArgs", &args)
        };
        let made = make(&[text(b"test.class.packed"), text(b"a"), 1.into()]).unwrap().view().as_object().unwrap();
        assert_eq!(get(&made, "a").view().as_int(), Some(1));
        assert_eq!(get(&made, "b").view().as_str(), Some(b"B".as_slice()));
        let held = Any::from(list::empty().unwrap());
        let list = held.view().as_object().unwrap();
        drop(held);
        for wrong in [
            vec![],
            vec![Any::NONE],
            vec![(i64::from(type_index) + (1 << 32)).into(), text(b"a"), 1.into()],
            vec![text(b"test.class.nobody")],
            vec![text(b"test.class.packed")],
            vec![text(b"test.class.packed"), text(b"b")],
            vec![text(b"test.class.packed"), 1.into(), 1.into()],
            vec![text(b"test.class.packed"), text(b"b"), list.clone().into()],
            vec![text(b"test.class.packed"), text(b"b"), list.clone().into(), text(b"a"), text(b"x")],
            vec![
                text(b"test.class.packed"),
                text(b"b"),
                list.clone().into(),
                text(b"a"),
                1.into(),
                text(b"a"),
                2.into(),
            ],
            vec![
                text(b"test.class.packed"),
                text(b"b"),
                list.clone().into(),
                text(b"a"),
                1.into(),
                text(b"c"),
                2.into(),
            ],
        ] {
            assert!(make(&wrong).is_err());
        }
        raised::set_raised(None);
        assert!(list.is_unique() && list.cast_ref().is_some_and(|list| sequence::len(list) == 0));
    }
}
