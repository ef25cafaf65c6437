//! The table of bones of the motion and of the figure that takes the motion.

use crate::files::Placing;
use crate::model::tab::Tab;
use crate::ui::theme::rgb;
use crate::view::Dot;
use crate::viewer::Viewer;
use dopesheet::bone_table::{BoneCell, BoneRow, Certainty};
use dopesheet::core::model::{HumanBone, NodeIndex};
use eframe::egui::{Align, CollapsingHeader, Color32, ComboBox, Grid, RichText, TextWrapMode, Ui};

/// Parts of words of small bones, listed apart.
const DETAILS: [&str; 7] = ["Thumb", "Index", "Middle", "Ring", "Little", "Eye", "jaw"];
/// Least width of a cell, in points, and its share of the table's width.
const CELL: f32 = 70.0;
const SHARE: f32 = 0.29;

/// What the marks on joints and the names of bones are for.
const LEGEND: &str = "The marks on the joints have the colours of the words below. Choose another node from a list, or click a bone and \
                      then its joint in the scene.";

/// A choice in the table: a node becomes a bone.
struct Chosen {
    side: usize,
    bone: HumanBone,
    node: String,
}

impl Viewer {
    pub(in crate::ui) fn bone_table(&mut self, ui: &mut Ui) {
        if let Some(fault) = &self.bones.fault {
            ui.label(RichText::new(fault).small().color(ui.visuals().warn_fg_color));
            return;
        }
        let is_sure = |row: &BoneRow| row.cells.iter().all(|cell| is_sure(cell.certainty));
        let is_off = |row: &BoneRow| self.deviation_deg(row.bone).is_some();
        let doubtful = self.bones.table.rows.iter().filter(|row| !is_sure(row) || is_off(row)).count();
        let title = match doubtful {
            0 => "Bones".to_owned(),
            count => format!("Bones ({count} to be looked at)"),
        };
        let is_wanted = self.bones.wanted.is_some();
        let header = CollapsingHeader::new(title).id_salt("bones").default_open(doubtful > 0);
        let header = header.open(is_wanted.then_some(true)).show(ui, |ui| self.bone_rows(ui));
        self.bones.is_open = header.openness > 0.0;
        if is_wanted && header.openness >= 1.0 {
            self.bones.wanted = None;
        }
        self.controls.note("bones", &header.header_response);
    }

    /// Angle in degrees by which the limb of a bone is off, if it is.
    fn deviation_deg(&self, bone: HumanBone) -> Option<f64> {
        self.fitting.off.iter().find(|(word, _)| word == bone.word()).map(|(_, degrees)| *degrees)
    }

    fn bone_rows(&mut self, ui: &mut Ui) {
        ui.label(RichText::new(LEGEND).small().weak());
        let rows = std::mem::take(&mut self.bones.table.rows);
        let is_detail = |row: &&BoneRow| is_detail(row.bone);
        let (details, body): (Vec<&BoneRow>, Vec<&BoneRow>) = rows.iter().partition(is_detail);
        let mut chosen = None;
        self.rows(ui, "body", &body, &mut chosen);
        if !details.is_empty() {
            let is_wanted = |row: &&BoneRow| self.bones.wanted.as_deref() == Some(row.bone.word());
            let header = CollapsingHeader::new("Fingers, eyes and jaw").id_salt("details");
            let header = header.open(details.iter().any(is_wanted).then_some(true));
            let header = header.show(ui, |ui| self.rows(ui, "details", &details, &mut chosen));
            self.bones.shows_details = header.openness > 0.0;
            self.controls.note("bone details", &header.header_response);
        }
        self.bones.table.rows = rows;
        if let Some(Chosen { side, bone, node }) = chosen {
            self.bones.sought = Some(bone);
            self.bones.take(side, &node, &mut self.choices);
        }
        if let Some(bone) = self.bones.sought {
            ui.label(
                RichText::new(format!("Click a joint in the scene: it becomes {}.", bone.word())).small(),
            );
        }
        ui.horizontal_wrapped(|ui| {
            let guesses = [0, 1].map(|side| {
                let guesses = self.bones.table.guesses(side);
                guesses.map(|(node, bone)| (node.to_owned(), bone.word().to_owned())).collect::<Vec<_>>()
            });
            if guesses.iter().any(|guesses| !guesses.is_empty()) {
                let take = ui.button("Take the guesses");
                self.controls.note("take guesses", &take);
                if take.clicked() {
                    for (side, guesses) in guesses.into_iter().enumerate() {
                        self.choices.name(side, guesses);
                    }
                }
            }
            if self.choices.has_bones() {
                let reset = ui.button("As found");
                self.controls.note("bones as found", &reset);
                if reset.clicked() {
                    self.choices.unname();
                }
            }
        });
    }

