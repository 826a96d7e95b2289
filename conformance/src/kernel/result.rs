//! What a call has put into its result.

use tvm_ffi_reports::kernel::rules;
use tvm_ffi_spec::*;

use super::{
    errand::Broken,
    given::{DType, Given},
    laid::Laid,
};
use crate::client::{Client, memory, shown};

/// Looks at a result before it is released. Answers whether it can be.
pub fn look(result: &TVMFFIAny, laid: &Laid, broken: &mut Vec<Broken>) -> bool {
    let index = result.type_index;
    let mut broke = |rule, message: String| broken.push(Broken::of(rule, message));
    // What the library makes of a DLTensor* among the arguments is that: the caller has it still.
    let is_tensor_of_others =
        index == kTVMFFIDLTensorPtr && result.payload() != 0 && !laid.has_tensor(result.payload());
    if is_tensor_of_others || [kTVMFFIRawStr, kTVMFFIByteArrayPtr, kTVMFFIObjectRValueRef].contains(&index) {
        broke(&rules::RESULT_BORROWED, format!("the result is of type {index}, {}", shown::at_a_glance(result)));
        return false;
    }
    let padding = result.aux_word();
    let is_small = index == kTVMFFISmallStr || index == kTVMFFISmallBytes;
    if is_small && padding > 7 || !is_small && padding != 0 {
        broke(&rules::RESULT_PADDING, format!("the second word of the result, of type {index}, is {padding:#x}"));
    } else if is_small && result.payload().to_le_bytes()[padding as usize..].iter().any(|&byte| byte != 0) {
        let kind = if index == kTVMFFISmallStr { "string" } else { "bytes" };
        broke(
            &rules::RESULT_PADDING,
            format!("the result is a small {kind} of length {padding}, and what follows is not zero"),
        );
    }
    if index < kTVMFFIStaticObjectBegin {
        if !(kTVMFFINone..=kTVMFFISmallBytes).contains(&index) {
            broke(&rules::RESULT_OBJECT, format!("the result is of type {index}, which no value is of"));
        }
        return false;
    }
    let handle = result.payload() as TVMFFIObjectHandle;
    let Some(header) = memory::read(handle.cast_const().cast::<TVMFFIObject>()) else {
        broke(
            &rules::RESULT_OBJECT,
            format!("the result is an object of type {index} at {handle:p}, which cannot be read"),
        );
        return false;
    };
    let strong = header.combined_ref_count as u32;
    if header.type_index != index {
        let message =
            format!("the result is of type {index}, and the object says that it is of type {}", header.type_index);
        broke(&rules::RESULT_OBJECT, message);
        return false;
    }
    if strong == 0 {
        broke(
            &rules::RESULT_OBJECT,
            format!("the result is an object of type {index} to which nobody has a reference"),
        );
        return false;
    }
    if let Some(before) = laid.count_of(handle).filter(|before| strong <= *before) {
        let message = format!("the result is an argument, which had {before} references and has {strong}");
        broke(&rules::RESULT_REFERENCE, message);
        return false;
    }
    true
}

/// A result as plain data, if it is such and not long.
pub fn plain(client: &Client, result: &TVMFFIAny) -> Option<Given> {
    const LONGEST: usize = 64 << 10;
    let payload = result.payload();
    let text = || client.text(result).ok().filter(|text| text.len() <= LONGEST);
    Some(match result.type_index {
        kTVMFFINone => Given::None,
        kTVMFFIInt => Given::Int(payload as i64),
        kTVMFFIBool => Given::Bool(payload != 0),
        kTVMFFIFloat => Given::Float(f64::from_bits(payload)),
        kTVMFFIDataType => {
            let dtype = DType { code: payload as u8, bits: (payload >> 8) as u8, lanes: (payload >> 16) as u16 };
            Given::DataType(dtype)
        }
        kTVMFFIDevice => Given::Device(payload as i32, (payload >> 32) as i32),
        kTVMFFISmallStr | kTVMFFIStr => Given::Text(String::from_utf8_lossy(&text()?).into_owned()),
        kTVMFFISmallBytes | kTVMFFIBytes => Given::Bytes(text()?),
        _ => return None,
    })
}
