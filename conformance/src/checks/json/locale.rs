//! Numbers where the program has chosen how people of some country write them.

use std::{env, fs, slice::from_ref};

use tempfile::TempDir;
use tvm_ffi_spec::*;

use super::kit::{comes_back, held, parse, places, reads, stringify};
use crate::{
    checks::check,
    client::{Verdict, changes, globals, model::Value},
    trial::Trial,
};

const LOCPATH: &str = "LOCPATH";

/// JSON numbers are read and written with a point where the program has chosen a decimal comma, too.
#[check(JSN_0003, JSN_0020, JSN_0021, GRF_0027)]
fn numbers_beside_a_decimal_comma(t: &Trial) -> Verdict {
    let _comma = DecimalComma::new(t)?;
    t.clause("JSN-0003");
    for text in ["1.5", "-0.25", "123456.789", "2.5e-3", "1.0"] {
        let number = Value::float(text.parse().unwrap_or_default());
        reads(
            t,
            &[(text, number.clone()), (&format!("[{text}, {text}]"), Value::Array(vec![number.clone(), number]))],
        )?;
    }
    t.clause("JSN-0020");
    for number in [0, 1_234_567, -1_234_567_890, i64::MAX] {
        let written = stringify(t, &Value::Int(number).build(t)?, None)?;
        t.eq("how an integer is written", written, number.to_string())?;
    }
    t.clause("JSN-0021");
    let floats = [1.5, -0.25, 123_456.789, 2.5e-3, 1e300, 4.0, 1e15];
    for value in floats.map(Value::float) {
        places(t)?.iter().try_for_each(|place| comes_back(t, &held(place, &value), None))?;
    }
    t.clause("GRF-0027");
    if let (Some(to), Some(from)) = (globals::find(t, "ffi.ToJSONGraph")?, globals::find(t, "ffi.FromJSONGraph")?) {
        for value in floats.map(Value::float) {
            let graph = t.call(&to, &[value.build(t)?.any(), TVMFFIAny::NONE])?;
            let text = stringify(t, &graph, None)?;
            let back = t.call(&from, from_ref(&parse(t, &text)?.any()))?;
            t.eq(format_args!("what comes of {text}"), Value::read(t, &back.any())?, value)?;
        }
    }
    Ok(())
}

/// The C library writes a comma into numbers, and expects one there, as long as this is there.
struct DecimalComma {
    _folder: TempDir,
}

impl DecimalComma {
    const NAME: &str = "comma";

    fn new(t: &Trial) -> Verdict<Self> {
        let problem = |error| t.error("a locale with a decimal comma", error);
        let folder = tempfile::tempdir().map_err(problem)?;
        fs::create_dir(folder.path().join(Self::NAME)).map_err(problem)?;
        fs::write(folder.path().join(Self::NAME).join("LC_NUMERIC"), Self::file()).map_err(problem)?;
        changes::note();
        // SAFETY: no other thread of this process runs now.
        unsafe { env::set_var(LOCPATH, folder.path()) };
        // SAFETY: as above; the name is a C string.
        let chosen = unsafe { libc::setlocale(libc::LC_NUMERIC, c"comma".as_ptr()) };
        if chosen.is_null() {
            return Err(t.error("a locale with a decimal comma", "the C library does not take it"));
        }
        Ok(Self { _folder: folder })
    }

    /// What the GNU C library keeps of a locale's numbers: a mark, how many items there are, where each begins, and the items.
    fn file() -> Vec<u8> {
        const MARK: u32 = 0x2003_1115 ^ libc::LC_NUMERIC as u32;
        let [comma, point] = [",", "."].map(|text| u32::from(text.as_bytes()[0]).to_ne_bytes());
        // In this order: the decimal mark, what parts thousands, how many digits stand together, the first two as wide characters, which
        // lie at multiples of four, and how characters are encoded.
        let items: [&[u8]; 6] = [b",\0", b".\0", b"\x03\0\0\0", &comma, &point, b"UTF-8\0"];
        let head = 4 * (2 + items.len());
        let begins = items.iter().scan(head, |end, item| {
            let begin = *end;
            *end += item.len();
            Some(begin as u32)
        });
        let numbers = [MARK, items.len() as u32].into_iter().chain(begins).flat_map(u32::to_ne_bytes);
        numbers.chain(items.concat()).collect()
    }
}

impl Drop for DecimalComma {
    fn drop(&mut self) {
        // SAFETY: see `new`.
        unsafe {
            libc::setlocale(libc::LC_NUMERIC, c"C".as_ptr());
            env::remove_var(LOCPATH);
        }
    }
}
