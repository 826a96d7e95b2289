//! `abi.toml` against C compilers: a file of static assertions for one release says every size, alignment, offset,
//! type, value and signature, and what the release does not have yet. It is compiled, and nothing more, against our
//! headers as the newest release and against the headers of public releases.

mod assertion;

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use assertion::{Assertions, Mode, OURS, compile};
use rstest::rstest;
use tempfile::TempDir;
use tvm_ffi_fixtures::{HEADERS, fail, include_dir, peers};
use tvm_ffi_spec::abi::{Abi, Constant, Enum, Field, Former, Function, Struct, abi};

/// The accessors that the header gives to C++ beyond the ABI's functions.
const ACCESSORS: &[(&str, &str)] = &[
    ("TVMFFIObjectGetTypeIndex", "int32_t (*)(TVMFFIObjectHandle)"),
    ("TVMFFISmallBytesGetContentByteArray", "TVMFFIByteArray (*)(const TVMFFIAny*)"),
    ("TVMFFIBytesGetByteArrayPtr", "TVMFFIByteArray* (*)(TVMFFIObjectHandle)"),
    ("TVMFFIErrorGetCellPtr", "TVMFFIErrorCell* (*)(TVMFFIObjectHandle)"),
    ("TVMFFIFunctionGetCellPtr", "TVMFFIFunctionCell* (*)(TVMFFIObjectHandle)"),
    ("TVMFFIOpaqueObjectGetCellPtr", "TVMFFIOpaqueObjectCell* (*)(TVMFFIObjectHandle)"),
    ("TVMFFIShapeGetCellPtr", "TVMFFIShapeCell* (*)(TVMFFIObjectHandle)"),
    ("TVMFFITensorGetDLTensorPtr", "DLTensor* (*)(TVMFFIObjectHandle)"),
    ("TVMFFIDLDeviceFromIntPair", "DLDevice (*)(int32_t, int32_t)"),
];

/// Writes the assertions for one release in one mode.
struct OfRelease<'a> {
    abi: &'a Abi,
    release: &'a str,
    file: Assertions,
}

impl OfRelease<'_> {
    fn of(abi: &Abi, release: &str, mode: Mode) -> String {
        let includes: String = HEADERS.iter().map(|(path, _)| format!("#include <{path}>\n")).collect();
        let mut all = OfRelease { abi, release, file: Assertions::new(mode, &includes) };
        all.version();
        abi.enums.iter().for_each(|group| all.group(group));
        for typedef in &abi.typedefs {
            if all.exists(&typedef.name, &typedef.since) {
                all.file.expression_type(&typedef.name, &format!("({})0", typedef.name), &typedef.ty);
            }
        }
        abi.structs.iter().for_each(|described| all.record(described));
        abi.functions.iter().for_each(|function| all.function(function));
        if mode == Mode::Cpp17 {
            ACCESSORS.iter().for_each(|(name, ty)| all.file.expression_type(name, &format!("&{name}"), ty));
        }
        all.file.text
    }

    /// Whether the release has what appeared in `since`. If not, asserts that the header does not declare it.
    fn exists(&mut self, name: &str, since: &str) -> bool {
        let exists = self.abi.at_least(self.release, since);
        if !exists {
            self.file.absent(name);
        }
        exists
    }

    fn former<'f>(&self, formerly: &'f [Former]) -> Option<&'f Former> {
        self.abi.former(formerly, self.release)
    }

    fn version(&mut self) {
        let place = self.abi.release(self.release).expect("the release is listed");
        let claims = &self.abi.releases[place].claims;
        for (macro_name, number) in ["MAJOR", "MINOR", "PATCH"].iter().zip(claims.split('.')) {
            let number: i64 = number.parse().expect("a version is made of numbers");
            self.file.equal(&format!("version {macro_name}"), &format!("TVM_FFI_VERSION_{macro_name}"), number);
        }
    }

    fn group(&mut self, group: &Enum) {
        for constant in &group.constants {
            self.constant(constant);
        }
        let first = group.constants.iter().map(|constant| constant.since.as_str());
        let first = first.min_by_key(|since| self.abi.release(since)).expect("a group has constants");
        if !group.macros && self.exists(&group.name, first) {
            self.file.equal(&format!("size of {}", group.name), &format!("sizeof({})", group.name), 4);
        }
    }

    fn constant(&mut self, constant: &Constant) {
        let former = self.former(&constant.formerly);
        let name = former.and_then(|former| former.name.as_ref()).unwrap_or(&constant.name);
        let value = former.and_then(|former| former.value).unwrap_or(constant.value);
        if self.exists(name, &constant.since) {
            self.file.equal(name, name, value);
        }
        let names = constant.formerly.iter().filter_map(|former| former.name.as_ref()).chain([&constant.name]);
        for other in names.filter(|other| *other != name) {
            self.file.absent(other);
        }
    }

    fn record(&mut self, described: &Struct) {
        let name = &described.name;
        if !self.exists(name, &described.since) {
            return;
        }
        let former_size = self.former(&described.formerly).and_then(|former| former.size);
        self.file.record(name, former_size.unwrap_or(described.size), described.align);
        for field in &described.fields {
            let since = field.since.as_ref().unwrap_or(&described.since);
            if self.abi.at_least(self.release, since) {
                self.field(name, field);
            }
        }
    }

    fn field(&mut self, owner: &str, field: &Field) {
        let former = self.former(&field.formerly);
        let name = former.and_then(|former| former.name.as_ref()).unwrap_or(&field.name);
        let ty = former.and_then(|former| former.ty.as_ref()).unwrap_or(&field.ty);
        let size = former.and_then(|former| former.size).unwrap_or(field.size);
        self.file.field(owner, name, ty, field.offset, size);
    }

    fn function(&mut self, function: &Function) {
        if self.exists(&function.name, &function.since) {
            let params: Vec<_> = function.params.iter().map(|(_, ty)| ty.as_str()).collect();
            let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
            let ty = format!("{} (*)({params})", function.returns);
            self.file.expression_type(&function.name, &format!("&{}", function.name), &ty);
        }
    }
}

