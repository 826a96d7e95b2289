//! What checks of tensors work with: producers of tensors, which count what is given back, and exports.

use std::{
    ffi::{c_int, c_void},
    fmt::Display,
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Owned, Verdict, memory,
        program::Statement,
        tensors::{Described, of_every_kind, row_major},
        written,
    },
    trial::Trial,
};

/// The two structs in which DLPack hands tensors over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    Versioned,
}

/// Both of them.
pub const FORMS: [Form; 2] = [Form::Plain, Form::Versioned];

impl From<bool> for Form {
    fn from(versioned: bool) -> Self {
        FORMS[usize::from(versioned)]
    }
}

/// The maker of a tensor, with the two managed tensors that it can hand over. A producer must outlive their Tensors.
pub struct Producer {
    pub number: usize,
    pub data: *mut c_void,
    pub device: DLDevice,
    pub dtype: DLDataType,
    pub shape: Vec<i64>,
    pub strides: Option<Vec<i64>>,
    pub byte_offset: u64,
    pub version: DLPackVersion,
    pub flags: u64,
    pub plain: DLManagedTensor,
    pub versioned: DLManagedTensorVersioned,
}

// SAFETY: a producer does not change once its tensor is handed over; threads only read it.
unsafe impl Sync for Producer {}

impl Producer {
    /// A producer of a tensor whose fields all differ, so that none is taken for another.
    pub fn new() -> Self {
        Self::of(Described {
            device: DLDevice { device_type: kDLCUDA, device_id: 0x21 },
            dtype: DLDataType { code: kDLBfloat, bits: 0x10, lanes: 0x0403 },
            shape: vec![0x11, 0x12, 0x13],
            strides: Some(vec![0x3132, 0x334, 0x35]),
            byte_offset: 0x4142,
            ..Described::six_floats()
        })
    }

    /// A producer of six floats that follow each other, on the host.
    pub fn contiguous() -> Self {
        Self::of(Described::six_floats())
    }

    /// A producer of a tensor as it is described.
    pub fn of(described: Described) -> Self {
        let Described { name: _, data, device, dtype, shape, strides, byte_offset, version, flags } = described;
        let dl_tensor = DLTensor {
            data: std::ptr::null_mut(),
            device: DLDevice::default(),
            ndim: 0,
            dtype: DLDataType::default(),
            shape: std::ptr::null_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        };
        let manager_ctx = std::ptr::null_mut();
        let plain = DLManagedTensor { dl_tensor, manager_ctx, deleter: None };
        let versioned = DLManagedTensorVersioned { version, manager_ctx, deleter: None, flags: 0, dl_tensor };
        Self { number: 0, data, device, dtype, shape, strides, byte_offset, version, flags, plain, versioned }
    }

    /// Writes the fields into the two managed tensors.
    pub fn fill(&mut self) {
        let dl_tensor = DLTensor {
            data: self.data,
            device: self.device,
            ndim: self.shape.len() as i32,
            dtype: self.dtype,
            shape: if self.shape.is_empty() { std::ptr::null_mut() } else { self.shape.as_mut_ptr() },
            strides: self.strides.as_mut().map_or(std::ptr::null_mut(), |strides| strides.as_mut_ptr()),
            byte_offset: self.byte_offset,
        };
        let manager_ctx = std::ptr::without_provenance_mut(CONTEXT + self.number);
        self.plain = DLManagedTensor { dl_tensor, manager_ctx, deleter: Some(give_back) };
        self.versioned = DLManagedTensorVersioned {
            version: self.version,
            manager_ctx,
            deleter: Some(give_back_versioned),
            flags: self.flags,
            dl_tensor,
        };
    }

    /// Imports the tensor without requirements, which is expected to succeed.
    pub fn import(&mut self, t: &Trial, form: Form) -> Verdict<Owned> {
        self.import_with(t, form, 0, false)
    }

    /// Imports the tensor, which is expected to succeed.
    pub fn import_with(&mut self, t: &Trial, form: Form, alignment: i32, contiguous: bool) -> Verdict<Owned> {
        self.fill();
        self.import_filled(t, form, alignment, contiguous)
    }

