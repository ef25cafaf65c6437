//! Document to scene, by way of PMX.

use crate::pmd::bytes::{File, material, vertex};
use crate::pmd::fixtures::everything;
use dopesheet_core::diag::Report;
use dopesheet_core::format::{Format, ReadOptions, Source, ToScene};
use dopesheet_mmd::{BASIS, Pmd, Pmx};
use dopesheet_testkit::read;
use std::collections::BTreeMap;

#[test]
fn the_scene_is_that_of_the_lifted_model() {
    let document = read::<Pmd>(&everything().done());
    let (mut of_pmd, mut of_pmx) = (Report::default(), Report::default());
    let scene = Pmd::to_scene(&document, &ToScene::default(), &mut of_pmd).unwrap();
    let lifted = document.lift(&mut Report::default());
    assert_eq!(Pmx::to_scene(&lifted, &ToScene::default(), &mut of_pmx).as_ref(), Ok(&scene));
    assert_eq!(of_pmd, of_pmx);
    assert_eq!(scene.basis, BASIS);
    let names: Vec<_> = scene.nodes.iter().take(5).map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["センター", "左足", "左ひざ", "左足首", "左足ＩＫ"]);
    assert_eq!((scene.rig.ik.len(), scene.meshes.len()), (1, 1));
}

#[test]
fn pictures_are_asked_for_and_kept_as_those_of_the_lifted_model() {
    let file = File::new().with(|file| {
        file.vertices = vec![vertex([0.0; 3], [0, 0], 100); 3];
        file.faces = vec![0, 1, 2];
        file.materials = vec![material(1.0, 255, 0, 3, b"tex\\a.png*b.sph")];
    });
    let bytes = file.done();
    assert_eq!(Pmd::wants(&bytes), ["tex/a.png"]);
    assert_eq!(Pmd::wants(&bytes[..400]), [""; 0], "materials that are not there want nothing");
    assert_eq!(Pmd::wants(b"Pmx"), [""; 0]);
    let loaded = [("tex/a.png", b"picture"), ("other.png", b"another")];
    let resources: BTreeMap<_, _> = loaded.map(|(name, data)| (name.to_owned(), data.to_vec())).into();
    let source = Source { main: &bytes, resources };
    let document = Pmd::read(&source, &ReadOptions::default(), &mut Report::default()).unwrap();
    assert_eq!(document.pictures.keys().collect::<Vec<_>>(), ["tex/a.png"]);
    assert_eq!(document.lift(&mut Report::default()).pictures, document.pictures);
}
