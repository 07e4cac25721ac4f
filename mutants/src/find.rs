//! The mutants of a source file: small changes that a test should notice.
//!
//! Operators are exchanged, negations dropped, conditions negated, calls left out, arms of a `match` skipped, and functions return
//! simple values at once. Code that runs at compile time, patterns, macros and tests are left alone.

use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, GenericArgument, Pat, PathArguments, ReturnType, Signature, Stmt, Type, UnOp};

/// How the mutants of a place are woven into the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A statement that is left out.
    Statement,
    /// An expression that another one replaces.
    Expression,
    /// The begin of a function, which returns a value at once.
    Return,
    /// The end of a pattern of a `match`, whose arm is skipped.
    Arm,
}

/// A change, and what it reads like.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub what: String,
    /// What stands in place of the expression, or is returned; empty for other shapes.
    pub text: String,
}

/// A place of a source file with all its mutants.
#[derive(Clone, Debug)]
pub struct Site {
    pub range: Range<usize>,
    pub shape: Shape,
    pub mutants: Vec<Mutant>,
}

/// All sites of a file, those that hold others before them.
pub fn sites(source: &str) -> syn::Result<Vec<Site>> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { source, found: BTreeMap::new() };
    finder.visit_file(&file);
    let sites = finder.found.into_iter().map(|((start, _, shape, end), mutants)| Site {
        range: start..end,
        shape,
        mutants,
    });
    Ok(sites.collect())
}

struct Finder<'a> {
    source: &'a str,
    /// By start, then the longest first.
    found: BTreeMap<(usize, std::cmp::Reverse<usize>, Shape, usize), Vec<Mutant>>,
}

