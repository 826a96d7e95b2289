//! Small tensors on the CPU.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, tensors::without_gaps, verdict::Verdict};

/// The data type `float32`.
pub const FLOAT32: DLDataType = DLDataType { code: kDLFloat, bits: 32, lanes: 1 };
/// The data type `int32`.
pub const INT32: DLDataType = DLDataType { code: kDLInt, bits: 32, lanes: 1 };

impl Client {
    /// A tensor of four elements of four bytes. What it lies in is kept for the life of the process.
    pub fn tensor_of_four(&self, dtype: DLDataType, shape: &[i64], content: [i32; 4]) -> Verdict<Owned> {
        // The strides are given, so that a target's mistake about missing ones is left to the checks on tensors.
        let dl_tensor = without_gaps(Box::leak(Box::new(content)).as_mut_ptr().cast(), dtype, shape);
        let managed = DLManagedTensor { dl_tensor, manager_ctx: std::ptr::null_mut(), deleter: None };
        let mut tensor = std::ptr::null_mut();
        self.ok(self.api.TVMFFITensorFromDLPack(Box::leak(Box::new(managed)), 0, 0, &mut tensor))?;
        self.own_object("the tensor", tensor)
    }
}
