//! The modules that are embedded in a client, read as the documents lay them out.
//!
//! All numbers are 64-bit and little-endian: how many bytes follow; where in the list of imports those of each module begin,
//! and end with the beginning of the next; the imports; then of each module its kind and, unless it is the library itself, its
//! content.

use tvm_ffi_reports::audit::{Embedded, EmbeddedModule};

/// The kind that stands for the library which they are embedded in.
const LIBRARY: &[u8] = b"_lib";

/// Reads what lies at the symbol, up to where nothing of it can be any more.
pub fn read(bytes: &[u8]) -> Embedded {
    let mut embedded = Embedded::default();
    if let Err(problem) = read_to(bytes, &mut embedded) {
        embedded.problem = Some(problem);
    }
    embedded
}

fn read_to(bytes: &[u8], embedded: &mut Embedded) -> Result<(), String> {
    let mut reader = Reader(bytes);
    // What is zero in the file may be filled before it is looked at.
    let length = if bytes.is_empty() { 0 } else { reader.number("the number of bytes")? };
    embedded.bytes = Some(length);
    if length == 0 {
        return Ok(());
    }
    let there = reader.0.len();
    let blob = usize::try_from(length).ok().and_then(|length| reader.0.get(..length));
    let mut reader = Reader(blob.ok_or_else(|| format!("says that {length} bytes follow, and {there} do"))?);
    let (starts, imports) = (reader.numbers("the import tree")?, reader.numbers("the import tree")?);
    if starts.len() < 2 {
        return Err("has no module".to_owned());
    }
    let count = starts.len() as u64 - 1;
    for range in starts.windows(2) {
        let range = usize::try_from(range[0]).ok().zip(usize::try_from(range[1]).ok());
        let imports = range.and_then(|(start, end)| imports.get(start..end));
        let imports = imports.ok_or("has an import tree whose places are not in order, or beyond its end")?;
        if let Some(import) = imports.iter().find(|import| **import >= count) {
            return Err(format!("imports module {import} of {count}"));
        }
        let kind = reader.bytes("the kind of a module")?;
        let content = if kind == LIBRARY { None } else { Some(reader.bytes("the content of a module")?.len() as u64) };
        let kind = str::from_utf8(kind).map_err(|_| "has a kind of module that is not UTF-8")?.to_owned();
        embedded.modules.push(EmbeddedModule { kind, bytes: content, imports: imports.to_vec() });
    }
    Ok(())
}

/// What is left to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self, what: &str) -> Result<u64, String> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(|| format!("ends within {what}"))?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    fn bytes(&mut self, what: &str) -> Result<&'a [u8], String> {
        let count = self.number(what)?;
        let split = usize::try_from(count).ok().and_then(|count| self.0.split_at_checked(count));
        let (bytes, rest) = split.ok_or_else(|| format!("ends within {what}"))?;
        self.0 = rest;
        Ok(bytes)
    }

    fn numbers(&mut self, what: &str) -> Result<Vec<u64>, String> {
        let count = self.number(what)?;
        // No more are made than there are bytes for, whatever the count says.
        if count > (self.0.len() / size_of::<u64>()) as u64 {
            return Err(format!("ends within {what}"));
        }
        (0..count).map(|_| self.number(what)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(numbers: &[u64]) -> Vec<u8> {
        let count = numbers.len() as u64;
        std::iter::once(&count).chain(numbers).flat_map(|number| number.to_le_bytes()).collect()
    }

    fn text(text: &[u8]) -> Vec<u8> {
        [&(text.len() as u64).to_le_bytes()[..], text].concat()
    }

    fn blob(parts: &[Vec<u8>]) -> Vec<u8> {
        text(&parts.concat())
    }

    fn problem(parts: &[Vec<u8>]) -> String {
        read(&blob(parts)).problem.unwrap_or_default()
    }

    #[test]
    fn a_tree_is_read() {
        let parts = [numbers(&[0, 1, 1]), numbers(&[1]), text(b"_lib"), text(b"cuda"), text(b"code")];
        let module =
            |kind: &str, bytes, imports: &[u64]| EmbeddedModule { kind: kind.into(), bytes, imports: imports.into() };
        let embedded = read(&[blob(&parts), b"what comes next".to_vec()].concat());
        assert_eq!(embedded.problem, None);
        assert_eq!(embedded.modules, [module("_lib", None, &[1]), module("cuda", Some(4), &[])]);
        let whole = blob(&parts);
        for end in 1..whole.len() {
            assert!(read(&whole[..end]).problem.is_some(), "cut off after {end} bytes");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(problem(&[numbers(&[]), numbers(&[])]), "has no module");
        assert_eq!((read(&[]).problem, read(&[0; 64]).problem), (None, None), "it may be filled later");
        assert_eq!(problem(&[numbers(&[0, 1]), numbers(&[7]), text(b"_lib")]), "imports module 7 of 1");
        assert!(problem(&[numbers(&[1, 0]), numbers(&[]), text(b"_lib")]).contains("not in order"));
        assert_eq!(problem(&[numbers(&[0, 0]), numbers(&[]), text(b"cuda")]), "ends within the content of a module");
        assert_eq!(read(&[9, 0, 0, 0, 0, 0, 0, 0, 1]).problem.unwrap(), "says that 9 bytes follow, and 1 do");
        assert_eq!(problem(&[u64::MAX.to_le_bytes().to_vec()]), "ends within the import tree");
    }

    proptest! {
        #[test]
        fn any_blob_is_read_or_refused(bytes in prop::collection::vec(0_u8..4, 0..80)) {
            read(&blob(&[bytes]));
        }
    }
}
