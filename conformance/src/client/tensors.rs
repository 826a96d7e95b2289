//! Tensors of every kind that DLPack allows: what checks of tensors draw from, described as plain data for whoever makes
//! them.

use std::ffi::c_void;

use tvm_ffi_spec::*;

/// A tensor, as its maker describes it.
#[derive(Clone, Debug)]
pub struct Described {
    /// What is special about it.
    pub name: &'static str,
    /// The address of its data, or what stands for it on a device without addresses.
    pub data: *mut c_void,
    /// The device that it is on.
    pub device: DLDevice,
    /// The type of its elements.
    pub dtype: DLDataType,
    /// The extents of its dimensions.
    pub shape: Vec<i64>,
    /// The strides of its dimensions, in elements; `None` for a NULL pointer.
    pub strides: Option<Vec<i64>>,
    /// Where in its data the first element begins.
    pub byte_offset: u64,
    /// The version of DLPack that its maker speaks; of no meaning for a `DLManagedTensor`.
    pub version: DLPackVersion,
    /// Bits of `DLPACK_FLAG_BITMASK`; of no meaning for a `DLManagedTensor`.
    pub flags: u64,
}

impl Described {
    /// Six floats on the host that follow each other.
    pub fn six_floats() -> Self {
        Self {
            name: "six floats",
            data: host_plus(0),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            dtype: scalar(kDLFloat, 32),
            shape: vec![2, 3],
            strides: Some(vec![3, 1]),
            byte_offset: 0,
            version: DLPackVersion { major: 1, minor: 1 },
            flags: 0,
        }
    }

    /// The same on a device whose memory the host cannot read.
    fn elsewhere() -> Self {
        Self { data: nowhere(), device: DLDevice { device_type: kDLCUDA, device_id: 1 }, ..Self::six_floats() }
    }
}

/// Tensors of every kind, none of them like another.
pub fn of_every_kind() -> Vec<Described> {
    [of_every_shape(), of_every_dtype(), on_every_device(), of_every_version()].concat()
}

/// Dimensions, extents, strides and byte offsets.
fn of_every_shape() -> Vec<Described> {
    let far = Described::elsewhere;
    let like = |tensor: Described, name, shape: &[i64], strides: Option<&[i64]>| Described {
        name,
        shape: shape.to_vec(),
        strides: strides.map(<[i64]>::to_vec),
        ..tensor
    };
    let host = |name, shape: &[i64], strides: Option<&[i64]>| like(Described::six_floats(), name, shape, strides);
    let long: Vec<i64> = (0..64).map(|dimension| 1 + dimension % 32 / 31).collect();
    let nothing = std::ptr::null_mut();
    vec![
        Described::six_floats(),
        host("without dimensions", &[], None),
        Described { byte_offset: 8, ..host("without dimensions, at a byte offset", &[], Some(&[])) },
        host("without strides", &[6], None),
        host("of three dimensions, without strides", &[2, 3, 4], None),
        host("of 64 dimensions", &long, Some(&row_major(&long))),
        Described { data: nothing, ..host("empty, without data", &[2, 0, 3], Some(&[3, 3, 1])) },
        Described { data: nothing, ..host("empty, without strides", &[0, 4], None) },
        Described { data: nothing, ..host("empty, with a product beyond 64 bits", &[1 << 40, 1 << 40, 0], None) },
        Described { data: nothing, ..host("empty, with strides of no meaning", &[0, 3], Some(&[7, -7])) },
        host("transposed", &[2, 3], Some(&[1, 2])),
        host("with gaps", &[2, 3], Some(&[8, 2])),
        host("broadcast", &[4, 6], Some(&[0, 1])),
        Described { byte_offset: 20, ..host("reversed", &[6], Some(&[-1])) },
        host("with one row, whose stride has no meaning", &[1, 6], Some(&[77, 1])),
        Described { byte_offset: 64, ..host("at a byte offset", &[2, 3], Some(&[3, 1])) },
        Described { byte_offset: 5 << 32, ..like(far(), "at a byte offset beyond 32 bits", &[2, 3], Some(&[3, 1])) },
        like(far(), "with an extent beyond 32 bits", &[3 << 31, 2], Some(&[2, 1])),
        like(far(), "with an extent beyond 32 bits, without strides", &[2, 1 << 33], None),
        like(far(), "of more than 2^31 elements", &[1 << 16, 1 << 17], Some(&[1 << 17, 1])),
        like(far(), "with a stride beyond 32 bits", &[2, 3], Some(&[9 << 32, 1])),
    ]
}

/// Data types: narrower than a byte, of several lanes, complex.
pub fn of_every_dtype() -> Vec<Described> {
    let vector = |code, bits, lanes| DLDataType { code, bits, lanes };
    DTYPES
        .iter()
        .map(|&(code, bits)| scalar(code, bits))
        .chain([vector(kDLFloat4_e2m1fn, 4, 2), vector(kDLBfloat, 16, 8), vector(kDLInt, 8, 1000)])
        .map(|dtype| Described { name: "of a data type of its own", dtype, ..Described::elsewhere() })
        .collect()
}

