//! Arguments as they lie in memory for a call, and what became of them.

use std::{
    ffi::c_void,
    sync::atomic::{AtomicBool, Ordering},
};

use tvm_ffi_reports::kernel::rules;
use tvm_ffi_spec::*;

use super::{
    arena::{self, Part, Region, Stretch},
    errand::{Broken, TensorSeen},
    given::{Form, Given, Strides, Tensor},
};
use crate::client::{Client, Owned, Verdict, callback, memory, view};

/// The arguments of one call.
pub struct Laid {
    client: Client,
    /// Its place among the calls of the process.
    call: usize,
    /// The array that is passed; NULL if there are none.
    args: *const TVMFFIAny,
    array: Option<(Region, Stretch, Vec<u8>)>,
    tensors: Vec<LaidTensor>,
    /// What owns the objects among the arguments, each with its place and its strong count.
    objects: Vec<(usize, Owned, u32)>,
    /// Regions that end with the call.
    regions: Vec<Region>,
}

struct LaidTensor {
    place: usize,
    tensor: Tensor,
    /// Its elements, if there are any on the host.
    data: Option<(Stretch, Vec<u8>)>,
    /// The struct that the function sees, with its bytes, shape and strides.
    header: *const DLTensor,
    before: Header,
    region: Region,
    /// Set when its owner has given it back.
    given_back: &'static AtomicBool,
}

#[derive(PartialEq)]
struct Header {
    bytes: Vec<u8>,
    shape: Vec<u8>,
    strides: Vec<u8>,
}

impl Laid {
    /// Lays arguments down for the call at that place among those of the process.
    pub fn new(client: &Client, call: usize, args: &[Given]) -> Verdict<Self> {
        let mut laid = Self {
            client: *client,
            call,
            args: std::ptr::null(),
            array: None,
            tensors: Vec::new(),
            objects: Vec::new(),
            regions: Vec::new(),
        };
        let mut anys = Vec::new();
        for (place, given) in args.iter().enumerate() {
            let any = laid.any(call, place, given)?;
            if any.type_index >= kTVMFFIStaticObjectBegin {
                let owned = client.own(any);
                // Another reference, so that an object to which one is given up too many is still there to tell.
                client.ok(client.api.TVMFFIObjectIncRef(owned.handle()))?;
                let (strong, _) = client.counts(owned.handle())?;
                laid.objects.push((place, owned, strong));
            }
            anys.push(any);
        }
        if !anys.is_empty() {
            let bytes: Vec<u8> = anys.iter().flat_map(TVMFFIAny::to_bytes).collect();
            let region = laid.memory(Region::of_array(call))?;
            let stretch = laid.memory(region.lay(Part::Plain, &bytes, 16, 0))?;
            laid.args = stretch.start as *const TVMFFIAny;
            laid.array = Some((region, stretch, bytes));
        }
        Ok(laid)
    }

    /// The array, and how many arguments it has.
    pub fn args(&self) -> *const TVMFFIAny {
        self.args
    }

    /// The strong count that an object among the arguments had, if it is one.
    pub fn count_of(&self, handle: TVMFFIObjectHandle) -> Option<u32> {
        self.objects.iter().find(|(_, owned, _)| owned.handle() == handle).map(|(.., strong)| *strong)
    }

    /// Whether that is the address of a DLTensor among the arguments.
    pub fn has_tensor(&self, address: u64) -> bool {
        self.tensors.iter().any(|tensor| tensor.header as u64 == address)
    }

    fn memory<T>(&self, laid: std::io::Result<T>) -> Verdict<T> {
        laid.map_err(|problem| self.client.error("memory for arguments", problem))
    }

