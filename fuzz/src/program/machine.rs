//! One library, with the values that a program has made on it.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        LazyLock,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Client, api::Api, homemade};

use super::pool;

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A value that an earlier operation has made.
    Made(usize),
    /// Such a value, which the callee may take over.
    Moved(usize),
    /// Nothing.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A double.
    Float(f64),
    /// A data type.
    Dtype(DLDataType),
    /// A device.
    Device(DLDevice),
    /// An address that nobody follows.
    Pointer(usize),
    /// A C string, by its number in the pool.
    CStr(usize),
    /// A byte array.
    Bytes(&'static [u8]),
    /// One of the [callees](CALLEES), by its number.
    Callee(usize),
    /// One of the pool's shapes, by its number.
    Shape(usize),
    /// A borrowed tensor of that shape.
    Borrowed(usize),
}

/// One library, with the values that a program has made on it.
pub struct Machine {
    /// Its client.
    pub client: Client,
    /// Its functions.
    pub api: Api,
    /// What each operation has made; None where it failed, and where it was given up or taken over.
    pub values: Vec<TVMFFIAny>,
    /// A handle that is filled once.
    pub once: *mut c_void,
    /// What callees find the functions through.
    this: *mut c_void,
}

/// Eight words that every tensor lies over.
static WORDS: Words = Words([const { AtomicU64::new(0x4048_0000_4004_0000) }; 8]);

/// They lie at the beginning of a page, here and in a program in C: an alignment may be asked for.
#[repr(align(4096))]
struct Words([AtomicU64; 8]);

impl Machine {
    /// A machine without values. `this` is what [`callee_context`] answered for the client.
    pub fn new(client: Client, this: *mut c_void) -> Self {
        Self { client, api: client.api, values: Vec::new(), once: null_mut(), this }
    }

    /// What the machine's callees are given as their self.
    pub fn this(&self) -> *mut c_void {
        self.this
    }

    /// The function that an argument of this kind is.
    pub fn callee(&self, arg: &TVMFFIAny) -> Option<TVMFFISafeCallType> {
        CALLEES.iter().map(|(_, callee)| *callee).find(|callee| *callee as usize as u64 == arg.payload())
    }

    /// Runs a call that writes an object's handle, and makes a value of it.
    pub fn object(&self, out: &mut TVMFFIAny, call: impl FnOnce(&Self, &mut TVMFFIObjectHandle) -> c_int) -> c_int {
        let mut handle = null_mut();
        let code = call(self, &mut handle);
        if code == 0 && !handle.is_null() {
            // SAFETY: the library says that this is an object.
            let type_index = unsafe { (*handle.cast::<TVMFFIObject>()).type_index };
            *out = TVMFFIAny::new(type_index, handle as u64);
        }
        code
    }

    /// The index of one of the program's own types.
    pub fn own_type(&self, key: *const TVMFFIByteArray) -> i32 {
        self.api.TVMFFITypeGetOrAllocIndex(key, -1, 1, 0, 1, kTVMFFIObject)
    }

    /// A tensor of one of the pool's shapes over the machine's words.
    pub fn prototype(&self, shape: TVMFFIAny, dtype: DLDataType) -> DLTensor {
        tensor(shape, dtype)
    }

    /// Makes a call with these arguments; answers its status. What it makes is the machine's next value.
    pub fn run(
        &mut self,
        operands: &[Operand],
        call: impl FnOnce(&mut Self, &[TVMFFIAny], &mut TVMFFIAny) -> c_int,
    ) -> c_int {
        let kept: Vec<Box<Kept>> = operands.iter().map(|arg| Box::new(self.kept(arg))).collect();
        let args: Vec<TVMFFIAny> = operands.iter().zip(&kept).map(|(arg, kept)| self.view(arg, kept)).collect();
        let mut out = TVMFFIAny::NONE;
        let code = call(self, &args, &mut out);
        for (arg, kept) in operands.iter().zip(&kept) {
            // A value that was taken over leaves NULL behind.
            if let (Operand::Moved(number), Kept::Handle(handle)) = (arg, &**kept)
                // SAFETY: the cell is this frame's own; only the call may have written to it.
                && unsafe { handle.get().read() }.is_null()
            {
                self.values[*number] = TVMFFIAny::NONE;
            }
        }
        self.values.push(if code == 0 { out } else { TVMFFIAny::NONE });
        code
    }

