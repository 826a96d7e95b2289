//! One library as benchmarks call it: by its bare functions, since a breadcrumb costs more than most of what is timed.

use std::{
    ffi::{c_char, c_int, c_void},
    hint::black_box,
    ops::Deref,
    path::Path,
};

use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    client::{Client, Owned, reflected},
    target::library::{self, Scope},
};

/// One library. A copy is the same library; any thread may use it.
#[derive(Clone, Copy)]
pub struct Library {
    /// A client of it, for what is not timed.
    pub client: Client,
    table: &'static FunctionTable,
}

macro_rules! bare_calls {
    ($(#[$doc:meta] $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// The functions of the ABI under their C names. As in the client's kit they are not marked `unsafe`: no argument
        /// makes a call into a black box sound, and this process is there to be lost.
        #[allow(non_snake_case)]
        #[expect(clippy::not_unsafe_ptr_arg_deref, reason = "see above")]
        impl Library {
            /// The library behind a client.
            ///
            /// # Panics
            /// If it lacks a function.
            pub fn new(client: Client) -> Self {
                let table = client.api.table();
                $(assert!(table.$name.is_some(), "the library lacks {}", stringify!($name));)*
                Self { client, table }
            }

            $(
                #[$doc]
                #[inline(always)]
                pub fn $name(&self, $($arg: $ty),*) -> $result {
                    // SAFETY: `new` has seen that the function is there; of the call, see above.
                    unsafe { (self.table.$name.unwrap_unchecked())($($arg),*) }
                }
            )*
        }
    };
}
tvm_ffi_spec::for_each_function!(bare_calls);

impl Library {
    /// Opens the library at a path, for a process that has only this one.
    ///
    /// # Panics
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Self {
        let opened =
            library::open(path, Scope::Local).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        Self::new(Client::beside(opened.table))
    }

    /// A global function, kept for the life of the process.
    ///
    /// # Panics
    /// If it is not registered.
    pub fn function(&self, name: &str) -> TVMFFIObjectHandle {
        handle(&self.client.global(name).expect("the global function is registered").into_any())
    }

    /// Calls a function with views of `args`. The caller owns the answer.
    ///
    /// # Panics
    /// If the call fails.
    #[inline(always)]
    pub fn call(&self, function: TVMFFIObjectHandle, args: &[TVMFFIAny]) -> TVMFFIAny {
        let mut result = TVMFFIAny::NONE;
        let args = black_box(args);
        self.ok(self.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), args.len() as i32, &mut result));
        result
    }

    /// Calls a global function. The caller owns the answer.
    pub fn call_global(&self, name: &str, args: &[TVMFFIAny]) -> TVMFFIAny {
        self.call(self.function(name), args)
    }

    /// Expects success of a call that returns a status.
    ///
    /// # Panics
    /// If it has failed.
    #[inline(always)]
    pub fn ok(&self, code: c_int) {
        if code != 0 {
            self.failed();
        }
    }

    #[cold]
    fn failed(&self) -> ! {
        match self.client.take_raised() {
            Some(raised) => panic!("{}: {}", raised.kind, raised.message),
            None => panic!("a call has failed and raised nothing"),
        }
    }

    /// A String.
    #[inline(always)]
    pub fn string(&self, text: &[u8]) -> TVMFFIAny {
        let mut out = TVMFFIAny::NONE;
        self.ok(self.TVMFFIStringFromByteArray(black_box(&TVMFFIByteArray::new(text)), &mut out));
        out
    }

    /// Ends an owned value.
    #[inline(always)]
    pub fn end(&self, value: TVMFFIAny) {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            self.TVMFFIObjectDecRef(handle(&value));
        }
    }

    /// Takes over an owned value, which is ended with the guard.
    pub fn own(&self, value: TVMFFIAny) -> Owned {
        self.client.own(value)
    }

    /// Takes over owned values, which are ended with the guard.
    pub fn own_all(&self, values: Vec<TVMFFIAny>) -> OwnedAll {
        OwnedAll { library: *self, values }
    }

    /// What a value is, in a text that is the same for the same content, whichever library made it.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn shown(&self, value: &TVMFFIAny) -> String {
        /// Containers of more elements are told by their size.
        const LARGE: u64 = 20_000;
        let kind = match value.type_index {
            kTVMFFINone => return "None".to_owned(),
            kTVMFFIBool => return (value.payload() != 0).to_string(),
            kTVMFFIInt => return (value.payload() as i64).to_string(),
            kTVMFFIFloat => return f64::from_bits(value.payload()).to_string(),
            kTVMFFISmallStr | kTVMFFIStr | kTVMFFISmallBytes | kTVMFFIBytes => {
                let text = self.client.text(value).expect("a text can be read");
                return String::from_utf8_lossy(&text).into_owned();
            }
            kTVMFFIArray => "Array",
            kTVMFFIList => "List",
            kTVMFFIMap => "Map",
            kTVMFFIDict => "Dict",
            kTVMFFIShape => return self.printed(value),
            kTVMFFIStaticObjectBegin.. => return self.type_key(value.type_index),
            index => return format!("{:#x} of type {index}", value.payload()),
        };
        match self.call_global(&format!("ffi.{kind}Size"), &[*value]).payload() {
            0..LARGE => self.printed(value),
            size => format!("{kind} of {size}"),
        }
    }

    fn printed(&self, value: &TVMFFIAny) -> String {
        let text = self.own(self.call_global("ffi.ReprPrint", &[*value]));
        self.shown(&text.any())
    }

    fn type_key(&self, index: i32) -> String {
        let info = reflected::info(&self.client, index);
        info.and_then(|info| reflected::key(&self.client, &info)).expect("the type is registered")
    }
}

/// Owned values, ended all together.
pub struct OwnedAll {
    library: Library,
    values: Vec<TVMFFIAny>,
}

impl Deref for OwnedAll {
    type Target = [TVMFFIAny];

    fn deref(&self) -> &[TVMFFIAny] {
        &self.values
    }
}

impl Drop for OwnedAll {
    fn drop(&mut self) {
        self.values.iter().for_each(|value| self.library.end(*value));
    }
}

/// The object that a value refers to.
#[inline(always)]
pub fn handle(value: &TVMFFIAny) -> TVMFFIObjectHandle {
    value.payload() as TVMFFIObjectHandle
}

/// What follows the header of an object.
///
/// # Safety
/// The object is alive and has such a cell.
pub unsafe fn cell<C: Copy>(object: TVMFFIObjectHandle) -> C {
    // SAFETY: by contract.
    unsafe { object.byte_add(size_of::<TVMFFIObject>()).cast::<C>().read() }
}
