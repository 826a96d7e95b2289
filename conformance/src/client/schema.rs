//! What metadata declares: the types of parameters and results, in the form of every release.

use serde_json::{Value, json};

/// The schema in a metadata string, with functions in the form of earlier releases: the result, then the parameters.
pub fn schema(metadata: &str) -> Option<Value> {
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    let schema = metadata.get("type_schema")?;
    let mut schema: Value = match schema {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    if let Some(named) = schema.as_object_mut()?.remove("named_args") {
        let both = [named.get("return")?.as_array()?.as_slice(), named.get("params")?.as_array()?].concat();
        schema["args"] = json!(both);
    }
    Some(schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_of_all_releases_are_read_alike() {
        let old = r#"{"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"Any\"},{\"type\":\"int\"}]}"}"#;
        let new = r#"{"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"Any\"}],\"params\":[{\"type\":\"int\"}]}}"}"#;
        assert_eq!(schema(old), schema(new));
        assert!(schema(old).is_some());
        assert_eq!(schema("{}"), None);
        assert_eq!(schema(""), None);
    }
}
