//! Archives of object files, as `ar` makes them.

use object::read::archive::ArchiveFile;

/// Whether a file is an archive, by how it begins.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n")
}

/// The object files in an archive; what else is in it is left out.
///
/// # Errors
/// Why there are none to read, in words that follow its name.
pub fn objects(bytes: &[u8]) -> Result<Vec<&[u8]>, String> {
    let broken = |error: object::Error| format!("is not a well-formed archive ({error})");
    let archive = ArchiveFile::parse(bytes).map_err(broken)?;
    if archive.is_thin() {
        return Err("is a thin archive: its object files are elsewhere".to_owned());
    }
    let mut objects = Vec::new();
    for member in archive.members() {
        let data = member.and_then(|member| member.data(bytes)).map_err(broken)?;
        if data.starts_with(b"\x7fELF") {
            objects.push(data);
        }
    }
    if objects.is_empty() { Err("is an archive without an ELF object file".to_owned()) } else { Ok(objects) }
}
