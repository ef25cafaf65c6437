//! Names that the source of one module defines, brings in and mentions.

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::iter::Peekable;

type Tokens = Peekable<IntoIter>;

/// Keywords that are followed by the name of what they define.
const DEFINING: [&str; 8] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static"];

/// The source of one module, without its tests and its comments.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// Names of the items defined here, and whether each is a function.
    pub(super) items: BTreeMap<String, bool>,
    pub(super) imports: Vec<Import>,
    /// Paths of two segments and more.
    pub(super) paths: Vec<Mention>,
    /// Words outside of paths that may name something, each with the line of its first mention.
    pub(super) words: BTreeMap<String, usize>,
    /// Modules written in the same file.
    pub(super) inner: Vec<(String, Code)>,
}

/// One name that a `use` brings in, or everything of a module (`*`).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// The name here; `*` for everything, `_` for a trait without a name.
    pub(super) name: String,
    pub(super) from: Mention,
    /// True where it is handed on: `pub use`, of any visibility.
    pub(super) is_public: bool,
}

/// A path, and the line on which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) path: Vec<String>,
    pub(super) line: usize,
}

impl Code {
    /// First line on which a name is used, alone or at the head of a path.
    pub(super) fn uses(&self, name: &str) -> Option<usize> {
        let heads = self.paths.iter().filter(|mention| mention.path[0] == name).map(|mention| mention.line);
        self.words.get(name).copied().into_iter().chain(heads).min()
    }

    /// The code in a file; none if the file has no valid tokens, which the compiler will say.
    pub(super) fn parse(text: &str) -> Self {
        let mut code = Self::default();
        code.scan(text.parse().unwrap_or_default(), true);
        code
    }

    fn scan(&mut self, tokens: TokenStream, is_top: bool) {
        let mut rest = tokens.into_iter().peekable();
        let mut is_public = false;
        while let Some(token) = rest.next() {
            match token {
                TokenTree::Punct(hash) if hash.as_char() == '#' => match attribute(&mut rest) {
                    Attribute::TestsOnly => skip_item(&mut rest),
                    Attribute::TestFile => return,
                    Attribute::Other => {}
                },
                // A path from the root of all crates, or of an associated item.
                colon if is_joint_colon(&colon) => {
                    rest.next();
                    if let Some(TokenTree::Ident(first)) = rest.next_if(is_word) {
                        path(&first, &mut rest);
                    }
                }
                // A field or a method.
                TokenTree::Punct(dot) if dot.as_char() == '.' => {
                    rest.next_if(is_word);
                }
                TokenTree::Group(group) => self.scan(group.stream(), false),
                TokenTree::Ident(word) if word == "pub" => {
                    rest.next_if(
                        |t| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis),
                    );
                    is_public = true;
                    continue;
                }
                TokenTree::Ident(word) if word == "use" => {
                    let tree: TokenStream = rest.by_ref().take_while(|t| !is_punct(t, ';')).collect();
                    self.import(&mut tree.into_iter().peekable(), &[], is_public);
                }
                TokenTree::Ident(word) if word == "mod" => self.module(&mut rest),
                TokenTree::Ident(word) => self.word(&word, &mut rest, is_top),
                _ => {}
            }
            is_public = false;
        }
    }

    fn module(&mut self, rest: &mut Tokens) {
        let Some(TokenTree::Ident(name)) = rest.next() else { return };
        if let Some(TokenTree::Group(body)) = rest.next_if(|t| matches!(t, TokenTree::Group(_))) {
            let mut code = Self::default();
            code.scan(body.stream(), true);
            self.inner.push((name.to_string(), code));
        }
    }

    fn word(&mut self, word: &Ident, rest: &mut Tokens, is_top: bool) {
        let text = word.to_string();
        if is_top && DEFINING.contains(&text.as_str()) {
            if let Some(TokenTree::Ident(name)) = rest.next_if(is_word) {
                // `const fn` and the like: the next keyword defines.
                if DEFINING.contains(&name.to_string().as_str()) {
                    return self.word(&name, rest, is_top);
                }
                self.items.insert(name.to_string(), text == "fn");
            }
            return;
        }
        let line = word.span().start().line;
        let path = path(word, rest);
        if path.len() > 1 {
            self.paths.push(Mention { path, line });
        } else if !rest.peek().is_some_and(|token| is_punct(token, ':')) {
            // Not the name of a field or a parameter.
            self.words.entry(text).or_insert(line);
        }
    }

    /// Takes in a `use`, or a part of one in braces.
    fn import(&mut self, tree: &mut Tokens, before: &[String], is_public: bool) {
        let mut from = before.to_vec();
        let mut line = 0;
        let mut name = None;
        while let Some(token) = tree.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => {
                    name = tree.next().map(|name| name.to_string());
                }
                TokenTree::Ident(word) => {
                    line = word.span().start().line;
                    // The module itself, in braces behind its path.
                    if word != "self" || from.is_empty() {
                        from.push(word.to_string());
                    }
                }
                TokenTree::Punct(sign) if sign.as_char() == '*' => {
                    line = sign.span().start().line;
                    name = Some("*".to_owned());
                }
                TokenTree::Group(group) => {
                    let parts: Vec<TokenTree> = group.stream().into_iter().collect();
                    for part in parts.split(|token| is_punct(token, ',')) {
                        let part: TokenStream = part.iter().cloned().collect();
                        self.import(&mut part.into_iter().peekable(), &from, is_public);
                    }
                    return;
                }
                _ => {}
            }
        }
        if let Some(name) = name.or_else(|| from.last().cloned()) {
            self.imports.push(Import { name, from: Mention { path: from, line }, is_public });
        }
    }
}

