//! Integers of any size: the reference keeps their value, and does with them what the release does.

// The constants of the ABI keep their C names.
#![allow(non_upper_case_globals)]

use tvm_ffi_fuzz::{made, program::seen::Seen, target};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    client::{Answer, Client, Owned, Verdict},
    side_by_side,
};

/// An integer of these bytes, in two's complement and little-endian.
fn integer(client: &Client, bytes: &[u8]) -> Verdict<Answer> {
    let mut out = TVMFFIAny::NONE;
    match client.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(bytes), &mut out) {
        0 => Ok(Ok(client.own(out))),
        code => Ok(Err(client.raises(code, &[])?)),
    }
}

/// The bytes of an integer that the library made.
fn bytes_of(client: &Client, value: &Owned) -> Vec<u8> {
    match value.any().type_index {
        kTVMFFIInt => value.any().payload().to_le_bytes().to_vec(),
        _ => {
            let content = client.api.TVMFFIBigIntGetContentByteArray(&value.any());
            client.read_array("the content", content).expect("the content of a BigInt can be read")
        }
    }
}

/// The same number in as few bytes as will do.
fn shortest(bytes: &[u8]) -> &[u8] {
    let redundant = |pair: &[u8]| pair == [pair[0], 0] && pair[0] < 0x80 || pair == [pair[0], 0xFF] && pair[0] >= 0x80;
    let mut end = bytes.len();
    while end > 1 && redundant(&bytes[end - 2..end]) {
        end -= 1;
    }
    if bytes[..end] == [0] { &[] } else { &bytes[..end] }
}

#[test]
fn bigint_keeps_its_value() {
    let reference = side_by_side::reference();
    target!().for_each(|bytes: &[u8]| {
        let Ok(value) = made(integer(&reference, bytes)) else { return };
        let content = bytes_of(&reference, &value);
        assert_eq!(shortest(&content), shortest(bytes));
        assert_eq!(value.any().type_index == kTVMFFIInt, shortest(bytes).len() <= 8);
        let again = made(integer(&reference, &content)).expect("what the library answers makes an integer");
        assert_eq!(bytes_of(&reference, &again), content);
    });
}

/// What a library makes of two integers: their printed forms, their hashes, and how they compare.
fn all_of(client: &Client, pair: [&[u8]; 2]) -> Result<Vec<String>, String> {
    let [lhs, rhs] = pair.map(|bytes| made(integer(client, bytes)));
    let (lhs, rhs) = (lhs?, rhs?);
    let both = [lhs.any(), rhs.any()];
    let mut told = vec![Seen::new(client).text(&both[0]), Seen::new(client).text(&both[1])];
    let mut ask = |name: &str, args: &[TVMFFIAny]| {
        told.push(match made(client.answer(name, args)) {
            Ok(answer) => format!("{name}: {}", Seen::new(client).text(&answer.any())),
            Err(kind) => format!("{name}: {kind}"),
        });
    };
    ask("ffi.ReprPrint", &both[..1]);
    ask("ffi.RecursiveHash", &both[..1]);
    for name in ["ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"] {
        ask(name, &both);
    }
    ask("ffi.StructuralEqual", &[both[0], both[1], TVMFFIAny::new(kTVMFFIBool, 0), TVMFFIAny::new(kTVMFFIBool, 0)]);
    ask("ffi.ToJSONGraphString", &[both[0], TVMFFIAny::NONE]);
    Ok(told)
}

#[test]
fn bigint_does_what_the_release_does() {
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    target!().with_type::<(Vec<u8>, Vec<u8>)>().for_each(|(lhs, rhs)| {
        let pair = [lhs.as_slice(), rhs.as_slice()];
        assert_eq!(all_of(&reference, pair), all_of(&release, pair));
    });
}
