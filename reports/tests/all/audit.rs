//! Every rendering of a sample audit, byte for byte. `SNAPSHOTS=overwrite` rewrites the expected files.

use std::io::{self, Write};

use snapbox::{assert_data_eq, file};
use tvm_ffi_reports::{
    Answer,
    audit::{
        Against, Audit, Client, ClientKind, Embedded, EmbeddedModule, Exported, Legacy, Links, Need, Release,
        Unreadable,
    },
    json,
    layout::Width,
};

use crate::{sample, sarif};

const RELEASES: [(&str, bool); 4] = [("0.1.0", false), ("0.1.1", false), ("0.1.2", true), ("0.1.3", false)];

fn releases(range: std::ops::Range<usize>) -> Vec<String> {
    RELEASES[range].iter().map(|(name, _)| (*name).to_owned()).collect()
}

fn need(symbol: &str, since: Option<&str>, until: Option<&str>) -> Need {
    Need {
        symbol: symbol.to_owned(),
        name: symbol.replace("_Z", "tvm::ffi::"),
        weak: false,
        since: since.map(str::to_owned),
        until: until.map(str::to_owned),
        defined_by: None,
        elsewhere: false,
        generation: None,
        has: None,
    }
}

fn client(file: &str, member: Option<&str>, needs: Vec<Need>, fit: std::ops::Range<usize>) -> Client {
    let releases = releases(fit);
    Client {
        file: file.to_owned(),
        member: member.map(str::to_owned),
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
        kind: ClientKind::SharedLibrary,
        architecture: "X86_64".to_owned(),
        links: if needs.is_empty() { Links::Not } else { Links::Named },
        run_path: vec!["$ORIGIN/../tvm_ffi/lib".to_owned()],
        needs,
        oldest: releases.first().cloned(),
        newest: releases.last().cloned(),
        releases,
        defines: vec![],
        lacks: vec![],
        strangers: vec![],
        functions: vec![],
        strays: vec![],
        context: false,
        embedded: None,
        legacy: None,
    }
}

fn exported(name: &str, metadata: bool) -> Exported {
    Exported { name: name.to_owned(), metadata, doc: metadata }
}

/// An audit in which everything is found that there is to find.
fn audit(against: bool) -> Audit {
    let module = |kind: &str, bytes, imports| EmbeddedModule { kind: kind.to_owned(), bytes, imports };
    let embedded = |modules, problem: Option<&str>| {
        Some(Embedded { bytes: Some(40), modules, problem: problem.map(str::to_owned) })
    };
    let wheel = "dist/kernels-1.2-py3-none-any.whl";
    let old = need("_ZStringify(Any)", Some("0.1.0"), Some("0.1.0"));
    let new = need("TVMFFINew", Some("0.1.3"), None);
    let mut clients = vec![
        Client {
            functions: vec![exported("add", true), exported("sub", false)],
            strays: vec!["__tvm_ffi__doc_mul".to_owned()],
            context: true,
            embedded: embedded(vec![module("_lib", None, vec![1]), module("cuda", Some(7), vec![])], None),
            ..client(wheel, Some("kernels/add.so"), vec![need("TVMFFICall", Some("0.1.0"), None), new.clone()], 3..4)
        },
        client(wheel, Some("kernels/both.so"), vec![new, old.clone()], 0..0),
        Client {
            links: Links::Process,
            run_path: vec![],
            embedded: embedded(vec![], Some("ends within the import tree")),
            ..client(wheel, Some("kernels/old.so"), vec![old], 0..1)
        },
        client(wheel, Some("kernels/stub.so"), vec![], 0..4),
        Client {
            kind: ClientKind::Object,
            links: Links::Later,
            run_path: vec![],
            ..client(
                "build/a \u{1b}.o",
                None,
                vec![
                    Need { generation: Some("split".to_owned()), ..need("TVMFFINever", None, None) },
                    Need { elsewhere: true, ..need("_ZElsewhere()", None, None) },
                    Need { defined_by: Some("kernels/add.so".to_owned()), ..need("_ZHere()", None, None) },
                    Need { weak: true, ..need("TVMFFIMaybe", None, None) },
                ],
                0..0,
            )
        },
        client("build/yanked.so", None, vec![need("TVMFFIShort", Some("0.1.2"), Some("0.1.2"))], 2..3),
        Client {
            links: Links::Itself,
            defines: vec!["TVMFFICall".to_owned()],
            lacks: vec![],
            strangers: vec![],
            ..client("build/own.so", None, vec![], 0..4)
        },
        Client {
            legacy: Some(Legacy {
                period: "TVM 0.7 to 0.20".to_owned(),
                needs: vec!["TVMAPISetLastError".to_owned(), "TVMFuncCall".to_owned()],
                places: vec!["__TVMFuncCall".to_owned()],
                defines: 0,
            }),
            ..client("build/operators.so", None, vec![], 0..4)
        },
    ];
    if against {
        for need in clients.iter_mut().flat_map(|client| &mut client.needs) {
            need.has = Some(need.since.is_some() && need.until.is_none());
        }
    }
    let against = against.then(|| Against {
        path: "/opt/libtvm_ffi.so".to_owned(),
        sha256: "00".repeat(32),
        origin: None,
        releases: releases(3..4),
    });
    let releases = RELEASES.map(|(name, yanked)| Release { name: name.to_owned(), yanked });
    let (member, problem) = ("kernels/cut.so".to_owned(), "is empty".to_owned());
    let unreadable = vec![Unreadable { file: wheel.to_owned(), member, problem }];
    Audit::new(sample::tool(), against, releases.to_vec(), clients, unreadable)
}