/// The meaning of an attribute for tests.
enum Attribute {
    /// The item that follows is.
    TestsOnly,
    /// All of the file is.
    TestFile,
    Other,
}

/// Takes the rest of an attribute, behind its `#`.
fn attribute(rest: &mut Tokens) -> Attribute {
    let is_inner = rest.next_if(|t| is_punct(t, '!')).is_some();
    let Some(TokenTree::Group(group)) = rest.next_if(|t| matches!(t, TokenTree::Group(_))) else {
        return Attribute::Other;
    };
    let words = words(group.stream());
    let is_for_tests = words.first().is_some_and(|word| word == "cfg")
        && words.iter().any(|word| word == "test")
        && !words.iter().any(|word| word == "not" || word == "any");
    match (is_for_tests, is_inner) {
        (true, true) => Attribute::TestFile,
        (true, false) => Attribute::TestsOnly,
        (false, _) => Attribute::Other,
    }
}

/// All words, those in brackets too.
fn words(tokens: TokenStream) -> Vec<String> {
    let word = |token| match token {
        TokenTree::Ident(word) => vec![word.to_string()],
        TokenTree::Group(group) => words(group.stream()),
        _ => Vec::new(),
    };
    tokens.into_iter().flat_map(word).collect()
}

/// Takes the next item: up to its body, or to the semicolon of one that has none or ends in one.
fn skip_item(rest: &mut Tokens) {
    let mut ends_in_body = true;
    while let Some(token) = rest.next() {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => drop(attribute(rest)),
            TokenTree::Ident(word) if word == "use" || word == "static" || word == "let" => {
                ends_in_body = false
            }
            TokenTree::Group(body) if ends_in_body && body.delimiter() == Delimiter::Brace => return,
            token if is_punct(&token, ';') || is_punct(&token, ',') && ends_in_body => return,
            _ => {}
        }
    }
}

/// Takes what follows the first word of a path, and returns all its words.
fn path(first: &Ident, rest: &mut Tokens) -> Vec<String> {
    let mut path = vec![first.to_string()];
    while rest.peek().is_some_and(is_joint_colon) {
        let mut ahead = rest.clone();
        ahead.nth(1);
        let Some(TokenTree::Ident(word)) = ahead.next() else { break };
        path.push(word.to_string());
        *rest = ahead;
    }
    path
}

/// The first half of `::`.
fn is_joint_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == ':' && sign.spacing() == Spacing::Joint)
}

fn is_word(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_))
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(own) if own.as_char() == sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(text: &str) -> Vec<(String, String, bool)> {
        let import = |i: Import| (i.name, i.from.path.join("::"), i.is_public);
        Code::parse(text).imports.into_iter().map(import).collect()
    }

    #[test]
    fn a_use_is_taken_apart() {
        let import = |name: &str, path: &str, is_public| (name.to_owned(), path.to_owned(), is_public);
        assert_eq!(
            imports("use crate::a::{self, b::{C as D, *}, e as _};\npub(super) use f::G;"),
            [
                import("a", "crate::a", false),
                import("D", "crate::a::b::C", false),
                import("*", "crate::a::b", false),
                import("_", "crate::a::e", false),
                import("G", "f::G", true),
            ]
        );
        assert_eq!(imports("use self::x::{y};"), [import("y", "self::x::y", false)]);
    }

    #[test]
    fn paths_are_found_with_their_lines_wherever_they_stand() {
        let code = Code::parse(
            "fn f(x: super::A) {\n  println!(\"{}\", crate::b::c::<u8>());\n  x.y(); ::std::mem::drop(S { z: x });\n}",
        );
        let paths: Vec<_> = code.paths.iter().map(|m| (m.path.join("::"), m.line)).collect();
        assert_eq!(paths, [("super::A".to_owned(), 1), ("crate::b::c".to_owned(), 2)]);
        assert!(code.items["f"] && !code.words.contains_key("y") && !code.words.contains_key("z"));
    }

    #[test]
    fn comments_strings_and_tests_mention_nothing() {
        let text = "//! See [`crate::a`].\n/// crate::b\n#[doc(alias = \"crate::c\")]\nfn f() { \"crate::d::e\"; }\n\
                    #[cfg(test)]\nuse crate::g::{h, i};\n#[cfg(test)]\nmod tests { use crate::j::k; }\nstruct S;";
        let code = Code::parse(text);
        assert!(code.imports.is_empty() && code.paths.is_empty() && code.inner.is_empty(), "{code:?}");
        assert_eq!(
            code.items.into_iter().collect::<Vec<_>>(),
            [("S".to_owned(), false), ("f".to_owned(), true)]
        );
        assert!(Code::parse("#![cfg(test)]\nuse crate::a::b;").imports.is_empty());
    }

    #[test]
    fn modules_in_a_file_are_apart_from_it() {
        let code = Code::parse("mod a;\nmod b { use super::c::D; }");
        let [(name, inner)] = &code.inner[..] else { panic!("{code:?}") };
        assert!(name == "b" && inner.imports.len() == 1 && code.imports.is_empty());
    }
}
