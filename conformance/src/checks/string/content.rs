//! The content: any bytes of any number.

use proptest::collection::vec;
use tvm_ffi_spec::{clause::id, kTVMFFIStr};

use super::kit::*;
use crate::{
    checks::check,
    client::{Verdict, samples::edges},
    trial::Trial,
};

/// A String or Bytes of each length from 1 to 300 bytes, of those at which a larger buffer is just full, and of larger ones, keeps its content.
#[check(STR_0008)]
fn content_of_every_length(t: &Trial) -> Verdict {
    for kind in KINDS {
        let full = edges().filter(|len| *len > 300);
        for len in (1..=300).chain(full).chain([4095, 4096, 4097, 65_535, 65_536, 65_537]) {
            let text = graffiti(len);
            expect_content(t, &kind.make(t, &text)?, &text)?;
        }
    }
    Ok(())
}

/// A String or Bytes of bytes that begin at any address keeps them all.
#[check(STR_0008)]
fn content_from_any_address(t: &Trial) -> Verdict {
    let text = graffiti(5000);
    for kind in KINDS {
        for offset in 0..16 {
            for len in (1..=80).chain([127, 128, 129, 255, 256, 257, 1023, 1025, 4095, 4097]) {
                let text = &text[offset..offset + len];
                expect_content(t, &kind.make(t, text)?, text)?;
            }
        }
    }
    Ok(())
}

/// A String or Bytes of random bytes other than NUL keeps its content.
#[check(STR_0008)]
fn content_at_random(t: &Trial) -> Verdict {
    t.property(vec(1..=u8::MAX, 1..500), |text| {
        KINDS.iter().try_for_each(|kind| expect_content(t, &kind.make(t, text)?, text))
    })
}

/// A String or Bytes of a mebibyte keeps its content and its length, and a NUL follows it.
#[check(STR_0008, STR_0006, STR_0007, STR_0028)]
fn content_of_a_mebibyte(t: &Trial) -> Verdict {
    let text = graffiti(1 << 20);
    for kind in KINDS {
        let value = kind.make(t, &text)?;
        t.clause(id::STR_0008);
        expect_content(t, &value, &text)?;
        t.clause(id::STR_0006);
        t.eq("size", heap_cell(t, &value)?.size, text.len())?;
        t.clause(if kind.object == kTVMFFIStr { id::STR_0007 } else { id::STR_0028 });
        expect_nul(t, &value, text.len())?;
    }
    Ok(())
}

/// A NUL byte is content and ends neither a String nor Bytes.
#[check(STR_0009)]
fn embedded_nul(t: &Trial) -> Verdict {
    let texts: [&[u8]; 8] =
        [b"\0", b"\0\0\0", b"a\0b", b"\0seven_", b"seven_\0", b"\0 and more", b"more and \0", b"one\0two\0\0three\0"];
    for kind in KINDS {
        for text in texts {
            expect_text(t, &kind.make(t, text)?, text)?;
        }
        // At each place, also the last, of texts on both sides of where the form or the room for them changes.
        for (len, place) in (1..=20).flat_map(|len| (0..len).map(move |place| (len, place))) {
            let text: Vec<_> = (0..len).map(|at| if at == place { 0 } else { b'a' + at as u8 }).collect();
            expect_text(t, &kind.make(t, &text)?, &text)?;
        }
    }
    Ok(())
}

/// A String or Bytes of many NUL bytes at random places keeps its content and its length.
#[check(STR_0009)]
fn embedded_nul_at_random(t: &Trial) -> Verdict {
    t.property(vec(0..=1_u8, 1..64), |text| {
        KINDS.iter().try_for_each(|kind| expect_text(t, &kind.make(t, text)?, text))
    })
}

/// A String or Bytes keeps each byte value from 1 to 255.
#[check(STR_0010)]
fn any_byte(t: &Trial) -> Verdict {
    // NUL has checks of its own.
    for kind in KINDS {
        for byte in 1..=u8::MAX {
            let text = [b'<', byte, b'>'];
            expect_content(t, &kind.make(t, &text)?, &text)?;
        }
        let all = graffiti(255);
        expect_content(t, &kind.make(t, &all)?, &all)?;
    }
    Ok(())
}

/// A String or Bytes keeps content that is not UTF-8 as it is.
#[check(STR_0010)]
fn not_utf_8(t: &Trial) -> Verdict {
    let texts: [&[u8]; 6] = [
        b"caf\xe9",
        b"\xc3",
        b"\xff\xfe\xfd",
        b"\xed\xa0\x80 a lone surrogate",
        b"\xc0\xaf an overlong slash",
        b"cut in the middle \xe2\x82",
    ];
    for kind in KINDS {
        for text in texts {
            expect_text(t, &kind.make(t, text)?, text)?;
        }
    }
    Ok(())
}