impl Finder<'_> {
    fn add(&mut self, range: Range<usize>, shape: Shape, what: impl Into<String>, text: impl Into<String>) {
        let key = (range.start, std::cmp::Reverse(range.end), shape, range.end);
        self.found.entry(key).or_default().push(Mutant { what: what.into(), text: text.into() });
    }

    fn text(&self, node: &impl Spanned) -> &str {
        &self.source[node.span().byte_range()]
    }

    fn exchange(&mut self, whole: &impl Spanned, left: &Expr, op: &BinOp, right: &Expr) {
        let old = self.text(op).to_owned();
        for new in others(op) {
            let text = format!("({}) {new} ({})", self.text(left), self.text(right));
            self.add(whole.span().byte_range(), Shape::Expression, format!("replace {old} with {new}"), text);
        }
    }

    /// A condition without an operator of its own is negated.
    fn negate(&mut self, condition: &Expr) {
        if !matches!(
            condition,
            Expr::Binary(_) | Expr::Unary(_) | Expr::Let(_) | Expr::Lit(_) | Expr::Paren(_)
        ) {
            let text = format!("!({})", self.text(condition));
            self.add(condition.span().byte_range(), Shape::Expression, "negate the condition", text);
        }
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        if signature.constness.is_some() || block.stmts.is_empty() {
            return;
        }
        let start = block.brace_token.span.open().byte_range().end;
        for value in results(&signature.output) {
            let shown = if value.is_empty() { "()" } else { &value };
            let what = format!("replace {} with {shown}", signature.ident);
            // What the function itself says at once is no mutant.
            if self.text(block).trim_matches(['{', '}', ' ', '\n']) != value {
                self.add(start..start, Shape::Return, what, value);
            }
        }
        self.visit_block(block);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item::{Const, Enum, Fn, Impl, Macro, Mod, Static, Struct, Trait, Type};
        let attributes = match item {
            Mod(item) => &item.attrs,
            Fn(item) => &item.attrs,
            Impl(item) => &item.attrs,
            Const(_) | Static(_) | Enum(_) | Struct(_) | Type(_) | Macro(_) => return,
            Trait(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.function(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_test(&function.attrs) {
            self.function(&function.sig, &function.block);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.function(&function.sig, block);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(expression @ (Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_)), Some(_)) =
            statement
        {
            let start = self.text(expression).split(['(', '\n']).next().unwrap_or_default().trim().to_owned();
            self.add(statement.span().byte_range(), Shape::Statement, format!("leave out {start}(…)"), "");
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        // Part of a chain of `let`s cannot stand in parentheses, only its conditions can.
        if !has_let(&node.left) && !has_let(&node.right) {
            self.exchange(node, &node.left, &node.op, &node.right);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        if matches!(node.op, UnOp::Not(_) | UnOp::Neg(_)) {
            let (what, text) =
                (format!("leave out {}", self.text(&node.op)), format!("({})", self.text(&node.expr)));
            self.add(node.span().byte_range(), Shape::Expression, what, text);
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_method_call(&mut self, node: &'ast syn::ExprMethodCall) {
        let old = node.method.to_string();
        if let Some(new) = opposite(&old) {
            let (whole, name) = (node.span().byte_range(), node.method.span().byte_range());
            let text = format!(
                "{}{new}{}",
                &self.source[whole.start..name.start],
                &self.source[name.end..whole.end]
            );
            self.add(whole, Shape::Expression, format!("replace {old} with {new}"), text);
        }
        visit::visit_expr_method_call(self, node);
    }

    fn visit_expr_path(&mut self, node: &'ast syn::ExprPath) {
        let Some(last) = node.path.segments.last().filter(|_| node.path.segments.len() > 1) else { return };
        let old = last.ident.to_string();
        if let (Some(new), PathArguments::None) = (opposite(&old), &last.arguments) {
            let (whole, name) = (node.span().byte_range(), last.ident.span().byte_range());
            let text = format!("{}{new}", &self.source[whole.start..name.start]);
            self.add(whole, Shape::Expression, format!("replace {old} with {new}"), text);
        }
    }

    fn visit_expr_if(&mut self, node: &'ast syn::ExprIf) {
        self.negate(&node.cond);
        visit::visit_expr_if(self, node);
    }

    fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
        self.negate(&node.cond);
        visit::visit_expr_while(self, node);
    }

    fn visit_expr_match(&mut self, node: &'ast syn::ExprMatch) {
        if node.arms.iter().any(|arm| matches!(arm.pat, Pat::Wild(_)) && arm.guard.is_none()) {
            for arm in node.arms.iter().filter(|arm| arm.guard.is_none() && !matches!(arm.pat, Pat::Wild(_)))
            {
                let end = arm.pat.span().byte_range().end;
                self.add(
                    end..end,
                    Shape::Arm,
                    format!("skip the arm {}", self.text(&arm.pat).to_owned()),
                    "",
                );
            }
        }
        visit::visit_expr_match(self, node);
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        if let Some((_, guard)) = &node.guard {
            self.negate(guard);
        }
        visit::visit_arm(self, node);
    }

    // The length of an array and the arguments of types are known at compile time; so are patterns.
    fn visit_expr_repeat(&mut self, node: &'ast syn::ExprRepeat) {
        self.visit_expr(&node.expr);
    }
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast GenericArgument) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
}

/// Whether an item is only there for tests.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}

/// Whether an expression is a `let` or a chain of conditions with one.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => has_let(&node.left) || has_let(&node.right),
        _ => false,
    }
}

/// The operators that are tried in place of one.
fn others(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Add(_) => &["-", "*"],
        BinOp::Sub(_) => &["+", "/"],
        BinOp::Mul(_) => &["+", "/"],
        BinOp::Div(_) => &["*", "%"],
        BinOp::Rem(_) => &["/", "+"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::BitXor(_) => &["|", "&"],
        BinOp::BitAnd(_) => &["|", "^"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["<=", "==", ">"],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "==", "<"],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::AddAssign(_) => &["-=", "*="],
        BinOp::SubAssign(_) => &["+=", "/="],
        BinOp::MulAssign(_) => &["+=", "/="],
        BinOp::DivAssign(_) => &["*=", "%="],
        BinOp::RemAssign(_) => &["/=", "+="],
        BinOp::BitXorAssign(_) => &["|=", "&="],
        BinOp::BitAndAssign(_) => &["|=", "^="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

/// The method that is tried in place of one.
fn opposite(method: &str) -> Option<&'static str> {
    const PAIRS: [(&str, &str); 8] = [
        ("min", "max"),
        ("any", "all"),
        ("next_up", "next_down"),
        ("floor", "ceil"),
        ("is_some", "is_none"),
        ("min_by", "max_by"),
        ("first", "last"),
        ("take", "skip"),
    ];
    PAIRS.iter().find_map(|&(one, other)| match method {
        _ if method == one => Some(other),
        _ if method == other => Some(one),
        _ => None,
    })
}

/// The values that a function returns at once.
fn results(output: &ReturnType) -> Vec<String> {
    match output {
        ReturnType::Default => vec![String::new()],
        ReturnType::Type(_, of) => values(of),
    }
}

/// Simple values of a type, as far as its name tells; the compiler refuses those that do not fit.
fn values(of: &Type) -> Vec<String> {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    match of {
        Type::Tuple(tuple) => {
            let parts: Vec<String> =
                tuple.elems.iter().filter_map(|part| values(part).into_iter().next()).collect();
            if parts.len() == tuple.elems.len() {
                vec![format!("({})", parts.join(", "))]
            } else {
                Vec::new()
            }
        }
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => texts(&["\"\"", "\"xyzzy\""]),
            Type::Slice(_) if reference.mutability.is_none() => texts(&["&[]"]),
            _ => Vec::new(),
        },
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let inner = match &last.arguments {
                PathArguments::AngleBracketed(list) => list.args.iter().find_map(|argument| match argument {
                    GenericArgument::Type(inner) => Some(inner),
                    _ => None,
                }),
                _ => None,
            };
            let within = |name: &str| {
                inner.map_or(Vec::new(), |inner| {
                    values(inner).iter().map(|value| format!("{name}({value})")).collect()
                })
            };
            match last.ident.to_string().as_str() {
                "bool" => texts(&["true", "false"]),
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
                | "isize" => texts(&["0", "1"]),
                "f32" | "f64" => texts(&["0.0", "1.0"]),
                "String" => texts(&["String::new()", "String::from(\"xyzzy\")"]),
                "Vec" => texts(&["Vec::new()"]),
                "Option" => [texts(&["None"]), within("Some")].concat(),
                "Result" => within("Ok"),
                _ => texts(&["Default::default()"]),
            }
        }
        _ => Vec::new(),
    }
}
