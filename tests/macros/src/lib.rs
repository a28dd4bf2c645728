//! Attributes of the tests.

use proc_macro::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    FnArg, Ident, ItemFn, LitInt, Token, Type,
    parse::{Parse, ParseStream},
    parse_macro_input,
};

/// The arguments of [`macro@both_stores`]: nothing, or `threads = 4`.
struct Arguments {
    threads: Option<LitInt>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Self { threads: None });
        }
        let name: Ident = input.parse()?;
        if name != "threads" {
            return Err(syn::Error::new(name.span(), "expected `threads = N`"));
        }
        input.parse::<Token![=]>()?;
        let threads = Some(input.parse()?);
        Ok(Self { threads })
    }
}

/// Runs a test on SQLite and on PostgreSQL, each time with a `TestApp` or a `TestDb` of its own.
///
/// ```text
/// /// EC-34: An end before the start is refused.
/// #[both_stores]
/// async fn the_end_is_not_before_the_start(app: &TestApp) { … }
/// ```
///
/// Cargo shows the tests as `the_end_is_not_before_the_start::sqlite` and
/// `the_end_is_not_before_the_start::postgres`. Without a PostgreSQL server, the second one does
/// nothing, and the output of the tests says so.
///
/// `#[both_stores(threads = 4)]` runs the test on a runtime of 4 threads.
#[proc_macro_attribute]
pub fn both_stores(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let Arguments { threads } = parse_macro_input!(arguments);
    let function: ItemFn = parse_macro_input!(item);
    let runtime =
        threads.map(|threads| quote!((flavor = "multi_thread", worker_threads = #threads)));
    let name = &function.sig.ident;
    let Some(FnArg::Typed(parameter)) = function.sig.inputs.first() else {
        let error = syn::Error::new(name.span(), "expected a parameter: `&TestApp` or `&TestDb`");
        return error.into_compile_error().into();
    };
    let takes_db = parameter
        .ty
        .to_token_stream()
        .to_string()
        .ends_with("TestDb");
    let subject = if takes_db {
        quote!(::tests::db::TestDb)
    } else {
        quote!(::tests::app::TestApp)
    };
    let mut argument = quote!(subject);
    if matches!(*parameter.ty, Type::Reference(_)) {
        argument = quote!(&#argument);
    }
    quote! {
        #function

        mod #name {
            #[::tokio::test #runtime]
            async fn sqlite() {
                let subject = #subject::sqlite().await;
                super::#name(#argument).await;
            }

            #[::tokio::test #runtime]
            async fn postgres() {
                if let Some(subject) = #subject::postgres().await {
                    super::#name(#argument).await;
                }
            }
        }
    }
    .into()
}
