//! Where in a source the changes are made, and what it has to look like there.

use std::{collections::BTreeMap, mem, ops::Range};

use proc_macro2::{LineColumn, Span};
use syn::{
    Arm, Block, Expr, ExprBinary, ExprClosure, ExprStruct, ExprUnary, ImplItemFn, ItemFn, Pat, PatGuard, ReturnType,
    Signature, TraitItemFn, Type,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::{Change, Genre, Position, edit::Edit};

/// An edit for each expression, arm or function that changes are made to.
pub fn find(source: &str, changes: &[&Change]) -> Vec<Edit> {
    let mut wanted: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for change in changes {
        wanted.entry((change.genre, change.span.start)).or_default().push(*change);
    }
    let file = syn::parse_file(source).expect("the source is Rust");
    let mut finder = Finder { source, wanted, constant: false, edits: Vec::new() };
    finder.visit_file(&file);
    finder.edits
}

struct Finder<'a> {
    source: &'a str,
    wanted: BTreeMap<(Genre, Position), Vec<&'a Change>>,
    /// Whether the compiler evaluates this: it cannot ask for what an environment holds.
    constant: bool,
    edits: Vec<Edit>,
}

impl<'a> Finder<'a> {
    fn changes(&self, genre: Genre, span: Span) -> Vec<&'a Change> {
        let LineColumn { line, column } = span.start();
        let position = Position { line, column: column + 1 };
        if self.constant { Vec::new() } else { self.wanted.get(&(genre, position)).cloned().unwrap_or_default() }
    }

    fn text(&self, place: impl Spanned) -> &'a str {
        &self.source[place.span().byte_range()]
    }

    /// Has an expression take another form for each change. The forms have the operands as they are in the source, since
    /// no two changes are in force at once.
    fn choose(&mut self, expression: &impl Spanned, forms: Vec<(u32, String)>) {
        if forms.is_empty() {
            return;
        }
        let mut edit = Edit::of(expression.span().byte_range());
        edit.push("(");
        for (number, form) in forms {
            edit.push(&format!("if crate::mutant::is({number}) {{ "));
            edit.insert(number, &form);
            edit.push(" } else ");
        }
        edit.push("{ ");
        edit.after.push_str(" })");
        self.edits.push(edit);
    }

    /// Has a function answer at once, and goes on with what is in it.
    fn function(&mut self, signature: &Signature, block: &Block, inner: impl FnOnce(&mut Self)) {
        let outer = mem::replace(&mut self.constant, signature.constness.is_some());
        let first = self.edits.len();
        // A second type is no way to answer at once.
        let opaque = matches!(&signature.output, ReturnType::Type(_, ty) if matches!(**ty, Type::ImplTrait(_)));
        let mut answers = Edit::of(inside(block));
        if let Some(statement) = block.stmts.first().filter(|_| !opaque) {
            for change in self.changes(Genre::FnValue, statement.span()) {
                answers.push(&format!(" if crate::mutant::is({}) {{ ", change.number));
                answers.insert(change.number, &format!("return {};", change.replacement));
                answers.push(" }");
            }
        }
        inner(self);
        self.constant = outer;
        // An error outside of any expression that was changed may come from each of them.
        answers.changes.extend(self.edits[first..].iter().flat_map(|edit| &edit.changes));
        answers.changes.sort();
        answers.changes.dedup();
        if !answers.changes.is_empty() {
            self.edits.push(answers);
        }
    }

    fn constant(&mut self, is_constant: bool, inner: impl FnOnce(&mut Self)) {
        let outer = mem::replace(&mut self.constant, is_constant);
        inner(self);
        self.constant = outer;
    }
}

