//! The text of a JSON graph, taken apart without the target's help: however it is spaced, it says the same.

use serde_json::Value;

/// The nodes of the graph in a text; none if it is not one.
pub fn nodes_of(text: &str) -> Vec<Value> {
    let mut graph: Value = serde_json::from_str(text).unwrap_or_default();
    match graph.get_mut("nodes").map(Value::take) {
        Some(Value::Array(nodes)) => nodes,
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_whatever_stands_between_the_tokens() {
        for text in [r#"{"root_index":0,"nodes":[{"type":"int"}]}"#, "{ \"nodes\" : [ { \"type\" : \"int\" } ] }\n"] {
            let nodes = nodes_of(text);
            assert_eq!((nodes.len(), &nodes[0]["type"]), (1, &"int".into()), "{text}");
        }
        for text in ["", "[]", "{", r#"{"nodes":{}}"#] {
            assert!(nodes_of(text).is_empty(), "{text}");
        }
    }
}
