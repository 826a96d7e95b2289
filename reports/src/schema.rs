//! Type schemas in metadata: as texts for people, and whether what was written for one is served by another.

use std::fmt;

use serde_json::Value;

/// A type as metadata spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Schema {
    /// A type, with what it is of: such as `ffi.Array` of `int`.
    Type(String, Vec<Schema>),
    /// A function with its parameters and its result.
    Function(Vec<Schema>, Box<Schema>),
}

impl Schema {
    /// The schema in a metadata string; `None` where there is none that can be read.
    pub fn of(metadata: &str) -> Option<Self> {
        let metadata: Value = serde_json::from_str(metadata).ok()?;
        match metadata.get("type_schema")? {
            Value::String(text) => Self::read(&serde_json::from_str(text).ok()?),
            schema => Self::read(schema),
        }
    }

    fn read(schema: &Value) -> Option<Self> {
        let name = schema.get("type")?.as_str()?;
        let all = |schemas: &Value| schemas.as_array()?.iter().map(Self::read).collect::<Option<Vec<_>>>();
        let parts = match schema.get("named_args") {
            // Earlier releases had the result and the parameters in one list.
            Some(named) => Some([all(named.get("return")?)?, all(named.get("params")?)?].concat()),
            None => schema.get("args").map(all).unwrap_or(Some(Vec::new())),
        }?;
        match (name, parts.split_first()) {
            ("ffi.Function", Some((result, params))) => Some(Self::Function(params.to_vec(), Box::new(result.clone()))),
            _ => Some(Self::Type(name.to_owned(), parts)),
        }
    }

    /// Whether whoever relied on `old` can go on with this: it takes all that the old one took, and gives no more.
    pub fn serves(&self, old: &Self) -> bool {
        match (self, old) {
            (Self::Function(params, result), Self::Function(old_params, old_result)) => {
                let accepted = params.iter().zip(old_params).all(|(param, old)| param.holds(old));
                params.len() == old_params.len() && accepted && old_result.holds(result)
            }
            // A function that did not say what it takes has been called somehow.
            (Self::Function(..), Self::Type(name, parts)) => name == "ffi.Function" && parts.is_empty(),
            _ => old.holds(self),
        }
    }

    /// Whether every value of `other` is one of this.
    fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (one, other) if one == other => true,
            (Self::Type(name, _), _) if name == "Any" => true,
            (Self::Type(name, parts), _) if name == "Optional" || name == "Union" => {
                let members = match other {
                    Self::Type(other_name, members) if other_name == name => members.iter().collect(),
                    other => vec![other],
                };
                members.iter().all(|member| parts.iter().any(|part| part.holds(member)))
                    || matches!(other, Self::Type(name, _) if name == "None")
            }
            (Self::Type(name, parts), Self::Type(other_name, other_parts)) if name == other_name => {
                // `ffi.Array` is one of anything.
                parts.iter().all(|part| part == &any())
                    || parts.len() == other_parts.len()
                        && parts.iter().zip(other_parts).all(|(one, other)| one.holds(other))
            }
            (Self::Type(name, parts), Self::Function(..)) => name == "ffi.Function" && parts.is_empty(),
            _ => false,
        }
    }
}

fn any() -> Schema {
    Schema::Type("Any".to_owned(), Vec::new())
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |schemas: &[Schema]| schemas.iter().map(Self::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Type(name, parts) if parts.is_empty() => f.write_str(name),
            Self::Type(name, parts) => write!(f, "{name}<{}>", list(parts)),
            Self::Function(params, result) => write!(f, "({}) -> {result}", list(params)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(result: &str, params: &str) -> Schema {
        let schema = format!(r#"{{"type":"ffi.Function","args":[{result}{params}]}}"#);
        Schema::of(&serde_json::json!({ "type_schema": schema }).to_string()).unwrap()
    }

    const INT: &str = r#"{"type":"int"}"#;

    #[test]
    fn both_forms_of_functions_are_read_alike() {
        let named = r#"{"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"ffi.Array\",\"args\":[{\"type\":\"ffi.String\"}]}],\"params\":[{\"type\":\"int\"}]}}"}"#;
        let array = r#"{"type":"ffi.Array","args":[{"type":"ffi.String"}]}"#;
        assert_eq!(Schema::of(named).unwrap(), function(array, &format!(",{INT}")));
        assert_eq!(Schema::of(named).unwrap().to_string(), "(int) -> ffi.Array<ffi.String>");
        assert_eq!(Schema::of("{}"), None);
    }

    #[test]
    fn what_takes_more_and_gives_less_serves() {
        let (any, optional) = (r#",{"type":"Any"}"#, r#",{"type":"Optional","args":[{"type":"int"}]}"#);
        let old = function(INT, &format!(",{INT}"));
        for params in [any, optional] {
            assert!(function(INT, params).serves(&old), "{params}");
            assert!(!old.serves(&function(INT, params)), "{params}");
        }
        assert!(old.serves(&function(r#"{"type":"Any"}"#, &format!(",{INT}"))));
        assert!(!function(INT, "").serves(&old));
        assert!(old.serves(&Schema::Type("ffi.Function".to_owned(), Vec::new())));
    }
}
