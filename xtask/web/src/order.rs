//! Functions of a module in an order in which a host's compression finds what they have in common.
//!
//! Compression looks back 32 KiB, and much of a program is the same function for several types: sorting, maps, iterators. Side
//! by side they take a twentieth less.

use std::cmp::Ordering;
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader, KnownCustom, Name, Parser,
    Payload,
};

/// A module with its functions by name and then by content, and without their names.
pub(crate) fn by_name(module: &[u8]) -> Result<Vec<u8>, Error> {
    let mut sorted = Module::new();
    Sorting::of(module)?.parse_core_module(&mut sorted, Parser::new(0), module)?;
    Ok(sorted.finish())
}

/// Which functions stand where.
struct Sorting {
    /// Number of functions from outside; those keep their places.
    imported: usize,
    /// The functions of the module as they will stand, each by where it stood.
    order: Vec<usize>,
    /// Where each of them will stand.
    places: Vec<u32>,
}

impl Sorting {
    fn of(module: &[u8]) -> Result<Self, Error> {
        let (mut imported, mut names, mut bodies) = (0, Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        imported += usize::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(section) = section.as_known() {
                        names = function_names(section)?;
                    }
                }
                _ => {}
            }
        }
        let name = |at: &usize| names.get(imported + at).copied().map_or("", without_hash);
        let mut order: Vec<usize> = (0..bodies.len()).collect();
        order.sort_by(|a, b| match name(a).cmp(name(b)) {
            Ordering::Equal => bodies[*a].cmp(bodies[*b]),
            other => other,
        });
        let mut places = vec![0; order.len()];
        for (position, at) in (0..).zip(&order) {
            places[*at] = position;
        }
        Ok(Self { imported, order, places })
    }
}

impl Reencode for Sorting {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        let position = (function as usize).checked_sub(self.imported).and_then(|at| self.places.get(at));
        Ok(position.map_or(function, |position| self.imported as u32 + position))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        let types: Vec<u32> = section.into_iter().collect::<Result<_, _>>()?;
        for at in self.order.clone() {
            functions.function(self.type_index(types[at])?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error> {
        let bodies: Vec<FunctionBody<'_>> = section.into_iter().collect::<Result<_, _>>()?;
        for at in self.order.clone() {
            self.parse_function_body(code, bodies[at].clone())?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error> {
        if !matches!(section.as_known(), KnownCustom::Name(_)) {
            module.section(&self.custom_section(section)?);
        }
        Ok(())
    }
}

/// The names of all functions, imported ones first; empty for those that have none.
fn function_names<'a>(section: wasmparser::NameSectionReader<'a>) -> Result<Vec<&'a str>, Error> {
    let mut names = Vec::new();
    for part in section {
        let Name::Function(all) = part? else { continue };
        for naming in all {
            let naming = naming?;
            let at = naming.index as usize;
            names.resize(names.len().max(at + 1), "");
            names[at] = naming.name;
        }
    }
    Ok(names)
}

/// A name without the number by which functions of one name for several types are told apart.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((rest, hash)) if hash.len() == 16 && hash.bytes().all(|c| c.is_ascii_hexdigit()) => rest,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        CodeSection, ExportKind, ExportSection, Function, ImportSection, IndirectNameMap, NameMap,
        NameSection, TypeSection, ValType,
    };

    /// A module that imports one function and has three, of which the first calls the others.
    fn module() -> Vec<u8> {
        let mut module = Module::new();
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("env", "theirs", wasm_encoder::EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(0).function(0).function(0);
        let mut exports = ExportSection::new();
        exports.export("sum", ExportKind::Func, 1);
        let mut code = CodeSection::new();
        let mut sum = Function::new([]);
        sum.instructions().call(2).call(3).i32_add().end();
        code.function(&sum);
        for value in [40, 2] {
            let mut function = Function::new([]);
            function.instructions().i32_const(value).end();
            code.function(&function);
        }
        let mut named = NameMap::new();
        for (at, name) in
            ["theirs", "z::sum::h0123456789abcdef", "b::h00000000000000ff", "a"].iter().enumerate()
        {
            named.append(at as u32, name);
        }
        let mut names = NameSection::new();
        names.functions(&named);
        names.locals(&IndirectNameMap::new());
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
        module.section(&names);
        module.finish()
    }

    #[test]
    fn functions_stand_by_name_and_are_called_where_they_stand() {
        let sorted = by_name(&module()).unwrap();
        let (mut exported, mut constants, mut calls) = (None, Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(&sorted) {
            match payload.unwrap() {
                Payload::ExportSection(section) => {
                    exported = Some(section.into_iter().next().unwrap().unwrap().index)
                }
                Payload::CodeSectionEntry(body) => {
                    for operator in body.get_operators_reader().unwrap() {
                        match operator.unwrap() {
                            wasmparser::Operator::I32Const { value } => constants.push(value),
                            wasmparser::Operator::Call { function_index } => calls.push(function_index),
                            _ => {}
                        }
                    }
                }
                Payload::CustomSection(section) => panic!("{}", section.name()),
                _ => {}
            }
        }
        // a, b, sum: what was called third is now the first behind the imported one.
        assert_eq!((exported, constants, calls), (Some(3), vec![2, 40], vec![2, 1]));
    }

    #[test]
    fn only_hashes_are_left_out() {
        assert_eq!(without_hash("a::b::h0123456789abcdef"), "a::b");
        assert_eq!(without_hash("a::hello"), "a::hello");
    }

    #[test]
    fn what_is_no_module_is_refused() {
        assert!(by_name(b"no module").is_err());
    }
}