    /// Imports the managed tensors as they are, which is expected to succeed.
    pub fn import_filled(&mut self, t: &Trial, form: Form, alignment: i32, contiguous: bool) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        t.ok(self.try_import(t, form, alignment, contiguous, &mut out))?;
        t.own_object("the new Tensor", out)
    }

    /// Imports the tensor, which is expected to fail.
    pub fn refuse(&mut self, t: &Trial, form: Form, alignment: i32, contiguous: bool) -> Verdict {
        self.fill();
        let mut out = std::ptr::null_mut();
        t.raises(self.try_import(t, form, alignment, contiguous, &mut out), &[])?;
        Ok(())
    }

    /// Imports the managed tensors as they are; the status is the caller's to judge.
    pub fn try_import(
        &mut self,
        t: &Trial,
        form: Form,
        alignment: i32,
        contiguous: bool,
        out: &mut TVMFFIObjectHandle,
    ) -> c_int {
        let contiguous = contiguous.into();
        match form {
            Form::Plain => t.api.TVMFFITensorFromDLPack(&mut self.plain, alignment, contiguous, out),
            Form::Versioned => t.api.TVMFFITensorFromDLPackVersioned(&mut self.versioned, alignment, contiguous, out),
        }
    }

    /// The address of the managed tensor in that form.
    pub fn address(&self, form: Form) -> usize {
        match form {
            Form::Plain => (&raw const self.plain).addr(),
            Form::Versioned => (&raw const self.versioned).addr(),
        }
    }

    /// What every Tensor of this producer ought to say of itself.
    pub fn expected(&self) -> Expected {
        let unspecified = self.strides.is_none() && self.shape.contains(&0);
        Expected {
            data: self.data,
            device: self.device,
            dtype: self.dtype,
            shape: self.shape.clone(),
            strides: (!unspecified).then(|| self.strides.clone().unwrap_or_else(|| row_major(&self.shape))),
            byte_offset: self.byte_offset,
        }
    }

    /// Expects a Tensor to say what this producer said.
    pub fn compare_tensor(&self, t: &Trial, what: impl Display, tensor: &Owned) -> Verdict {
        self.compare(t, what, &tensor_of(t, tensor)?)
    }

    /// Expects a DLTensor to say what this producer said.
    pub fn compare(&self, t: &Trial, what: impl Display, seen: &DLTensor) -> Verdict {
        compare(t, what, seen, &self.expected())
    }
}

/// Tries something with a producer of each kind of tensor.
pub fn with_every_kind(mut case: impl FnMut(&mut Producer) -> Verdict) -> Verdict {
    of_every_kind().into_iter().try_for_each(|described| {
        let note = format!("the tensor: {}", written(&described));
        case(&mut Producer::of(described)).map_err(|failure| failure.noting(note))
    })
}

/// Imports a versioned tensor that a target may refuse for its flags; `None` if it does.
pub fn imported_if_taken(t: &Trial, producer: &mut Producer) -> Verdict<Option<Owned>> {
    producer.fill();
    let mut out = std::ptr::null_mut();
    match producer.try_import(t, Form::Versioned, 0, false, &mut out) {
        0 => t.own_object("the new Tensor", out).map(Some),
        code => t.raises(code, &[]).map(|_| None),
    }
}

/// A view of `source` with the fields of `prototype`, expected to succeed.
pub fn view_of(t: &Trial, source: &Owned, prototype: &mut Producer) -> Verdict<Owned> {
    prototype.fill();
    let mut out = std::ptr::null_mut();
    t.ok(t.api.TVMFFITensorCreateUnsafeView(source.handle(), &prototype.plain.dl_tensor, &mut out))?;
    t.own_object("the view", out)
}

/// What a tensor ought to say of itself.
pub struct Expected {
    /// Without elements NULL is as good.
    data: *mut c_void,
    device: DLDevice,
    dtype: DLDataType,
    shape: Vec<i64>,
    /// `None` where nothing says which: without elements.
    strides: Option<Vec<i64>>,
    byte_offset: u64,
}