/// Headers of others may be compiled with warnings; only the assertions count.
const OTHERS: &[&str] = &["-w"];

fn newest(abi: &Abi) -> &str {
    &abi.releases.last().expect("there are releases").name
}

#[test]
fn our_headers_are_as_described() {
    for mode in Mode::all() {
        let source = OfRelease::of(abi(), newest(abi()), mode);
        compile(&source, &[include_dir()], mode, OURS).unwrap_or_else(|errors| fail(&format!("{mode:?}: {errors}")));
    }
}

#[test]
fn embedded_headers_are_the_whole_directory() {
    let mut files = Vec::new();
    let mut folders = vec![include_dir().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let embedded: Vec<_> = HEADERS.iter().map(|(path, _)| include_dir().join(path)).collect();
    assert_eq!(files, embedded);
}

#[test]
fn released_headers_are_as_described() {
    for (release, wheel) in peers::wheels() {
        let include = headers_of(&wheel);
        for mode in Mode::all() {
            let source = OfRelease::of(abi(), &release.name, mode);
            compile(&source, &[include.path()], mode, OTHERS).unwrap_or_else(|errors| {
                fail(&format!("{} differs from its description, {mode:?}: {errors}", release.name))
            });
        }
        println!("{}: as described", release.name);
    }
}

/// The public C headers in a wheel, unpacked.
fn headers_of(wheel: &Path) -> TempDir {
    let mut archive =
        zip::ZipArchive::new(File::open(wheel).expect("the wheel is readable")).expect("a wheel is a zip");
    let folder = TempDir::new().expect("a temporary folder");
    for (path, _) in HEADERS {
        let mut member = archive.by_name(&format!("tvm_ffi/include/{path}")).expect("a wheel has the public headers");
        let mut text = Vec::new();
        member.read_to_end(&mut text).expect("the member is readable");
        let target = folder.path().join(path);
        fs::create_dir_all(target.parent().expect("a header lies in a folder")).expect("the folder is writable");
        fs::write(target, text).expect("the folder is writable");
    }
    folder
}

fn record<'a>(abi: &'a mut Abi, name: &str) -> &'a mut Struct {
    abi.structs.iter_mut().find(|described| described.name == name).expect("the struct is described")
}

fn function<'a>(abi: &'a mut Abi, name: &str) -> &'a mut Function {
    abi.functions.iter_mut().find(|function| function.name == name).expect("the function is described")
}

