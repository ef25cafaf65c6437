//! Parents of bones: the links between bones, without links to nowhere and without circles.

use super::document::Document;

/// Links from each bone to at most one other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Links {
    /// The other bone; `None` without a link, and for a cut link.
    pub(super) to: Vec<Option<usize>>,
    /// The bones whose link closed a circle.
    pub(crate) cut: Vec<usize>,
}

impl Links {
    /// The links of bones in their order; links to missing bones become `None`.
    pub(crate) fn new(to: impl ExactSizeIterator<Item = Option<usize>>) -> Self {
        let count = to.len();
        let mut links = Self { to: to.map(|to| to.filter(|to| *to < count)).collect(), cut: Vec::new() };
        let mut seen_from = vec![None; count];
        for start in 0..count {
            links.follow(start, &mut seen_from);
        }
        links
    }

    /// Follows the links from a bone until the end or until a bone followed before; a link back into the
    /// present walk is cut.
    fn follow(&mut self, start: usize, seen_from: &mut [Option<usize>]) {
        let mut at = start;
        while let Some(seen @ None) = seen_from.get_mut(at) {
            *seen = Some(start);
            let Some(next) = self.get(at) else { return };
            if seen_from.get(next) == Some(&Some(start)) {
                self.cut.push(at);
                if let Some(link) = self.to.get_mut(at) {
                    *link = None;
                }
                return;
            }
            at = next;
        }
    }

    /// The other end of a bone's link.
    pub(super) fn get(&self, bone: usize) -> Option<usize> {
        self.to.get(bone).copied().flatten()
    }

    /// True if following the links from `bone` leads to `other`; a bone does not lead to itself.
    pub(super) fn leads_to(&self, bone: usize, other: usize) -> bool {
        std::iter::successors(self.get(bone), |at| self.get(*at)).any(|at| at == other)
    }
}

/// The parent of each bone.
pub(super) fn parents(document: &Document) -> Links {
    Links::new(document.bones.iter().map(|bone| bone.parent.get()))
}

/// The bone whose motion each bone takes over.
pub(super) fn append_sources(document: &Document) -> Links {
    Links::new(document.bones.iter().map(|bone| bone.append?.source.get()))
}

/// The bones with each parent before its children, otherwise in the order of the file.
pub(super) fn parents_first(parents: &Links) -> Vec<usize> {
    let count = parents.to.len();
    let mut order = Vec::with_capacity(count);
    let mut is_placed = vec![false; count];
    for bone in 0..count {
        let waits = |at: &usize| is_placed.get(*at) == Some(&false);
        let chain = std::iter::successors(Some(bone), |at| parents.get(*at));
        let above: Vec<_> = chain.take_while(waits).collect();
        for at in above.into_iter().rev() {
            if let Some(placed) = is_placed.get_mut(at) {
                *placed = true;
            }
            order.push(at);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pmx::document::Index;

    fn links(to: &[i32]) -> Links {
        Links::new(to.iter().map(|to| Index(*to).get()))
    }

    #[test]
    fn a_circle_is_cut_at_the_bone_that_closes_it() {
        let circle = links(&[1, 2, 0, 1, 3]);
        assert_eq!(circle, Links { to: vec![Some(1), Some(2), None, Some(1), Some(3)], cut: vec![2] });
        assert_eq!(parents_first(&circle), [2, 1, 0, 3, 4]);
        assert_eq!(links(&[0]).cut, [0], "a bone that carries itself");
    }

    #[test]
    fn links_to_nothing_are_none() {
        assert_eq!(links(&[-1, 9, -7]), Links { to: vec![None; 3], cut: Vec::new() });
    }

    #[test]
    fn parents_come_first_and_all_else_stays_in_order() {
        let bones = links(&[-1, 3, 0, 0]);
        assert_eq!(parents_first(&bones), [0, 3, 1, 2]);
        assert!(
            bones.leads_to(1, 0) && bones.leads_to(1, 3) && !bones.leads_to(1, 1) && !bones.leads_to(0, 1)
        );
    }

    #[test]
    fn a_long_chain_backwards_takes_no_stack() {
        let chain: Vec<_> = (1..100_000).chain([-1]).collect();
        let order = parents_first(&links(&chain));
        assert_eq!((order.first(), order.last()), (Some(&99_999), Some(&0)));
    }
}