/// Expects a DLTensor to say what it ought to.
pub fn compare(t: &Trial, what: impl Display, seen: &DLTensor, expected: &Expected) -> Verdict {
    let ndim = expected.shape.len();
    if !(seen.data.is_null() && expected.shape.contains(&0)) {
        t.eq(format_args!("data of {what}"), seen.data, expected.data)?;
    }
    t.eq(format_args!("device of {what}"), seen.device, expected.device)?;
    t.eq(format_args!("ndim of {what}"), seen.ndim, ndim as i32)?;
    t.eq(format_args!("dtype of {what}"), seen.dtype, expected.dtype)?;
    let shape = extents(t, format!("shape of {what}"), seen.shape, ndim)?;
    t.eq(format_args!("shape of {what}"), &shape, &expected.shape)?;
    let strides = extents(t, format!("strides of {what}"), seen.strides, ndim)?;
    if let Some(expected) = &expected.strides {
        t.eq(format_args!("strides of {what}"), &strides, expected)?;
    }
    t.eq(format_args!("byte_offset of {what}"), seen.byte_offset, expected.byte_offset)
}

/// How many producers a check may have at once.
pub const PRODUCERS: usize = 8;

/// The context of producer 0; that of producer n is n more.
const CONTEXT: usize = 0x7a00;

/// How often each producer's tensor was given back.
static RETURNED: [AtomicUsize; PRODUCERS] = [const { AtomicUsize::new(0) }; PRODUCERS];

/// How often a deleter was called with something that is no producer's.
pub static STRAY: AtomicUsize = AtomicUsize::new(0);

/// What a deleter was called with last.
pub static LAST: AtomicUsize = AtomicUsize::new(0);

/// How often a producer's tensor was given back.
pub fn returned(number: usize) -> usize {
    RETURNED[number].load(Ordering::SeqCst)
}

unsafe extern "C" fn give_back(managed: *mut DLManagedTensor) {
    count_return(managed.addr(), memory::read(managed).map(|managed| managed.manager_ctx));
}

unsafe extern "C" fn give_back_versioned(managed: *mut DLManagedTensorVersioned) {
    count_return(managed.addr(), memory::read(managed).map(|managed| managed.manager_ctx));
}

fn count_return(managed: usize, context: Option<*mut c_void>) {
    LAST.store(managed, Ordering::SeqCst);
    let number = context.and_then(|context| context.addr().checked_sub(CONTEXT));
    number.and_then(|number| RETURNED.get(number)).unwrap_or(&STRAY).fetch_add(1, Ordering::SeqCst);
}

/// A managed tensor that the target made.
pub struct Export {
    pub form: Form,
    pub managed: *mut c_void,
    pub tensor: DLTensor,
}

impl Export {
    /// Exports a Tensor, which is expected to succeed.
    pub fn of(t: &Trial, form: Form, tensor: &Owned) -> Verdict<Self> {
        let managed: *mut c_void = match form {
            Form::Plain => {
                let mut managed = std::ptr::null_mut();
                t.ok(t.api.TVMFFITensorToDLPack(tensor.handle(), &mut managed))?;
                managed.cast()
            }
            Form::Versioned => {
                let mut managed = std::ptr::null_mut();
                t.ok(t.api.TVMFFITensorToDLPackVersioned(tensor.handle(), &mut managed))?;
                managed.cast()
            }
        };
        let (tensor, has_deleter) = Self::read(t, form, managed)?;
        t.that("deleter of the export", has_deleter, "a function", "NULL")?;
        Ok(Self { form, managed, tensor })
    }

    /// The DLTensor of an export, and whether the export has a deleter.
    fn read(t: &Trial, form: Form, managed: *mut c_void) -> Verdict<(DLTensor, bool)> {
        Ok(match form {
            Form::Plain => {
                let managed: DLManagedTensor = t.read("the export", managed.cast())?;
                (managed.dl_tensor, managed.deleter.is_some())
            }
            Form::Versioned => {
                let managed: DLManagedTensorVersioned = t.read("the export", managed.cast())?;
                (managed.dl_tensor, managed.deleter.is_some())
            }
        })
    }

