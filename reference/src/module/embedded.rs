//! Modules that are embedded in a library: a blob with the tree of modules and the serialized content of each.
//!
//! All numbers are 64-bit and little-endian. The blob begins with the number of bytes that follow. Then come two lists
//! of numbers (each a count and so many numbers) that say which modules import which: module `i` imports those that the
//! second list names from the `i`-th number of the first list up to the next. Then comes, for each module, its kind and,
//! unless the kind says that the library itself is meant, its content (each a count and so many bytes).

use crate::border::error::{Error, Result};

/// The kind that stands for the library which the blob is embedded in.
const LIBRARY: &[u8] = b"_lib";

/// One module of the tree.
#[derive(Debug, PartialEq)]
pub struct Node<'a> {
    /// What it is made of.
    pub content: Content<'a>,
    /// The modules that it imports.
    pub imports: Vec<usize>,
}

/// What a module is made of.
#[derive(Debug, PartialEq)]
pub enum Content<'a> {
    /// The library's own functions.
    Library,
    /// The bytes that a module of some kind was serialized to.
    Serialized {
        /// The kind, which names the loader.
        kind: &'a str,
        /// The bytes.
        bytes: &'a [u8],
    },
}

/// How many bytes the leading count has.
pub const COUNT: usize = size_of::<u64>();

/// How many bytes of blob follow their count.
pub fn length(count: [u8; COUNT]) -> Result<usize> {
    usize::try_from(u64::from_le_bytes(count)).ok().filter(|&bytes| bytes <= isize::MAX as usize).ok_or_else(malformed)
}

/// Reads a blob, without its leading count. The first module is the root of the tree.
///
/// # Errors
/// `InternalError` for a malformed blob.
pub fn parse(blob: &[u8]) -> Result<Vec<Node<'_>>> {
    let mut reader = Reader(blob);
    let (starts, children) = (reader.numbers()?, reader.numbers()?);
    // Fewer than two starts are no module, hence no root.
    let count = starts.len().checked_sub(1).filter(|&count| count > 0).ok_or_else(malformed)?;
    let imports = starts.windows(2).map(|range| {
        let imports = children.get(range[0]..range[1]).ok_or_else(malformed)?;
        if imports.iter().all(|&child| child < count) { Ok(imports.to_vec()) } else { Err(malformed()) }
    });
    imports.map(|imports| Ok(Node { imports: imports?, content: reader.content()? })).collect()
}

/// All modules of a tree, each before those that it imports; `None` if modules come to import themselves.
pub fn importers_first(tree: &[Node<'_>]) -> Option<Vec<usize>> {
    let mut importers_left = vec![0_usize; tree.len()];
    tree.iter().flat_map(|node| &node.imports).for_each(|&import| importers_left[import] += 1);
    let mut order: Vec<_> = (0..tree.len()).filter(|&at| importers_left[at] == 0).collect();
    let mut done = 0;
    while let Some(&at) = order.get(done) {
        done += 1;
        for &import in &tree[at].imports {
            importers_left[import] -= 1;
            if importers_left[import] == 0 {
                order.push(import);
            }
        }
    }
    (done == tree.len()).then_some(order)
}

/// What is left to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Result<usize> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(malformed)?;
        self.0 = rest;
        usize::try_from(u64::from_le_bytes(*number)).map_err(|_| malformed())
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let count = self.number()?;
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn numbers(&mut self) -> Result<Vec<usize>> {
        let count = self.number()?;
        // No more are made than the blob can hold, whatever the count says.
        if count > self.0.len() / size_of::<u64>() {
            return Err(malformed());
        }
        (0..count).map(|_| self.number()).collect()
    }

    fn content(&mut self) -> Result<Content<'a>> {
        match self.bytes()? {
            LIBRARY => Ok(Content::Library),
            kind => {
                let kind = str::from_utf8(kind).map_err(|_| malformed())?;
                Ok(Content::Serialized { kind, bytes: self.bytes()? })
            }
        }
    }
}

/// The error of a blob that is not as it should be.
#[cold]
pub fn malformed() -> Error {
    Error::new("InternalError", "The modules embedded in the library are malformed")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn numbers(numbers: &[u64]) -> Vec<u8> {
        let count = numbers.len() as u64;
        std::iter::once(&count).chain(numbers).flat_map(|number| number.to_le_bytes()).collect()
    }

    fn bytes(bytes: &[u8]) -> Vec<u8> {
        [&(bytes.len() as u64).to_le_bytes()[..], bytes].concat()
    }

    #[test]
    fn a_tree_is_read() {
        let blob = [
            numbers(&[0, 2, 2, 2]),
            numbers(&[1, 2]),
            bytes(b"_lib"),
            bytes(b"cuda"),
            bytes(b"code"),
            bytes(b"empty"),
            bytes(b""),
        ]
        .concat();
        let serialized = |kind, bytes| Node { content: Content::Serialized { kind, bytes }, imports: vec![] };
        let expected = vec![
            Node { content: Content::Library, imports: vec![1, 2] },
            serialized("cuda", b"code"),
            serialized("empty", b""),
        ];
        assert_eq!(parse(&blob).unwrap(), expected);
        for end in 0..blob.len() {
            assert!(parse(&blob[..end]).is_err(), "cut off after {end} bytes");
        }
    }

    #[rstest]
    #[case::no_starts(numbers(&[]), numbers(&[]))]
    #[case::no_modules(numbers(&[0]), numbers(&[]))]
    #[case::no_such_child(numbers(&[0, 1]), numbers(&[1]))]
    #[case::starts_go_back(numbers(&[1, 0]), numbers(&[0]))]
    #[case::starts_past_the_end(numbers(&[0, 2]), numbers(&[0]))]
    #[case::huge_count(u64::MAX.to_le_bytes().to_vec(), numbers(&[]))]
    fn a_malformed_tree_is_refused(#[case] starts: Vec<u8>, #[case] children: Vec<u8>) {
        assert!(parse(&[starts, children, bytes(b"_lib")].concat()).is_err());
    }

    #[test]
    fn importers_come_first() {
        let tree = |imports: &[&[usize]]| -> Vec<_> {
            imports.iter().map(|imports| Node { content: Content::Library, imports: imports.to_vec() }).collect()
        };
        assert_eq!(importers_first(&tree(&[&[2, 1], &[], &[1, 1]])), Some(vec![0, 2, 1]));
        assert_eq!(importers_first(&tree(&[&[1], &[2], &[1]])), None);
        assert_eq!(importers_first(&tree(&[&[0]])), None);
    }

    proptest! {
        #[test]
        fn any_blob_is_read_or_refused(blob in prop::collection::vec(0_u8..4, 0..80)) {
            let _ = parse(&blob);
        }
    }
}