    fn any(&mut self, call: usize, place: usize, given: &Given) -> Verdict<TVMFFIAny> {
        let client = self.client;
        let pod = |index: i32, payload: u64| TVMFFIAny::new(index, payload);
        Ok(match given {
            Given::None => TVMFFIAny::NONE,
            Given::Null => view::pointer(std::ptr::null_mut()),
            Given::NoTensor => pod(kTVMFFIDLTensorPtr, 0),
            Given::Bool(value) => view::bool(*value),
            Given::Int(value) => view::int(*value),
            Given::Float(value) => view::float(*value),
            Given::Text(text) => client.string(text.as_bytes())?.into_any(),
            Given::Bytes(bytes) => client.bytes(bytes)?.into_any(),
            Given::DataType(dtype) => {
                let lanes = u64::from(dtype.lanes) << 16;
                pod(kTVMFFIDataType, u64::from(dtype.code) | u64::from(dtype.bits) << 8 | lanes)
            }
            Given::Device(kind, number) => {
                pod(kTVMFFIDevice, u64::from(*kind as u32) | u64::from(*number as u32) << 32)
            }
            Given::Shape(items) => client.call_global("ffi.Shape", &ints(items))?.into_any(),
            Given::Array(items) => {
                let items = items.iter().map(|item| self.any(call, place, item)).collect::<Verdict<Vec<_>>>()?;
                let array = client.call_global("ffi.Array", &items)?.into_any();
                // The array has references of its own.
                let objects = items.iter().filter(|item| item.type_index >= kTVMFFIStaticObjectBegin);
                objects.for_each(|item| client.api.release(item.payload() as TVMFFIObjectHandle));
                array
            }
            Given::Function => client.function(std::ptr::null_mut(), callback::return_none, None)?.into_any(),
            Given::Failing => {
                let body: callback::Body =
                    |api, _| callback::raise(api, c"ValueError", c"an argument that always fails");
                client.callback(body)?.into_any()
            }
            Given::Error => client.new_error("ValueError", "an error that is an argument", "")?.into_any(),
            Given::CText(text) => {
                let stretch = self.plain(call, place, &[text.as_bytes(), b"\0"].concat())?;
                pod(kTVMFFIRawStr, stretch.start as u64)
            }
            Given::ByteArray(bytes) => {
                let region = self.region(call, place)?;
                let content = self.memory(region.lay(Part::Data, bytes, 1, 0))?;
                let start = if bytes.is_empty() { 0 } else { content.start };
                let array: Vec<u8> = [start, content.len].into_iter().flat_map(usize::to_ne_bytes).collect();
                let array = self.memory(region.lay(Part::Plain, &array, 8, 0))?;
                pod(kTVMFFIByteArrayPtr, array.start as u64)
            }
            Given::Tensor(tensor) => self.tensor(call, place, tensor)?,
        })
    }

    fn region(&mut self, call: usize, place: usize) -> Verdict<Region> {
        let region = self.memory(Region::of_argument(call, place))?;
        self.regions.push(region);
        Ok(region)
    }

    fn plain(&mut self, call: usize, place: usize, bytes: &[u8]) -> Verdict<Stretch> {
        let region = self.region(call, place)?;
        self.memory(region.lay(Part::Plain, bytes, 1, 0))
    }

