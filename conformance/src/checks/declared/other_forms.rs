//! Setters of ffi.MakeFieldSetter whose converters make values of another kind than the field holds, which stand for one of its own.

use tvm_ffi_spec::*;

use super::frontend_class::setter;
use crate::{
    checks::check,
    client::{Verdict, view},
    trial::Trial,
};

/// A setter of ffi.MakeFieldSetter whose converter makes a text for a data type or a device, None for a pointer, or a number of another kind, refuses it
/// and leaves the field as it was, or stores what it stands for and nothing beside it; a text that names nothing is refused.
#[check(DCL_0021)]
fn values_of_other_kinds(t: &Trial) -> Verdict {
    let texts = [c"int8", c"uint32", c"float16x4", c"cpu", c"cuda:1", c"vulkan:12", c"rocm:3", c"nothing of that name"];
    let owned = texts.map(|text| t.string(text.to_bytes()));
    let mut forms = Vec::new();
    for (text, owned) in texts.iter().zip(&owned) {
        let owned = owned.as_ref().map_err(Clone::clone)?;
        forms.push([view::c_str(text), owned.any()]);
    }
    let device = |device_type: i32, id: u64| id << 32 | device_type as u64;
    let named = [
        (kTVMFFIDataType, 0, Some(0x0001_0800)),
        (kTVMFFIDataType, 1, Some(0x0001_2001)),
        (kTVMFFIDataType, 2, Some(0x0004_1002)),
        (kTVMFFIDevice, 3, Some(device(kDLCPU, 0))),
        (kTVMFFIDevice, 4, Some(device(kDLCUDA, 1))),
        (kTVMFFIDevice, 5, Some(device(kDLVulkan, 12))),
        (kTVMFFIDevice, 6, Some(device(kDLROCM, 3))),
        (kTVMFFIDataType, 7, None),
        (kTVMFFIDevice, 7, None),
    ];
    let numbers = [
        (kTVMFFIOpaquePtr, TVMFFIAny::NONE, Some(0)),
        (kTVMFFIFloat, view::int(-3), Some((-3.0_f64).to_bits())),
        (kTVMFFIFloat, view::bool(true), Some(1.0_f64.to_bits())),
        (kTVMFFIInt, view::bool(true), Some(1)),
        (kTVMFFIBool, view::int(0), Some(0)),
        (kTVMFFIBool, view::int(1), Some(1)),
        (kTVMFFIBool, view::int(256), Some(1)),
    ];
    let named = named.into_iter().flat_map(|(index, text, meant)| forms[text].map(|value| (index, value, meant)));
    for (index, value, meant) in named.chain(numbers) {
        // What is behind the field is another field's.
        let bits = match index {
            kTVMFFIBool => 0xFF,
            kTVMFFIDataType => 0xFFFF_FFFF,
            _ => u64::MAX,
        };
        // As a field it holds true or a number.
        let before = 0xAAAA_AAAA_AAAA_AA01_u64;
        let mut place = before;
        let answer = t.answer_of(setter(t, index)?.handle(), &[view::pointer((&raw mut place).cast()), value])?;
        let what = format!("a field of type index {index} that was set to {value:?}");
        match (answer, meant) {
            (Ok(_), Some(meant)) => t.eq(what, place, before & !bits | meant)?,
            (Ok(_), None) => return Err(t.failure(what, "an error", "success")),
            (Err(_), _) => t.eq(what, place, before)?,
        }
    }
    Ok(())
}
