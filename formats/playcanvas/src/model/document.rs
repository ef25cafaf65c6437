//! A model file as stored: its text, and the meaning of the text.

/// A model file. The document keeps the text from which it was read, and the same text is written back.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub(super) source: String,
    pub(super) model: Model,
    pub(super) places: PartOffsets,
}

impl Document {
    /// The model in the file.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// The text from which the document was read.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Offsets of parts in the text, for messages; one entry per part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PartOffsets {
    pub(super) model: usize,
    pub(super) version: Option<usize>,
    pub(super) nodes: Vec<usize>,
    pub(super) parents: Vec<usize>,
    pub(super) parents_list: usize,
    pub(super) skins: Vec<usize>,
    pub(super) vertices: Vec<usize>,
    pub(super) meshes: Vec<usize>,
    pub(super) morphs: Vec<usize>,
    pub(super) instances: Vec<usize>,
}

/// The member `model`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// `None` if absent.
    pub version: Option<f64>,
    /// Nodes in the order of the file; the first node is the root of all others.
    pub nodes: Vec<Node>,
    /// The bones for deforming meshes.
    pub skins: Vec<Skin>,
    /// Vertex buffers, shared by meshes.
    pub vertices: Vec<VertexBuffer>,
    /// Parts to draw.
    pub meshes: Vec<Mesh>,
    /// Instances for drawing the meshes.
    pub mesh_instances: Vec<MeshInstance>,
    /// Shapes for blending meshes.
    pub morphs: Vec<Morph>,
}

impl Model {
    /// All nodes depth first, children in the order of the file: the order in which the engine searches for
    /// names.
    ///
    /// Nodes that do not descend from the first are absent; a model read from a file has no such nodes.
    #[must_use]
    pub fn depth_first(&self) -> Vec<usize> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            if let Some(list) = node.parent.and_then(|parent| children.get_mut(parent)) {
                list.push(index);
            }
        }
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open: Vec<usize> = (!self.nodes.is_empty()).then_some(0).into_iter().collect();
        while let Some(node) = open.pop() {
            order.push(node);
            if let Some(list) = children.get(node) {
                open.extend(list.iter().rev());
            }
        }
        order
    }
}

impl Model {
    /// The skin for each mesh; `None` also if no vertex of the mesh's buffer has a weight, as in files of an
    /// exporter that gave every mesh a skin.
    #[must_use]
    pub fn effective_skins(&self) -> Vec<Option<usize>> {
        let has_weights = |buffer: &VertexBuffer| {
            buffer.attribute("blendWeight").is_some_and(|weights| weights.data.iter().any(|w| *w != 0.0))
        };
        let weighted: Vec<bool> = self.vertices.iter().map(has_weights).collect();
        let skin = |mesh: &Mesh| mesh.skin.filter(|_| weighted.get(mesh.vertices) == Some(&true));
        self.meshes.iter().map(skin).collect()
    }
}

/// A node of the hierarchy with the pose at the time of export, which may differ from the bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Name, used by animations and skins for the node.
    pub name: String,
    /// Index of its parent in `nodes`; `None` for the first.
    pub parent: Option<usize>,
    /// Position relative to the parent, in the model's unit of length.
    pub position: [f64; 3],
    /// Euler angles in degrees; the rotation is qZ·qY·qX.
    pub rotation: [f64; 3],
    /// Factors; negative ones occur.
    pub scale: [f64; 3],
    /// True if the node ignores its parent's scale.
    pub scale_compensation: bool,
}

/// The bones that deform a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Names of nodes, in the order of the numbers in vertices.
    pub bone_names: Vec<String>,
    /// From mesh space to the space of each bone at bind time; column-major, translation at 12 to 14.
    pub inverse_bind: Vec<[f64; 16]>,
}

/// The attributes of a set of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexBuffer {
    /// Attributes in the order of the file; all have the same number of vertices.
    pub attributes: Vec<Attribute>,
}

impl VertexBuffer {
    /// An attribute by name: `position`, `normal`, `texCoord0`, `blendIndices`, `blendWeight` …
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.attribute("position").map_or(0, |a| a.data.len() / a.components.max(1))
    }

    /// True if there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An attribute of all vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribute {
    /// Name, which determines the attribute's meaning.
    pub name: String,
    /// Number type used by the engine for storage: `float32`, `uint8` …
    pub kind: String,
    /// Numbers per vertex, 1 to 4.
    pub components: usize,
    /// The numbers of all vertices, vertex by vertex, in single precision as in the engine.
    pub data: Vec<f32>,
}

/// A part to draw: a range of vertices or indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Position in `vertices`.
    pub vertices: usize,
    /// Vertices by number; `None` takes them as they come.
    pub indices: Option<Vec<u32>>,
    /// Primitive type: `triangles`, `trianglestrip`, `lines` …
    pub kind: String,
    /// First index or vertex to be drawn.
    pub base: usize,
    /// Number of indices or vertices to be drawn.
    pub count: usize,
    /// Position in `skins`.
    pub skin: Option<usize>,
    /// Position in `morphs`.
    pub morph: Option<usize>,
}

/// A mesh at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshInstance {
    /// Position in `nodes`.
    pub node: usize,
    /// Position in `meshes`.
    pub mesh: usize,
}

/// Shapes for blending a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    /// Morph targets in the order of their weights.
    pub targets: Vec<MorphTarget>,
}

/// Offsets of a mesh for one shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Name; may be empty.
    pub name: String,
    /// The moving vertices; `None` means all, in order.
    pub indices: Option<Vec<u32>>,
    /// Three numbers per vertex, in the model's unit of length.
    pub delta_positions: Vec<f32>,
    /// Three numbers per vertex.
    pub delta_normals: Vec<f32>,
}