fn rendered(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    render(&mut bytes).unwrap();
    anstream::adapter::strip_str(&String::from_utf8(bytes).unwrap()).to_string()
}

#[test]
fn text_of_the_audit() {
    let text = |against, verbose| rendered(|out| audit(against).text(Width::Unlimited, verbose, out));
    assert_data_eq!(text(false, false), file!["snapshots/audit.txt"].raw());
    assert_data_eq!(text(false, true), file!["snapshots/audit-verbose.txt"].raw());
    assert_data_eq!(text(true, false), file!["snapshots/audit-against.txt"].raw());
}

#[test]
fn markdown_and_json_of_the_audit() {
    assert_data_eq!(rendered(|out| audit(false).markdown(out)), file!["snapshots/audit.md"].raw());
    let json = rendered(|out| json::render(&audit(true), out));
    assert_eq!(serde_json::from_str::<Audit>(&json).unwrap(), audit(true));
}

#[test]
fn sarif_of_the_audit_keeps_to_the_standard() {
    for against in [false, true] {
        let findings = audit(against).findings();
        let (written, typed) = sarif::read(&findings);
        assert_eq!(written, typed);
        // Each rule is there that a finding names.
        assert!(written["runs"][0]["results"].as_array().unwrap().iter().all(|result| result["ruleIndex"].is_u64()));
    }
}

#[test]
fn what_is_wrong_decides_the_exit_code() {
    let of = |clients: Vec<Client>| {
        let releases = RELEASES.map(|(name, yanked)| Release { name: name.to_owned(), yanked });
        Audit::new(sample::tool(), None, releases.to_vec(), clients, vec![]).exit_code
    };
    let fine = || client("a.so", None, vec![need("TVMFFICall", Some("0.1.0"), None)], 0..4);
    assert_eq!(of(vec![fine()]), 0);
    assert_eq!(of(vec![fine(), client("b.so", None, vec![need("TVMFFINever", None, None)], 0..0)]), 1);
    assert_eq!(of(vec![client("c.so", None, vec![], 0..4)]), 4);
    // Warnings do not count: one that only a withdrawn release satisfies, and two that exclude each other.
    let since = |name, since, until, fit| client(name, None, vec![need("TVMFFIX", Some(since), until)], fit);
    assert_eq!(of(vec![since("d.so", "0.1.2", Some("0.1.2"), 2..3)]), 0);
    assert_eq!(of(vec![since("e.so", "0.1.0", Some("0.1.0"), 0..1), since("f.so", "0.1.3", None, 3..4)]), 0);
}
