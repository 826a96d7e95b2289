//! Findings as SARIF 2.1.0, which code scanning and editors read.
//!
//! One run, one result for each finding; a tolerated finding is a result with a suppression. A run that decided nothing is an
//! invocation without success.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::{
    escape::escape,
    exit,
    findings::{Finding, Findings, Rule},
    json,
};

/// Where the schema is that the document keeps to.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes findings as one SARIF document.
///
/// # Errors
/// Those of `out`.
pub fn render(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let tool = &findings.tool;
    let rules: Vec<_> = findings.rules.iter().map(rule).collect();
    // Where one result says whether it is suppressed, all do.
    let with_suppressions = findings.findings.iter().any(|finding| finding.known.is_some());
    let results: Vec<_> =
        findings.findings.iter().map(|finding| result(findings, finding, with_suppressions)).collect();
    let decided = [exit::CONFORMS, exit::DOES_NOT_CONFORM].contains(&findings.exit_code);
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": tool.name, "version": tool.version, "rules": rules } },
            "invocations": [{
                "executionSuccessful": decided,
                "exitCode": findings.exit_code,
                "exitCodeDescription": escape(&findings.verdict),
            }],
            "automationDetails": { "id": format!("{}/{}/", tool.name, findings.command) },
            "results": results,
        }],
    });
    json::render(&document, out)
}

fn rule(rule: &Rule) -> Value {
    let mut value = json!({ "id": rule.id, "shortDescription": { "text": told(&rule.text, &rule.id) } });
    if !rule.why.is_empty() {
        value["fullDescription"] = json!({ "text": escape(&rule.why) });
    }
    if let Some(help) = &rule.help {
        value["help"] = json!({ "text": escape(help) });
    }
    value
}

fn result(findings: &Findings, finding: &Finding, with_suppressions: bool) -> Value {
    let mut value = json!({
        "ruleId": finding.rule,
        "level": finding.severity.as_str(),
        "message": { "text": told(&finding.message, &finding.rule) },
    });
    if let Some(index) = findings.rule_index(finding) {
        value["ruleIndex"] = json!(index);
    }
    if let Some(location) = location(finding) {
        value["locations"] = json!([location]);
    }
    if with_suppressions {
        let known = finding.known.iter();
        let known = known.map(|reason| json!({ "kind": "external", "justification": escape(reason) }));
        value["suppressions"] = known.collect();
    }
    value
}

/// The file, and what in it: a member of an archive, a symbol.
fn location(finding: &Finding) -> Option<Value> {
    let file =
        finding.file.as_ref().map(|file| ("physicalLocation", json!({ "artifactLocation": { "uri": uri(file) } })));
    let member =
        finding.member.as_ref().map(|member| json!({ "fullyQualifiedName": escape(member), "kind": "module" }));
    let symbol =
        finding.symbol.as_ref().map(|symbol| json!({ "fullyQualifiedName": escape(symbol), "kind": "member" }));
    let logical: Vec<_> = member.into_iter().chain(symbol).collect();
    let logical = (!logical.is_empty()).then(|| ("logicalLocations", Value::from(logical)));
    let parts: serde_json::Map<_, _> =
        file.into_iter().chain(logical).map(|(key, value)| (key.to_owned(), value)).collect();
    (!parts.is_empty()).then(|| parts.into())
}

/// A text that a message may be: not empty.
fn told(text: &str, otherwise: &str) -> String {
    escape(if text.is_empty() { otherwise } else { text })
}

/// A path as a reference to a resource: an absolute one with its scheme.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'+' | b',' | b'=' | b'@' => {
                uri.push(byte.into());
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("/a b/c:ü.so"), "file:///a%20b/c%3A%C3%BC.so");
        assert_eq!(uri("build/lib.so"), "build/lib.so");
    }
}
