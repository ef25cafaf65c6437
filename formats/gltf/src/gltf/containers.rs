//! Operations shared by text and binary containers.

/// The methods of [`Format`](dopesheet_core::format::Format) shared by both containers; with `of documents`
/// only the methods that make no document of a scene.
macro_rules! both_containers {
    () => {
        $crate::gltf::both_containers!(of documents);

        fn from_scene(
            scene: &Scene,
            options: &FromScene,
            report: &mut Report,
        ) -> Result<Document, ConvertError> {
            $crate::gltf::from_scene(Self::INFO.id, scene, options, report)
        }

        fn update(
            document: &mut Document,
            scene: &Scene,
            options: &FromScene,
            report: &mut Report,
        ) -> Result<(), ConvertError> {
            $crate::gltf::update(Self::INFO.id, document, scene, options, report)
        }

        fn summary(document: &Document) -> Summary {
            $crate::gltf::summary(document)
        }
    };
    (of documents) => {
        fn subject(document: &Document, fault: &Fault) -> Option<Subject> {
            $crate::gltf::subject(document, fault)
        }

        fn to_scene(
            document: &Document,
            options: &ToScene,
            report: &mut Report,
        ) -> Result<Scene, ConvertError> {
            $crate::gltf::to_scene(Self::INFO.id, document, options, report)
        }

        fn storage(variant: Option<&str>) -> KeyStorage {
            $crate::gltf::storage(variant)
        }

        fn node_names(scene: &Scene) -> Vec<String> {
            $crate::gltf::names(scene)
        }

        fn edit(document: &mut Document, edit: &Edit, report: &mut Report) -> Result<(), ConvertError> {
            $crate::gltf::edit(Self::INFO.id, document, edit, report)
        }

        fn attach(
            document: &mut Document,
            scene: &Scene,
            options: &Attach,
            report: &mut Report,
        ) -> Result<Vec<String>, ConvertError> {
            $crate::gltf::attach(Self::INFO.id, document, scene, options, report)
        }
    };
}
pub(crate) use both_containers;