fn constant<'a>(abi: &'a mut Abi, name: &str) -> &'a mut Constant {
    let mut constants = abi.enums.iter_mut().flat_map(|group| &mut group.constants);
    constants.find(|constant| constant.name == name).expect("the constant is described")
}

/// A wrong description does not compile, and the compiler's message says what is wrong.
#[rstest]
#[case::offset(
    Mode::C11,
    |abi: &mut Abi| record(abi, "TVMFFIAny").fields[3].offset.0 = 4,
    "offset of TVMFFIAny.v_int64"
)]
#[case::narrow_offset(
    Mode::C11Narrow,
    |abi: &mut Abi| record(abi, "DLTensor").fields[6].offset.1 = 32,
    "offset of DLTensor.byte_offset"
)]
#[case::size(Mode::Cpp17, |abi: &mut Abi| record(abi, "TVMFFIErrorCell").size.0 = 56, "size of TVMFFIErrorCell")]
#[case::alignment(
    Mode::C11Narrow,
    |abi: &mut Abi| record(abi, "TVMFFIObject").align.1 = 8,
    "alignment of TVMFFIObject"
)]
#[case::sign(
    Mode::C11,
    |abi: &mut Abi| record(abi, "TVMFFITypeAttrColumn").fields[1].ty = "uint32_t".into(),
    "TVMFFITypeAttrColumn.size has the type"
)]
#[case::constness(
    Mode::Cpp17,
    |abi: &mut Abi| record(abi, "TVMFFIByteArray").fields[0].ty = "char*".into(),
    "TVMFFIByteArray.data has the type"
)]
#[case::callback(
    Mode::C11,
    |abi: &mut Abi| abi.typedefs[1].ty = "int (*)(void*, TVMFFIAny*, int32_t, TVMFFIAny*)".into(),
    "TVMFFISafeCallType has the type"
)]
#[case::value(Mode::C11, |abi: &mut Abi| constant(abi, "kTVMFFIBigInt").value = 77, "kTVMFFIBigInt is 77")]
#[case::name(
    Mode::Cpp17,
    |abi: &mut Abi| constant(abi, "kTVMFFIDict").name = "kTVMFFIDictionary".into(),
    "kTVMFFIDictionary"
)]
#[case::parameter(
    Mode::C11,
    |abi: &mut Abi| function(abi, "TVMFFIBacktrace").params[1].1 = "int64_t".into(),
    "TVMFFIBacktrace has the type"
)]
#[case::result(
    Mode::Cpp17,
    |abi: &mut Abi| function(abi, "TVMFFIGetTypeInfo").returns = "TVMFFITypeInfo*".into(),
    "TVMFFIGetTypeInfo has the type"
)]
#[case::missing_function(
    Mode::C11,
    |abi: &mut Abi| function(abi, "TVMFFIGetVersion").name = "TVMFFIGetRelease".into(),
    "TVMFFIGetRelease"
)]
fn a_wrong_description_is_found(#[case] mode: Mode, #[case] break_it: fn(&mut Abi), #[case] expected: &str) {
    let mut wrong = abi().clone();
    break_it(&mut wrong);
    let source = OfRelease::of(&wrong, newest(&wrong), mode);
    let errors = compile(&source, &[include_dir()], mode, OURS).expect_err("the description is wrong");
    assert!(errors.contains(expected), "{errors}");
}

/// Our headers are those of the newest release and no older one: what came later is missed or found too early.
#[rstest]
#[case::function("0.1.12", "TVMFFISetCustomAllocator")]
#[case::constant("0.1.13.post3", "kTVMFFIUnchanged")]
#[case::former_name("0.1.13.post3", "kTVMFFIDefRegionKindRecursive")]
#[case::former_value("0.1.14", "kTVMFFIStaticObjectEnd is 78")]
#[case::former_type("0.1.9", "TVMFFIFieldInfo.setter has the type")]
#[case::former_size("0.1.7", "size of TVMFFIErrorCell is 56")]
#[case::former_field("0.1.8.post2", "no member named 'default_value'")]
#[case::version("0.1.14.post1", "version PATCH is 15")]
fn another_release_is_told_apart(#[case] release: &str, #[case] expected: &str) {
    let source = OfRelease::of(abi(), release, Mode::C11);
    let errors = compile(&source, &[include_dir()], Mode::C11, OURS).expect_err("the header is a newer one");
    assert!(errors.contains(expected), "{errors}");
}
