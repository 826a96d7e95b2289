//! The attribute `#[check]`, which declares a check where its function is written.
//!
//! ```text
//! /// A String of seven bytes or fewer is stored inline.
//! #[check(STR_0027)]
//! fn small_is_inline(t: &Trial) -> Verdict { … }
//! ```
//!
//! - The first paragraph of the documentation is the sentence that lists and failures show. What follows it is for readers
//!   of the code.
//! - The arguments are the clauses that the check decides, each the name of a constant of `tvm_ffi_spec::clause::id`. A
//!   failure breaks the first unless the check says otherwise. `patient = N` gives it N times the usual deadline; `fresh`,
//!   a process in which nothing has been called before; `lays = STRUCT` says that it decides how that struct of the ABI lies in
//!   memory; `plain = "reason"` says why it tells nothing of a target that is built with a sanitizer.
//! - The id is the area, which is the module below `checks`, and the function's name: `string.small-is-inline`.

#![deny(missing_docs)]

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Error, Expr, ExprLit, Ident, ItemFn, Lit, LitInt, LitStr, Meta, Result, Token,
    parse::{Parse, ParseStream},
    parse_macro_input,
};

/// Declares the function below as a check; see the crate's documentation.
#[proc_macro_attribute]
pub fn check(arguments: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let arguments = parse_macro_input!(arguments as Arguments);
    let function = parse_macro_input!(item as ItemFn);
    declare(&arguments, &function).unwrap_or_else(Error::into_compile_error).into()
}

/// What stands between the parentheses.
struct Arguments {
    clauses: Vec<Ident>,
    patience: Option<LitInt>,
    lays: Option<Ident>,
    fresh: bool,
    plain: Option<LitStr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut arguments = Self { clauses: Vec::new(), patience: None, lays: None, fresh: false, plain: None };
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "fresh" => arguments.fresh = true,
                "patient" => {
                    input.parse::<Token![=]>()?;
                    arguments.patience = Some(input.parse()?);
                }
                "lays" => {
                    input.parse::<Token![=]>()?;
                    arguments.lays = Some(input.parse()?);
                }
                "plain" => {
                    input.parse::<Token![=]>()?;
                    arguments.plain = Some(input.parse()?);
                }
                _ => arguments.clauses.push(word),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if arguments.clauses.is_empty() {
            return Err(Error::new(Span::call_site(), "a check names the clauses it decides: #[check(STR_0001)]"));
        }
        Ok(arguments)
    }
}

fn declare(arguments: &Arguments, function: &ItemFn) -> Result<TokenStream> {
    let Arguments { clauses, patience, lays, fresh, plain } = arguments;
    let lays = lays.as_ref().map_or_else(|| quote!(None), |name| quote!(Some(::core::stringify!(#name))));
    let patience = patience.as_ref().map_or_else(|| quote!(1), |times| quote!(#times));
    let plain = plain.as_ref().map_or_else(|| quote!(None), |reason| quote!(Some(#reason)));
    let run = &function.sig.ident;
    let sentence = sentence(function)?;
    Ok(quote! {
        #function

        const _: () = {
            #[::linkme::distributed_slice(crate::checks::DECLARED)]
            static DECLARED: crate::trial::check::Declared = crate::trial::check::Declared {
                module: ::core::module_path!(),
                function: ::core::stringify!(#run),
                sentence: #sentence,
                clauses: &[#(::tvm_ffi_spec::clause::id::#clauses),*],
                run: #run,
                patience: #patience,
                lays: #lays,
                fresh: #fresh,
                plain: #plain,
                line: ::core::line!(),
            };
        };
    })
}

/// The first paragraph of the documentation, without its full stop.
fn sentence(function: &ItemFn) -> Result<String> {
    let mut words = Vec::new();
    for attribute in &function.attrs {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value else { continue };
        if !pair.path.is_ident("doc") {
            continue;
        }
        let line = line.value();
        if line.trim().is_empty() {
            break;
        }
        words.extend(line.split_whitespace().map(str::to_owned));
    }
    let sentence = words.join(" ");
    match sentence.strip_suffix('.') {
        Some(sentence) => Ok(sentence.to_owned()),
        None => Err(Error::new(
            function.sig.ident.span(),
            "the documentation of a check begins with a sentence that ends with a full stop: what a conforming target does",
        )),
    }
}