    fn rows(&mut self, ui: &mut Ui, id: &str, rows: &[&BoneRow], chosen: &mut Option<Chosen>) {
        let width = (ui.available_width() * SHARE).max(CELL);
        Grid::new(id).num_columns(3).striped(true).spacing([6.0, 2.0]).show(ui, |ui| {
            for title in ["Bone", "Motion", "Figure"] {
                ui.label(RichText::new(title).small().weak());
            }
            ui.end_row();
            for row in rows {
                ui.vertical(|ui| self.bone_name(ui, row.bone));
                for (side, cell) in row.cells.iter().enumerate() {
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        if let Some(node) = self.cell(ui, side, row.bone, cell, width) {
                            *chosen = Some(Chosen { side, bone: row.bone, node });
                        }
                    });
                }
                ui.end_row();
            }
        });
    }

    /// The name of a bone, which makes it the sought one, and the angle by which its limb is off.
    fn bone_name(&mut self, ui: &mut Ui, bone: HumanBone) {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
        let is_sought = self.bones.sought == Some(bone);
        let name = ui.selectable_label(is_sought, RichText::new(bone.word()).small());
        let name = name.on_hover_text("Choose its joint by a click in the scene");
        self.controls.note(format!("bone {}", bone.word()), &name);
        if self.bones.wanted.as_deref() == Some(bone.word()) {
            name.scroll_to_me(Some(Align::Center));
        }
        if name.clicked() {
            self.bones.sought = Some(bone).filter(|_| !is_sought);
        }
        if let Some(degrees) = self.deviation_deg(bone) {
            let text = format!("{degrees:.1}° off");
            ui.label(RichText::new(text).small().color(ui.visuals().warn_fg_color));
        }
    }

    /// True while the table of bones is looked at, with each figure in its own picture.
    pub(in crate::ui) fn shows_bones(&self) -> bool {
        let is_beside = self.files.placing == Placing::Beside && self.files.fitted.is_some();
        is_beside && self.panels.shows(Tab::Figure) && self.bones.is_open
    }

    /// Marks on the joints in the table, of the motion (0) or of the figure (1).
    pub(in crate::ui) fn bone_dots(&self, side: usize, is_dark: bool) -> Vec<Dot> {
        let Some(cast) = self.sight.casts.get(side).filter(|_| self.shows_bones()) else { return Vec::new() };
        let marks = self.bones.marks(side, |bone| self.bones.shows_details || !is_detail(bone));
        let dot = |(node, point): (NodeIndex, [f32; 3])| {
            let certainty = marks.get(cast.stage.scene().node(node)?.name.as_str())?;
            let color = color_of(*certainty, is_dark)?;
            Some(Dot { point, color: color.to_array() })
        };
        cast.stage.joints(&cast.moment).filter_map(dot).collect()
    }

    /// Makes a clicked joint the sought bone.
    pub(in crate::ui) fn choose_joint(&mut self, side: usize, joint: &str) {
        self.bones.take(side, joint, &mut self.choices);
    }

    /// Name of the node that was chosen in the list for a bone, if it is another one. The list shows the bone's
    /// node; the certainty of that node stands below.
    fn cell(
        &mut self,
        ui: &mut Ui,
        side: usize,
        bone: HumanBone,
        cell: &BoneCell,
        width: f32,
    ) -> Option<String> {
        let name = cell.node.clone().unwrap_or_else(|| "–".to_owned());
        let text = RichText::new(self.bones.short(side, &name)).small();
        let combo = ComboBox::from_id_salt((side, bone.word())).width(width).truncate().height(320.0);
        let (mut chosen, key) = (None, (side, bone.word()));
        let response = combo.selected_text(text).show_ui(ui, |ui| {
            let is_new = self.bones.listed.replace(key) != Some(key);
            for node in self.bones.nodes(side) {
                let is_own = cell.node.as_ref() == Some(&node);
                let choice = ui.selectable_label(is_own, &node);
                if is_new && is_own {
                    choice.scroll_to_me(Some(Align::Center));
                }
                self.controls.note(format!("node {node}"), &choice);
                if choice.clicked() {
                    chosen = Some(node);
                }
            }
        });
        if response.inner.is_none() && self.bones.listed == Some(key) {
            self.bones.listed = None;
        }
        let response = response.response.on_hover_text(&name);
        self.controls.note(format!("bone {} {}", ["motion", "figure"][side], bone.word()), &response);
        ui.label(RichText::new(cell.certainty.word()).small().color(color(ui, cell.certainty)));
        chosen.filter(|node| cell.node.as_ref() != Some(node))
    }
}

/// True of a small bone.
fn is_detail(bone: HumanBone) -> bool {
    DETAILS.iter().any(|part| bone.word().contains(part))
}

/// True of a certainty that needs no look.
const fn is_sure(certainty: Certainty) -> bool {
    matches!(certainty, Certainty::Chosen | Certainty::Certain | Certainty::Likely | Certainty::Absent)
}

fn color(ui: &Ui, certainty: Certainty) -> Color32 {
    color_of(certainty, ui.visuals().dark_mode).unwrap_or_else(|| ui.visuals().weak_text_color())
}

/// The colour of a certainty; `None` for an optional bone without a node.
const fn color_of(certainty: Certainty, is_dark: bool) -> Option<Color32> {
    let [dark, light] = match certainty {
        Certainty::Chosen => [[125, 170, 255], [40, 80, 170]],
        Certainty::Certain => [[110, 200, 125], [25, 120, 50]],
        Certainty::Likely => [[200, 200, 110], [115, 105, 0]],
        Certainty::Doubtful | Certainty::Guessed => [[255, 150, 50], [190, 95, 0]],
        Certainty::Missing => [[255, 90, 90], [200, 30, 30]],
        Certainty::Absent => return None,
    };
    Some(rgb(if is_dark { dark } else { light }))
}