    fn tensor(&mut self, call: usize, place: usize, tensor: &Tensor) -> Verdict<TVMFFIAny> {
        const ALIGNMENT: usize = 256;
        let region = self.memory(Region::of_argument(call, place))?;
        let mut data = None;
        let address = if tensor.count() == 0 {
            0
        } else if !tensor.is_on_host() {
            region.nowhere()
        } else {
            let mut bytes = vec![region.filling(); tensor.extent()];
            let (content, size) = (tensor.content(), tensor.dtype.size());
            for (element, place) in content.chunks(size).zip(tensor.places()) {
                bytes[place..place + size].copy_from_slice(element);
            }
            // The data is aligned, also where that is not the element that lies first.
            let origin = tensor.origin();
            let beside = (tensor.byte_offset + tensor.shift) as usize + origin.next_multiple_of(ALIGNMENT) - origin;
            let stretch = self.memory(region.lay(Part::Data, &bytes, ALIGNMENT, beside))?;
            data = Some((stretch, stretch.everything().0));
            stretch.start + origin - tensor.byte_offset as usize
        };
        let words = |words: &[i64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        let shape = self.memory(region.lay(Part::Shape, &words(&tensor.shape), 8, 0))?;
        let strides = self.memory(region.lay(Part::Strides, &words(&tensor.steps()), 8, 0))?;
        let dl_tensor = DLTensor {
            data: address as *mut c_void,
            device: DLDevice { device_type: tensor.device.0, device_id: tensor.device.1 },
            ndim: tensor.shape.len() as i32,
            dtype: DLDataType { code: tensor.dtype.code, bits: tensor.dtype.bits, lanes: tensor.dtype.lanes },
            shape: shape.start as *mut i64,
            strides: if tensor.strides == Strides::Null { std::ptr::null_mut() } else { strides.start as *mut i64 },
            byte_offset: tensor.byte_offset,
        };
        let given_back: &AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        let (any, header) = match tensor.form {
            Form::Borrowed => {
                let blank = vec![0; size_of::<DLTensor>()];
                let stretch = self.memory(region.lay(Part::Header, &blank, 8, 0))?;
                let header = stretch.start as *mut DLTensor;
                // SAFETY: room for a DLTensor, aligned, in pages of our own that can be written.
                unsafe { header.write(dl_tensor) };
                (TVMFFIAny::new(kTVMFFIDLTensorPtr, header as u64), header.cast_const())
            }
            Form::Object => {
                let mut object = std::ptr::null_mut();
                let managed = Box::leak(Box::new(DLManagedTensorVersioned {
                    version: DLPackVersion { major: 1, minor: 1 },
                    manager_ctx: std::ptr::from_ref(given_back).cast_mut().cast(),
                    deleter: Some(give_back),
                    flags: 0,
                    dl_tensor,
                }));
                self.client.ok(self.client.api.TVMFFITensorFromDLPackVersioned(managed, 0, 0, &mut object))?;
                let header = object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<DLTensor>();
                (TVMFFIAny::new(kTVMFFITensor, object as u64), header.cast_const())
            }
        };
        let before = Header::read(header, tensor.shape.len());
        let tensor = tensor.clone();
        self.tensors.push(LaidTensor { place, tensor, data, header, before, region, given_back });
        Ok(any)
    }

    /// What a call has done to its arguments. With `outcome`, what is said of tensors has to be true.
    pub fn look(&self, outcome: bool, broken: &mut Vec<Broken>) -> Vec<TensorSeen> {
        if let Some((_, stretch, before)) = &self.array {
            let (bytes, start) = stretch.everything();
            if let Some(at) = before.iter().zip(&bytes[start..]).position(|(one, other)| one != other) {
                broken.push(Broken::of(&rules::ARGS_CHANGED, format!("argument {} was changed in the array", at / 16)));
            }
        }
        for (place, owned, strong) in &self.objects {
            let now = self.client.counts(owned.handle()).map_or(0, |(strong, _)| strong);
            if now < *strong {
                let message = format!("argument {place} had {strong} references and has {now}");
                broken.push(Broken::of(&rules::ARGUMENT_RELEASED, message));
            }
        }
        let known = self.tensors.iter().any(|each| each.tensor.becomes.is_some());
        let share = TensorSeen::COMPARED / self.tensors.len().max(1);
        self.tensors.iter().map(|each| each.look(outcome && known, share, broken)).collect()
    }

    /// Gives up what was made for the call. Memory goes that nobody may use any more.
    pub fn end(self, broken: &[Broken]) {
        let Self { client, call, array, tensors, objects, regions, .. } = self;
        let mut spoilt = Vec::new();
        for (place, owned, _) in objects {
            if !broken.is_empty() {
                // What has been ended already is not ended once more.
                std::mem::forget(owned);
            } else if spoil(&owned, arena::nowhere(call, place)) {
                std::mem::forget(owned);
                spoilt.push(place);
            } else {
                client.api.release(owned.handle());
            }
        }
        for tensor in tensors {
            let is_over = tensor.tensor.form == Form::Borrowed || tensor.given_back.load(Ordering::Acquire);
            if is_over || spoilt.contains(&tensor.place) {
                tensor.region.close();
            }
        }
        regions.into_iter().for_each(Region::close);
        if let Some((region, ..)) = array {
            region.close();
        }
    }
}

fn ints(items: &[i64]) -> Vec<TVMFFIAny> {
    items.iter().map(|&item| view::int(item)).collect()
}

/// Fills an object to which nobody else has a reference with addresses at which nothing is: it is over, and a function that goes on
/// with it dies of one of these. Answers whether that was done.
fn spoil(owned: &Owned, address: usize) -> bool {
    /// A reference of the owner's and another one, and the weak one of both.
    const OURS: u64 = 1 << 32 | 2;
    let handle = owned.handle();
    let Some(header) = memory::read(handle.cast_const().cast::<TVMFFIObject>()) else { return false };
    let size = match header.type_index {
        kTVMFFIStr | kTVMFFIBytes => size_of::<TVMFFIByteArray>(),
        kTVMFFIShape => size_of::<TVMFFIShapeCell>(),
        kTVMFFITensor => size_of::<DLTensor>(),
        kTVMFFIArray => size_of::<TVMFFISeqCell>(),
        kTVMFFIFunction => size_of::<TVMFFIFunctionCell>(),
        _ => return false,
    };
    if header.combined_ref_count != OURS {
        return false;
    }
    let cell = handle.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<usize>();
    for word in 0..size / size_of::<usize>() {
        // SAFETY: the cell of an object of that type, to which nobody else has a reference, and which is never released.
        unsafe { cell.add(word).write(address) };
    }
    true
}

/// The deleter of tensors that are objects.
unsafe extern "C" fn give_back(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: called with the struct that was made above, which is kept for the life of the process, as is what its context refers to.
    unsafe { (*(*managed).manager_ctx.cast::<AtomicBool>()).store(true, Ordering::Release) };
}

impl Header {
    fn read(header: *const DLTensor, ndim: usize) -> Self {
        let bytes = memory::read_bytes(header.cast(), size_of::<DLTensor>()).unwrap_or_default();
        let words = |pointer: *mut i64| memory::read_bytes(pointer.cast_const().cast(), 8 * ndim).unwrap_or_default();
        let (shape, strides) = match memory::read(header) {
            Some(tensor) => (words(tensor.shape), words(tensor.strides)),
            None => (Vec::new(), Vec::new()),
        };
        Self { bytes, shape, strides }
    }
}

impl LaidTensor {
    fn look(&self, outcome: bool, share: usize, broken: &mut Vec<Broken>) -> TensorSeen {
        let place = self.place;
        let now = Header::read(self.header, self.tensor.shape.len());
        if now != self.before {
            let what = match () {
                () if now.bytes != self.before.bytes => "the DLTensor",
                () if now.shape != self.before.shape => "the shape",
                () => "the strides",
            };
            broken.push(Broken::of(&rules::TENSOR_CHANGED, format!("{what} of argument {place} was changed")));
        }
        let Some((stretch, before)) = &self.data else { return TensorSeen::default() };
        let (now, start) = stretch.everything();
        let size = self.tensor.dtype.size();
        let mut inside = vec![false; now.len()];
        let mut elements = Vec::new();
        for element in self.tensor.places().into_iter().map(|element| start + element) {
            inside[element..element + size].fill(true);
            elements.extend_from_slice(&now[element..element + size]);
        }
        let changed = |at: &usize| now[*at] != before[*at];
        if let Some(at) = (0..now.len()).filter(|at| !inside[*at]).find(changed) {
            let behind = at as i64 - start as i64;
            let message = format!("byte {behind} of the data of argument {place} was written, where it has no element");
            broken.push(Broken::of(&rules::WRITES_OUTSIDE, message));
        }
        let written = (0..now.len()).filter(|at| inside[*at]).any(|at| changed(&at));
        if outcome {
            self.compare(&elements, written, broken);
        }
        let number = |bytes: &[u8]| self.tensor.dtype.value_of(bytes).filter(|value| value.is_finite());
        TensorSeen { written, elements: elements.chunks(size).take(share).map(number).collect() }
    }

    /// Holds elements against what the file of calls says of them.
    fn compare(&self, elements: &[u8], written: bool, broken: &mut Vec<Broken>) {
        const TOLERANCE: f64 = 1e-5;
        let (place, dtype) = (self.place, self.tensor.dtype);
        let Some(becomes) = &self.tensor.becomes else {
            if written {
                broken.push(Broken::of(&rules::INPUT_WRITTEN, format!("elements of argument {place} were changed")));
            }
            return;
        };
        let values = elements.chunks(dtype.size()).map(|bytes| dtype.value_of(bytes).unwrap_or(f64::NAN));
        let differs = |(got, expected): &(f64, f64)| {
            let equal = got == expected || got.is_nan() && expected.is_nan();
            let close = (got - expected).abs() <= TOLERANCE * expected.abs().max(1.0);
            !(equal || close)
        };
        let differing = values.zip(becomes.iter().copied()).enumerate().find(|(_, pair)| differs(pair));
        if let Some((index, (got, expected))) = differing {
            let message = format!("element {index} of argument {place} is {got}; expected {expected}");
            broken.push(Broken::of(&rules::EXPECTED, message));
        }
    }
}
