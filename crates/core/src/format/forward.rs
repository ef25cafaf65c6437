//! Methods of a format that are functions of its modules.

/// Methods of [`Format`](crate::format::Format), each of them the function of its name in a module: `forward! { info::probe }`.
#[macro_export]
macro_rules! forward {
    (@probe $to:path) => {
        fn probe(head: &[u8], hint: &$crate::format::Hint) -> $crate::format::Confidence {
            $to(head, hint)
        }
    };
    (@wants $to:path) => {
        fn wants(main: &[u8]) -> Vec<$crate::format::ResourceName> {
            $to(main)
        }
    };
    (@check $to:path) => {
        fn check(document: &Self::Document, report: &mut $crate::diag::Report) {
            $to(document, report);
        }
    };
    (@subject $to:path) => {
        fn subject(document: &Self::Document, fault: &$crate::diag::Fault) -> Option<$crate::diag::Subject> {
            $to(document, fault)
        }
    };
    (@summary $to:path) => {
        fn summary(document: &Self::Document) -> $crate::format::Summary {
            $to(document)
        }
    };
    (@to_scene $to:path) => {
        fn to_scene(
            document: &Self::Document,
            options: &$crate::format::ToScene<'_>,
            report: &mut $crate::diag::Report,
        ) -> Result<$crate::model::Scene, $crate::diag::ConvertError> {
            $to(document, options, report)
        }
    };
    (@from_scene $to:path) => {
        fn from_scene(
            scene: &$crate::model::Scene,
            options: &$crate::format::FromScene,
            report: &mut $crate::diag::Report,
        ) -> Result<Self::Document, $crate::diag::ConvertError> {
            $to(scene, options, report)
        }
    };
    (@storage $to:path) => {
        fn storage(variant: Option<&str>) -> $crate::format::KeyStorage {
            $to(variant)
        }
    };
    (@in_world $to:path) => {
        fn in_world(scene: &$crate::model::Scene) -> Vec<$crate::model::NodeIndex> {
            $to(scene)
        }
    };
    (@leave_out $to:path) => {
        fn leave_out(scene: &mut $crate::model::Scene, report: &mut $crate::diag::Report) {
            $to(scene, report);
        }
    };
    (@update $to:path) => {
        fn update(
            document: &mut Self::Document,
            scene: &$crate::model::Scene,
            options: &$crate::format::FromScene,
            report: &mut $crate::diag::Report,
        ) -> Result<(), $crate::diag::ConvertError> {
            $to(document, scene, options, report)
        }
    };
    (@capabilities $to:path) => {
        fn capabilities(scene: &$crate::model::Scene, variant: Option<&str>) -> $crate::format::Capabilities {
            $to(scene, variant)
        }
    };
    (@stored_name $to:path) => {
        fn stored_name(name: &str) -> std::borrow::Cow<'_, str> {
            $to(name)
        }
    };
    (@edit $to:path) => {
        fn edit(
            document: &mut Self::Document,
            edit: &$crate::format::Edit,
            report: &mut $crate::diag::Report,
        ) -> Result<(), $crate::diag::ConvertError> {
            $to(document, edit, report)
        }
    };
    ($($module:ident::$method:ident),* $(,)?) => {
        $($crate::forward!(@$method $module::$method);)*
    };
}
