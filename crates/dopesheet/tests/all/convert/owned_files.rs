//! Files that are handed over become the same file, in pieces.

use dopesheet::{
    ConvertOptions, Opened, ReadOptions, convert, convert::convert_owned, core::format::Output, open,
    puppet::standard_model, registry,
};
use dopesheet_testkit::workspace;

fn sample(name: &str) -> Opened {
    open(&workspace().join("samples").join(name), None, &ReadOptions::default()).unwrap()
}

#[test]
fn files_that_are_handed_over_become_the_same_file() {
    let standard = standard_model().unwrap();
    let mut seen = 0;
    for (names, has_model, word) in [
        (&["bow.vmd"][..], true, "glb"),
        (&["bow.vmd", "walk.vmd", "camera.vmd"], true, "glb@khr-meshopt"),
        (&["bow.vmd"], true, "gltf"),
        (&["bow.vmd"], false, "vrma"),
        (&["wave.json"], false, "playcanvas"),
        (&["wave.json"], false, "glb"),
        (&["character.glb"], false, "glb"),
        (&["character.glb"], false, "glb@meshopt"),
        (&["jump.bvh"], true, "vmd"),
    ] {
        let (id, variant) = registry::split_variant(word);
        let variant = variant.map(str::to_owned);
        let options = ConvertOptions { variant, ..ConvertOptions::to(registry::wanted(id).unwrap()) };
        let inputs = || names.iter().map(|name| sample(name)).collect::<Vec<_>>();
        let model = has_model.then_some(&standard);
        let borrowed = convert(&inputs(), &ConvertOptions { model, ..options.clone() }).unwrap();
        let owned = convert_owned(inputs(), model.cloned(), &options).unwrap();
        assert_eq!(owned.report, borrowed.report, "{names:?} to {word}");
        assert!(Output::from(owned.output) == borrowed.output, "{names:?} to {word}");
        seen += 1;
    }
    assert_eq!(seen, 9);
}

/// The model of the options counts where none is handed over.
#[test]
fn a_model_may_stay_with_its_owner() {
    let standard = standard_model().unwrap();
    let to = registry::wanted("glb").unwrap();
    let options = ConvertOptions { model: Some(&standard), ..ConvertOptions::to(to) };
    let made = convert_owned(vec![sample("bow.vmd")], None, &options).unwrap();
    assert!(made.output.main.len() > 1, "it is in one piece");
    let whole = convert(&[sample("bow.vmd")], &options).unwrap();
    assert!(Output::from(made.output) == whole.output);
}