    /// What the export says by now.
    pub fn reread(&self, t: &Trial) -> Verdict<DLTensor> {
        Ok(Self::read(t, self.form, self.managed)?.0)
    }

    /// The whole struct of a versioned export.
    pub fn versioned(&self, t: &Trial) -> Verdict<DLManagedTensorVersioned> {
        t.read("the export", self.managed.cast())
    }

    /// Has the export say something else, as its owner may.
    pub fn change(&self, tensor: DLTensor) {
        // SAFETY: the export was read when it was made, and is this client's until it is handed over or given back.
        unsafe {
            match self.form {
                Form::Plain => (*self.managed.cast::<DLManagedTensor>()).dl_tensor = tensor,
                Form::Versioned => (*self.managed.cast::<DLManagedTensorVersioned>()).dl_tensor = tensor,
            }
        }
    }

    /// Imports the export, which is expected to succeed and makes the export the new Tensor's.
    pub fn import(self, t: &Trial) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        t.ok(match self.form {
            Form::Plain => t.api.TVMFFITensorFromDLPack(self.managed.cast(), 0, 0, &mut out),
            Form::Versioned => t.api.TVMFFITensorFromDLPackVersioned(self.managed.cast(), 0, 0, &mut out),
        })?;
        t.own_object("the Tensor made of an export", out)
    }

    /// Calls the deleter of the export.
    pub fn give_back(self, t: &Trial) {
        match self.form {
            Form::Plain => {
                let managed: *mut DLManagedTensor = self.managed.cast();
                if let Some(deleter) = memory::read(managed).and_then(|managed| managed.deleter) {
                    // SAFETY: the target's own deleter, called once, with what it belongs to.
                    let call = || unsafe { deleter(managed) };
                    t.api.called("deleter of an exported DLManagedTensor", None, deletes(managed), call);
                }
            }
            Form::Versioned => {
                let managed: *mut DLManagedTensorVersioned = self.managed.cast();
                if let Some(deleter) = memory::read(managed).and_then(|managed| managed.deleter) {
                    // SAFETY: the target's own deleter, called once, with what it belongs to.
                    let call = || unsafe { deleter(managed) };
                    t.api.called("deleter of an exported DLManagedTensorVersioned", None, deletes(managed), call);
                }
            }
        }
    }
}

/// The `DLTensor` behind a Tensor's header.
pub fn tensor_of(t: &Trial, tensor: &Owned) -> Verdict<DLTensor> {
    t.cell("DLTensor behind the header", tensor.handle())
}

/// As many extents or strides as there are dimensions.
pub fn extents(t: &Trial, what: impl Display, address: *const i64, ndim: usize) -> Verdict<Vec<i64>> {
    (0..ndim).map(|dimension| t.read(&what, address.wrapping_add(dimension))).collect()
}

/// One more strong reference to a Tensor.
pub fn retained(t: &Trial, tensor: &Owned) -> Verdict<Owned> {
    t.ok(t.api.TVMFFIObjectIncRef(tensor.handle()))?;
    Ok(t.own(tensor.any()))
}

/// Whether the elements, in row-major order, lie at 0, 1, 2 and so on. Tries every one of them.
pub fn follow_each_other(shape: &[i64], strides: &[i64]) -> bool {
    let count: i64 = shape.iter().product();
    (0..count).all(|element| {
        let place =
            |(rest, sum): (i64, i64), (extent, stride): (&i64, &i64)| (rest / extent, sum + rest % extent * stride);
        shape.iter().zip(strides).rev().fold((element, 0), place).1 == element
    })
}

/// How C has the deleter of an export called.
fn deletes<T>(managed: *mut T) -> impl FnOnce(&mut Statement, &str) -> String {
    move |c, _| {
        let (managed, versioned) = (c.handle(managed.cast()), size_of::<T>() == size_of::<DLManagedTensorVersioned>());
        let name = if versioned { "DLManagedTensorVersioned" } else { "DLManagedTensor" };
        format!("(({name}*){managed})->deleter({managed})")
    }
}
