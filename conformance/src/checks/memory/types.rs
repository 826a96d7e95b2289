//! The functions that extend the type table.

use std::ffi::c_int;

use tvm_ffi_spec::*;

use super::kit::{Call, LONG, PASSING, Shortage, counts_stay};
use crate::{
    checks::check,
    client::{Verdict, reflected, types, view},
    trial::Trial,
};

/// A field, a method, metadata or an attribute of a type is there or not as the function that registers it says, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn extends_types(t: &Trial) -> Verdict {
    registrations(t, PASSING)
}

/// A name of a field or a method.
const NAME: &[u8] = b"a name that is longer than a few bytes";
/// What a type may have one more of.
const PARTS: [&str; 4] =
    ["TVMFFITypeRegisterField", "TVMFFITypeRegisterMethod", "TVMFFITypeRegisterMetadata", "TVMFFITypeRegisterAttr"];

/// One more of each, on a type of its own each time.
pub(super) fn registrations(t: &Trial, shortage: Shortage) -> Verdict {
    let method = t.global("ffi.Array")?;
    let number = std::cell::Cell::new(0);
    let (name, long) = (TVMFFIByteArray::new(NAME), TVMFFIByteArray::new(LONG.to_bytes()));
    // One of its own each time.
    let column = |index: i32| format!("verify.short.{index}");
    for part in PARTS.into_iter().filter(|part| t.api.has(part)) {
        let register = |index: i32| -> c_int {
            match part {
                "TVMFFITypeRegisterField" => {
                    let info = TVMFFIFieldInfo {
                        doc: long,
                        metadata: long,
                        flags: kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitSetterIsFunctionObj,
                        setter: method.handle(),
                        default_value_or_factory: view::c_str(LONG),
                        ..types::field(NAME, kTVMFFIInt, 8, 24)
                    };
                    t.api.TVMFFITypeRegisterField(index, &info)
                }
                "TVMFFITypeRegisterMethod" => {
                    let info = types::method_info(name, method.any());
                    t.api.TVMFFITypeRegisterMethod(index, &TVMFFIMethodInfo { doc: long, metadata: long, ..info })
                }
                "TVMFFITypeRegisterMetadata" => {
                    t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { doc: long, ..types::metadata(32) })
                }
                _ => {
                    let column = column(index);
                    let column = TVMFFIByteArray::new(column.as_bytes());
                    t.api.TVMFFITypeRegisterAttr(index, &column, &view::c_str(LONG))
                }
            }
        };
        let has = |index: i32| -> Verdict<bool> {
            let info = reflected::info(t, index)?;
            Ok(match part {
                "TVMFFITypeRegisterField" => info.num_fields == 1,
                "TVMFFITypeRegisterMethod" => info.num_methods == 1,
                "TVMFFITypeRegisterMetadata" => !info.metadata.is_null(),
                _ => {
                    let column = reflected::column(t, &column(index));
                    !column.is_null() && reflected::entry(t, column, index)?.type_index == kTVMFFIStr
                }
            })
        };
        Call {
            name: part,
            prepare: &|| {
                number.set(number.get() + 1);
                Ok((types::new(t, &format!("verify.Short{}", number.get())), t.counts(method.handle())?))
            },
            run: &|(index, _), _| register(*index),
            look: &|(index, counts), done| {
                t.eq(format_args!("whether {part} has registered it"), has(*index)?, done.is_some())?;
                match done {
                    Some(_) => Ok(()),
                    None => counts_stay(t, shortage, "the function that it was given", &method, *counts),
                }
            },
            is_left: &|_| false,
            raises: true,
            lasts: true,
        }
        .meets(t, shortage)?;
    }
    Ok(())
}