    /// Calls the global function of that name; where there is none, nothing happens.
    pub fn call_global(&self, name: &str, args: &[TVMFFIAny], out: &mut TVMFFIAny) -> c_int {
        let mut function = null_mut();
        let code = self.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut function);
        if code != 0 || function.is_null() {
            return code;
        }
        let code = self.api.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), args.len() as i32, out);
        self.api.release(function);
        code
    }

    fn kept(&self, operand: &Operand) -> Kept {
        match *operand {
            Operand::Bytes(bytes) => Kept::Bytes(TVMFFIByteArray::new(bytes)),
            Operand::Moved(number) => Kept::Handle((self.values[number].payload() as TVMFFIObjectHandle).into()),
            _ => Kept::Nothing,
        }
    }

    fn view(&self, operand: &Operand, kept: &Kept) -> TVMFFIAny {
        match (operand, kept) {
            (_, Kept::Bytes(bytes)) => TVMFFIAny::new(kTVMFFIByteArrayPtr, &raw const *bytes as u64),
            (_, Kept::Handle(handle)) => TVMFFIAny::new(kTVMFFIObjectRValueRef, handle.get() as u64),
            (Operand::Made(number), _) => self.values[*number],
            (Operand::Borrowed(number), _) => TVMFFIAny::new(kTVMFFIDLTensorPtr, borrowed(*number) as u64),
            (Operand::Bool(value), _) => TVMFFIAny::new(kTVMFFIBool, (*value).into()),
            (Operand::Shape(number), _) => TVMFFIAny::new(kTVMFFIInt, *number as u64),
            (Operand::Int(value), _) => TVMFFIAny::new(kTVMFFIInt, *value as u64),
            (Operand::Float(value), _) => TVMFFIAny::new(kTVMFFIFloat, value.to_bits()),
            (Operand::Pointer(value), _) => TVMFFIAny::new(kTVMFFIOpaquePtr, *value as u64),
            (Operand::CStr(number), _) => TVMFFIAny::new(kTVMFFIRawStr, pool::C_TEXTS[*number].as_ptr() as u64),
            (Operand::Callee(number), _) => TVMFFIAny::new(kTVMFFIOpaquePtr, CALLEES[*number].1 as usize as u64),
            (Operand::Dtype(dtype), _) => {
                let [low, high] = dtype.lanes.to_ne_bytes();
                let payload = [dtype.code, dtype.bits, low, high, 0, 0, 0, 0];
                TVMFFIAny::new(kTVMFFIDataType, u64::from_ne_bytes(payload))
            }
            (Operand::Device(device), _) => {
                let payload = u64::from(device.device_type as u32) | u64::from(device.device_id as u32) << 32;
                TVMFFIAny::new(kTVMFFIDevice, payload)
            }
            _ => TVMFFIAny::NONE,
        }
    }

    /// Gives up every value, and takes back what the program has changed for whoever comes after it.
    pub fn clean(&mut self) {
        for value in self.values.drain(..) {
            if value.type_index >= kTVMFFIStaticObjectBegin {
                self.api.TVMFFIObjectDecRef(value.payload() as TVMFFIObjectHandle);
            }
        }
        let remove = |name: &&[u8]| {
            let mut out = TVMFFIAny::NONE;
            let arg = TVMFFIByteArray::new(name);
            let mut text = TVMFFIAny::NONE;
            self.api.TVMFFIStringFromByteArray(&arg, &mut text);
            self.call_global("ffi.FunctionRemoveGlobal", &[text], &mut out);
            if text.type_index >= kTVMFFIStaticObjectBegin {
                self.api.release(text.payload() as TVMFFIObjectHandle);
            }
        };
        pool::OWN_NAMES.iter().for_each(remove);
        drop(self.client.take_raised());
        for device_type in [1, 2, 99] {
            for device_id in [0, 1, 7] {
                self.api.TVMFFIEnvSetStream(device_type, device_id, null_mut(), null_mut());
                drop(self.client.take_raised());
            }
        }
    }
}

/// What an argument refers to and the program does not keep.
enum Kept {
    Nothing,
    Bytes(TVMFFIByteArray),
    Handle(std::cell::UnsafeCell<TVMFFIObjectHandle>),
}

const FLOAT32: DLDataType = pool::DTYPES[0];

fn tensor(shape: TVMFFIAny, dtype: DLDataType) -> DLTensor {
    let shape = pool::SHAPES[shape.payload() as usize];
    DLTensor {
        data: WORDS.0.as_ptr().cast_mut().cast(),
        device: pool::DEVICES[0],
        ndim: shape.len() as i32,
        dtype,
        shape: shape.as_ptr().cast_mut(),
        strides: null_mut(),
        byte_offset: 0,
    }
}

/// Where a tensor of one of the pool's shapes is: a container keeps the address for longer than a call.
fn borrowed(shape: usize) -> usize {
    static PLACES: LazyLock<Vec<usize>> = LazyLock::new(|| {
        let place = |shape| Box::into_raw(Box::new(tensor(TVMFFIAny::new(kTVMFFIInt, shape as u64), FLOAT32))) as usize;
        (0..pool::SHAPES.len()).map(place).collect()
    });
    PLACES[shape]
}

