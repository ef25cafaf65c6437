//! The examples run, on the samples.

use dopesheet_testkit::workspace;

#[path = "../../examples/arrays.rs"]
mod arrays;
#[path = "../../examples/check_folder.rs"]
mod check_folder;
#[path = "../../examples/convert_with_report.rs"]
mod convert_with_report;
#[path = "../../examples/edit_fields.rs"]
mod edit_fields;
#[path = "../../examples/pose_at_a_time.rs"]
mod pose_at_a_time;
#[path = "../../examples/pose_by_name.rs"]
mod pose_by_name;

#[test]
fn arrays_runs() {
    arrays::run(&workspace().join("samples/jump.bvh")).unwrap();
}

#[test]
fn check_folder_runs() {
    check_folder::run(&workspace().join("samples")).unwrap();
}

#[test]
fn convert_with_report_runs() {
    convert_with_report::run(&workspace().join("samples/bow.vmd")).unwrap();
}

#[test]
fn edit_fields_runs() {
    edit_fields::run(&workspace().join("samples/bow.vmd")).unwrap();
}

#[test]
fn pose_at_a_time_runs() {
    pose_at_a_time::run(&workspace().join("samples/bow.vmd")).unwrap();
}

#[test]
fn pose_by_name_runs() {
    pose_by_name::run(&workspace().join("samples/jump.bvh")).unwrap();
}