impl<'a, 'ast> Visit<'ast> for Finder<'a> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig, &item.block, |this| visit::visit_item_fn(this, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig, &item.block, |this| visit::visit_impl_item_fn(this, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block, |this| visit::visit_trait_item_fn(this, item));
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(true, |this| visit::visit_item_const(this, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(true, |this| visit::visit_impl_item_const(this, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.constant(true, |this| visit::visit_trait_item_const(this, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(true, |this| visit::visit_item_static(this, item));
    }

    fn visit_expr_const(&mut self, expression: &'ast syn::ExprConst) {
        self.constant(true, |this| visit::visit_expr_const(this, expression));
    }

    fn visit_type_array(&mut self, ty: &'ast syn::TypeArray) {
        self.constant(true, |this| visit::visit_type_array(this, ty));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.constant(true, |this| visit::visit_variant(this, variant));
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.constant(true, |this| visit::visit_generic_argument(this, argument));
    }

    fn visit_expr_repeat(&mut self, expression: &'ast syn::ExprRepeat) {
        self.visit_expr(&expression.expr);
        self.constant(true, |this| this.visit_expr(&expression.len));
    }

    /// A closure runs later, even one in a constant.
    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        self.constant(false, |this| visit::visit_expr_closure(this, closure));
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        let (left, right) = (self.text(&binary.left), self.text(&binary.right));
        // What a `let` binds would end with the parentheses.
        if !binds(&binary.left) && !binds(&binary.right) {
            // To the left of an assignment is a place and no value.
            let left = if assigns(self.text(binary.op)) { left.to_owned() } else { format!("({left})") };
            let changes = self.changes(Genre::BinaryOperator, binary.op.span());
            let form = |change: &&Change| (change.number, format!("{left} {} ({right})", change.replacement));
            self.choose(binary, changes.iter().map(form).collect());
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast ExprUnary) {
        let operand = self.text(&unary.expr);
        let changes = self.changes(Genre::UnaryOperator, unary.op.span());
        let form = |change: &&Change| (change.number, format!("{} ({operand})", change.replacement));
        self.choose(unary, changes.iter().map(form).collect());
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, expression: &'ast ExprStruct) {
        let whole = expression.span().byte_range();
        let mut forms = Vec::new();
        for pair in expression.fields.pairs() {
            let field = pair.span().byte_range();
            for change in self.changes(Genre::StructField, pair.value().span()) {
                let without = [whole.start..field.start, field.end..whole.end].map(|range| &self.source[range]);
                forms.push((change.number, without.concat()));
            }
        }
        self.choose(expression, forms);
        visit::visit_expr_struct(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let deleted = self.changes(Genre::MatchArm, arm.span());
        let not_deleted =
            deleted.iter().map(|change| (change.number, format!("!crate::mutant::is({})", change.number)));
        if let Pat::Guard(PatGuard { guard, .. }) = &arm.pat {
            let replaced = self.changes(Genre::MatchArmGuard, guard.span());
            if !binds(guard) && !(deleted.is_empty() && replaced.is_empty()) {
                let mut edit = Edit::of(guard.span().byte_range());
                for (number, condition) in not_deleted {
                    edit.insert(number, &format!("{condition} && "));
                }
                edit.push("(");
                for change in replaced {
                    let number = change.number;
                    let (not, joined) = if change.replacement == "true" { ("", "||") } else { ("!", "&&") };
                    edit.insert(number, &format!("{not}crate::mutant::is({number}) {joined} ("));
                    edit.after.push(')');
                }
                edit.after.push(')');
                self.edits.push(edit);
            }
        } else {
            let end = arm.pat.span().byte_range().end;
            for (number, condition) in not_deleted {
                let mut edit = Edit::of(end..end);
                edit.insert(number, &format!(" if {condition}"));
                self.edits.push(edit);
            }
        }
        visit::visit_arm(self, arm);
    }
}

/// What stands between the braces.
fn inside(block: &Block) -> Range<usize> {
    let braces = block.brace_token.span;
    braces.open().byte_range().end..braces.close().byte_range().start
}

fn assigns(operator: &str) -> bool {
    operator.ends_with('=') && !matches!(operator, "==" | "!=" | "<=" | ">=")
}

/// Whether a condition is a chain with a `let`.
fn binds(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}