/// Codes of DLPack, with a number of bits that each may have.
pub const DTYPES: [(u8, u8); 22] = [
    (kDLInt, 4),
    (kDLInt, 64),
    (kDLUInt, 1),
    (kDLUInt, 2),
    (kDLFloat, 16),
    (kDLFloat, 64),
    (kDLOpaqueHandle, 64),
    (kDLBfloat, 16),
    (kDLComplex, 64),
    (kDLComplex, 128),
    (kDLBool, 8),
    (kDLFloat8_e3m4, 8),
    (kDLFloat8_e4m3, 8),
    (kDLFloat8_e4m3b11fnuz, 8),
    (kDLFloat8_e4m3fn, 8),
    (kDLFloat8_e4m3fnuz, 8),
    (kDLFloat8_e5m2, 8),
    (kDLFloat8_e5m2fnuz, 8),
    (kDLFloat8_e8m0fnu, 8),
    (kDLFloat6_e2m3fn, 6),
    (kDLFloat6_e3m2fn, 6),
    (kDLFloat4_e2m1fn, 4),
];

/// Devices, with the numbers that each may have.
fn on_every_device() -> Vec<Described> {
    let numbered = ACCELERATORS.into_iter().flat_map(|device_type| [(device_type, 0), (device_type, 7)]);
    // What the type for extensions means is left to whoever uses it.
    let extensions = [(kDLExtDev, -1), (kDLExtDev, i32::MIN), (kDLExtDev, i32::MAX)];
    HOSTS
        .map(|device_type| (device_type, 0))
        .into_iter()
        .chain(numbered)
        .chain(extensions)
        .map(|(device_type, device_id)| {
            let device = DLDevice { device_type, device_id };
            let data = if HOSTS.contains(&device_type) { host_plus(0) } else { nowhere() };
            Described { name: "on a device of its own", data, device, ..Described::six_floats() }
        })
        .collect()
}

/// Versions of DLPack.
fn of_every_version() -> Vec<Described> {
    let versioned =
        |name, minor| Described { name, version: DLPackVersion { major: 1, minor }, ..Described::six_floats() };
    vec![
        Described { strides: None, ..versioned("of version 1.0, without strides", 0) },
        versioned("of version 1.2", 2),
        versioned("of version 1.3", 3),
        versioned("of a later minor version", 77),
    ]
}

/// Tensors that are marked as something, which only a versioned tensor can be.
pub fn marked() -> [Described; 3] {
    let marked = |name, flags| Described { name, flags, ..Described::six_floats() };
    [
        marked("read-only", DLPACK_FLAG_BITMASK_READ_ONLY),
        marked("a copy", DLPACK_FLAG_BITMASK_IS_COPIED),
        marked("a read-only copy", DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED),
    ]
}

/// What describes a tensor on the host whose elements follow each other there. Its extents and strides are kept for the life of the process.
pub fn without_gaps(data: *mut c_void, dtype: DLDataType, shape: &[i64]) -> DLTensor {
    DLTensor {
        data,
        device: DLDevice { device_type: kDLCPU, device_id: 0 },
        ndim: shape.len() as i32,
        dtype,
        shape: shape.to_vec().leak().as_mut_ptr(),
        strides: row_major(shape).leak().as_mut_ptr(),
        byte_offset: 0,
    }
}

/// The strides of a tensor without gaps.
pub fn row_major(shape: &[i64]) -> Vec<i64> {
    (0..shape.len()).map(|dimension| shape[dimension + 1..].iter().product()).collect()
}

/// A data type of one lane.
pub const fn scalar(code: u8, bits: u8) -> DLDataType {
    DLDataType { code, bits, lanes: 1 }
}

/// Types of devices of which there may be several, each with memory of its own.
pub const ACCELERATORS: [i32; 12] = [
    kDLCUDA, kDLOpenCL, kDLVulkan, kDLMetal, kDLVPI, kDLROCM, kDLExtDev, kDLOneAPI, kDLWebGPU, kDLHexagon, kDLMAIA,
    kDLTrn,
];

/// Types of devices whose number is always 0: the host's memory, and memory that the host shares.
pub const HOSTS: [i32; 4] = [kDLCPU, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged];

/// Memory on the host at a known alignment.
#[repr(align(256))]
struct Aligned([u8; 512]);

static HOST: Aligned = Aligned([0; 512]);

/// The address on the host that many bytes behind a multiple of 256.
pub fn host_plus(bytes: usize) -> *mut c_void {
    HOST.0.as_ptr().wrapping_add(bytes).cast_mut().cast()
}

/// An address that no host can read: not even canonical.
pub fn nowhere() -> *mut c_void {
    std::ptr::without_provenance_mut(0x7ead_0000_0000_0000)
}