/// A tensor to be imported.
pub fn import(shape: TVMFFIAny, dtype: DLDataType) -> *mut DLManagedTensor {
    unsafe extern "C" fn delete(managed: *mut DLManagedTensor) {
        // SAFETY: made below, and given back once.
        drop(unsafe { Box::from_raw(managed) });
    }
    let dl_tensor = tensor(shape, dtype);
    Box::into_raw(Box::new(DLManagedTensor { dl_tensor, manager_ctx: null_mut(), deleter: Some(delete) }))
}

/// A tensor to be imported, with a version and these flags.
pub fn import_versioned(shape: TVMFFIAny, dtype: DLDataType, flags: u64) -> *mut DLManagedTensorVersioned {
    unsafe extern "C" fn delete(managed: *mut DLManagedTensorVersioned) {
        // SAFETY: made below, and given back once.
        drop(unsafe { Box::from_raw(managed) });
    }
    Box::into_raw(Box::new(DLManagedTensorVersioned {
        version: DLPackVersion { major: 1, minor: 1 },
        manager_ctx: null_mut(),
        deleter: Some(delete),
        flags,
        dl_tensor: tensor(shape, dtype),
    }))
}

/// What a machine's callees are given, and find the library's functions through.
#[repr(C)]
struct Context {
    /// [`MARK`]: a function that was made without a context is given itself.
    mark: u64,
    api: Api,
    /// How many Arrays callees have answered.
    arrays: AtomicU32,
}

const MARK: u64 = u64::from_be_bytes(*b"contexts");

/// The context of a machine's callees; kept for the life of the process.
pub fn callee_context(client: &Client) -> *mut c_void {
    Box::into_raw(Box::new(Context { mark: MARK, api: client.api, arrays: AtomicU32::new(0) })).cast()
}

/// Functions of a client, each with its name in C.
pub const CALLEES: &[(&str, TVMFFISafeCallType)] = &[
    ("answer_none", answer_none),
    ("answer_first", answer_first),
    ("answer_seven", answer_seven),
    ("answer_array", answer_array),
    ("raise_error", raise_error),
    ("visit_on", visit_on),
    ("mutate_on", mutate_on),
];

unsafe extern "C" fn answer_none(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    0
}

unsafe extern "C" fn answer_seven(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the library passes where the result goes.
    unsafe { result.write(TVMFFIAny::new(kTVMFFIInt, 7)) };
    0
}

/// Its context, unless it was made without one.
fn context_of(this: *mut c_void) -> Option<&'static Context> {
    // SAFETY: NULL, what `callee_context` has made, or an object, which begins with a word, too.
    let mark = unsafe { this.cast::<u64>().as_ref() }?;
    // SAFETY: the mark says that it is a context.
    (*mark == MARK).then(|| unsafe { &*this.cast::<Context>() })
}

fn api_of(this: *mut c_void) -> Option<&'static Api> {
    Some(&context_of(this)?.api)
}

unsafe extern "C" fn answer_first(this: *mut c_void, args: *const TVMFFIAny, n: i32, out: *mut TVMFFIAny) -> c_int {
    match api_of(this) {
        Some(api) if n > 0 => api.TVMFFIAnyViewToOwnedAny(args, out),
        _ => 0,
    }
}

unsafe extern "C" fn raise_error(this: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    let Some(api) = api_of(this) else { return 0 };
    api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"raised by a callee".as_ptr());
    -1
}

/// Calls a global function with what the callee was given.
fn pass_on(name: &str, this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    let (Some(api), mut function) = (api_of(this), null_mut()) else { return 0 };
    let code = api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut function);
    if code != 0 || function.is_null() {
        return code;
    }
    let code = api.TVMFFIFunctionCall(function, args.cast_mut(), count, result);
    homemade::release(function);
    code
}

/// Has a walk that goes into what is answered end.
const MOST_ARRAYS: u32 = 100;

unsafe extern "C" fn answer_array(this: *mut c_void, args: *const TVMFFIAny, n: i32, out: *mut TVMFFIAny) -> c_int {
    if context_of(this).is_some_and(|context| context.arrays.fetch_add(1, Ordering::Relaxed) >= MOST_ARRAYS) {
        // SAFETY: the library passes the raiser its own arguments.
        return unsafe { raise_error(this, args, n, out) };
    }
    pass_on("ffi.Array", this, args, n, out)
}

unsafe extern "C" fn visit_on(this: *mut c_void, args: *const TVMFFIAny, n: i32, out: *mut TVMFFIAny) -> c_int {
    pass_on("ffi.StructuralVisitorDefaultVisit", this, args, n, out)
}

unsafe extern "C" fn mutate_on(this: *mut c_void, args: *const TVMFFIAny, n: i32, out: *mut TVMFFIAny) -> c_int {
    pass_on("ffi.StructuralMutatorDefaultMutate", this, args, n, out)
}
