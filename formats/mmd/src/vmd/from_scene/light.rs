//! The light.

use super::Writer;
use super::lane::{CurveLane, Moment};
use super::optic::{Optic, Rest, rotate, three};
use super::plan::Plan;
use crate::BASIS;
use crate::vmd::defaults;
use crate::vmd::document::LightKeyframe;
use dopesheet_core::diag::ConvertError;
use dopesheet_core::model::{Property, TargetKind};

impl Writer<'_, '_> {
    pub(super) fn light(&mut self) -> Result<(), ConvertError> {
        let Some(optic) = self.optic(TargetKind::Light, |node| node.light.is_some()) else { return Ok(()) };
        let color = optic.curves(&Property::Color).into_iter().next();
        let resting_color = match color {
            Some(_) => defaults::LIGHT_COLOR,
            None => self.light_color(&optic),
        };
        let turn = optic.curves(&Property::Rotation).into_iter().next();
        let direction = optic.curves(&Property::Direction).into_iter().next().or_else(|| optic.aim());
        let rest = self.rest(optic.node);
        let lanes = [
            CurveLane::new(color, 0..3, &resting_color)?,
            CurveLane::new(direction, 0..3, &defaults::LIGHT_DIRECTION)?,
            CurveLane::new(turn.filter(|_| direction.is_none()), 0..4, &rest.turn)?,
        ];
        let plan = Plan::new(&lanes);
        self.losses.plan(&plan, true);
        let is_turned = turn.is_some() && direction.is_none();
        for (moment, _) in plan.moments() {
            let [color, direction, turn] = &lanes;
            let direction = match is_turned {
                true => shining(&rest, turn, moment),
                false => three(direction.value(moment)),
            };
            self.sources.lights.push(lanes.iter().find_map(|lane| lane.source(moment)));
            self.document.lights.push(LightKeyframe {
                frame: moment.frame(),
                color: three(color.value(moment)),
                direction,
            });
        }
        Ok(())
    }

    /// The colour of a light with a constant colour.
    fn light_color(&self, optic: &Optic<'_>) -> [f32; 3] {
        let node = optic.node.and_then(|node| self.scene.node(node));
        let light = node.and_then(|node| node.light).and_then(|light| self.scene.lights.get(light.0));
        light.map_or(defaults::LIGHT_COLOR, |light| light.color.map(|part| part as f32))
    }
}

/// The direction of light from a turning node.
fn shining(rest: &Rest, turn: &CurveLane<'_>, moment: Moment) -> [f32; 3] {
    rotate(rest.turn_in_scene(turn, moment), BASIS.light_shines.vector()).map(|part| part as f32)
}
