//! Records of FBX, built by hand and put down as text or as bytes. It is what the reader under test has no part in.
//!
//! Source of the binary form: "FBX binary file format specification" (code.blender.org, 2013).

/// A value of a record.
#[derive(Clone)]
pub(crate) enum Value {
    Int(i32),
    Long(i64),
    Double(f64),
    Text(String),
    /// Name and class of an object.
    Name(String, &'static str),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    /// So many mebibytes of zeros as numbers of eight bytes, compressed; bytes only.
    Zeros(u32),
}

/// A record: a word, its values, and records within it.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) word: &'static str,
    pub(crate) values: Vec<Value>,
    /// `None` where the form has no braces.
    pub(crate) children: Option<Vec<Record>>,
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Long(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// A record without others in it.
pub(crate) fn leaf(word: &'static str, values: Vec<Value>) -> Record {
    Record { word, values, children: None }
}

/// A record with others in it.
pub(crate) fn node(word: &'static str, values: Vec<Value>, children: Vec<Record>) -> Record {
    Record { word, values, children: Some(children) }
}

const INTRODUCTION: &str = "; FBX 7.4.0 project file\n";

/// The file as text.
pub(crate) fn text(records: &[Record]) -> Vec<u8> {
    let mut out = INTRODUCTION.to_owned();
    records.iter().for_each(|record| put_text(&mut out, record, 0));
    out.into_bytes()
}

fn put_text(out: &mut String, record: &Record, depth: usize) {
    let indent = "\t".repeat(depth);
    let list = |out: &mut String, numbers: Vec<String>| {
        *out += &format!(
            "{indent}{}: *{} {{\n{indent}\ta: {}\n{indent}}}\n",
            record.word,
            numbers.len(),
            numbers.join(",")
        );
    };
    match record.values.first() {
        Some(Value::Ints(all)) => return list(out, all.iter().map(ToString::to_string).collect()),
        Some(Value::Longs(all)) => return list(out, all.iter().map(ToString::to_string).collect()),
        Some(Value::Floats(all)) => return list(out, all.iter().map(ToString::to_string).collect()),
        Some(Value::Doubles(all)) => return list(out, all.iter().map(ToString::to_string).collect()),
        _ => {}
    }
    let words: Vec<String> = record.values.iter().map(word).collect();
    *out += &format!("{indent}{}: {}", record.word, words.join(", "));
    match &record.children {
        None => *out += "\n",
        Some(children) => {
            *out += " {\n";
            children.iter().for_each(|child| put_text(out, child, depth + 1));
            *out += &format!("{indent}}}\n");
        }
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Long(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::Text(text) => format!("\"{text}\""),
        Value::Name(name, class) => format!("\"{class}::{name}\""),
        Value::Ints(_) | Value::Longs(_) | Value::Floats(_) | Value::Doubles(_) | Value::Zeros(_) => {
            String::new()
        }
    }
}

/// The file as bytes.
pub(crate) fn binary(records: &[Record]) -> Vec<u8> {
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(7400u32.to_le_bytes());
    records.iter().for_each(|record| put_binary(&mut out, record));
    out.extend(END);
    out
}

/// Bytes behind the last record within another one.
const END: [u8; 13] = [0; 13];

fn put_binary(out: &mut Vec<u8>, record: &Record) {
    let start = out.len();
    out.extend([0; 12]);
    out.push(record.word.len() as u8);
    out.extend(record.word.as_bytes());
    let values = out.len();
    record.values.iter().for_each(|value| put_value(out, value));
    let length = out.len() - values;
    if let Some(children) = &record.children {
        children.iter().for_each(|child| put_binary(out, child));
        out.extend(END);
    }
    for (at, number) in [out.len(), record.values.len(), length].into_iter().enumerate() {
        out[start + 4 * at..start + 4 * (at + 1)].copy_from_slice(&(number as u32).to_le_bytes());
    }
}

fn put_value(out: &mut Vec<u8>, value: &Value) {
    let mut list = |code: u8, count: usize, bytes: Vec<u8>| {
        out.push(code);
        out.extend((count as u32).to_le_bytes());
        // Not compressed.
        out.extend(0u32.to_le_bytes());
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    };
    match value {
        Value::Zeros(mebibytes) => {
            let compressed = zeros(*mebibytes);
            out.push(b'd');
            out.extend((*mebibytes << 17).to_le_bytes());
            out.extend(1u32.to_le_bytes());
            out.extend((compressed.len() as u32).to_le_bytes());
            out.extend(compressed);
        }
        Value::Ints(all) => list(b'i', all.len(), all.iter().flat_map(|n| n.to_le_bytes()).collect()),
        Value::Longs(all) => list(b'l', all.len(), all.iter().flat_map(|n| n.to_le_bytes()).collect()),
        Value::Floats(all) => list(b'f', all.len(), all.iter().flat_map(|n| n.to_le_bytes()).collect()),
        Value::Doubles(all) => list(b'd', all.len(), all.iter().flat_map(|n| n.to_le_bytes()).collect()),
        Value::Int(number) => {
            out.push(b'I');
            out.extend(number.to_le_bytes());
        }
        Value::Long(number) => {
            out.push(b'L');
            out.extend(number.to_le_bytes());
        }
        Value::Double(number) => {
            out.push(b'D');
            out.extend(number.to_le_bytes());
        }
        Value::Text(text) => put_text_value(out, text.as_bytes()),
        Value::Name(name, class) => {
            put_text_value(out, &[name.as_bytes(), b"\0\x01", class.as_bytes()].concat())
        }
    }
}

fn put_text_value(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'S');
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
}

/// So many mebibytes of zeros as a stream of zlib: deflate's longest copies, one bit for each length and one for each distance.
fn zeros(mebibytes: u32) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![0; 1 << 20];
    for _ in 0..mebibytes {
        std::io::Write::write_all(&mut encoder, &block).unwrap();
    }
    encoder.finish().unwrap()
}
