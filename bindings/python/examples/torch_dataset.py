"""Windows of human motion for PyTorch, from a folder of motions in any format: `python torch_dataset.py 'captures/**/*.bvh'`."""

from __future__ import annotations

import sys
from typing import Dict, List, Tuple

import torch
from torch.utils.data import DataLoader, Dataset

import dopesheet

#: Poses per second, and poses of a window.
FPS, LENGTH = 30.0, 32


class Windows(Dataset):
    """Windows of equal length; each half overlaps the next one."""

    def __init__(self, pattern: str) -> None:
        self.motions: List[dopesheet.Poses] = []
        self.windows: List[Tuple[int, int]] = []
        for file in dopesheet.open_many(pattern, on_error="skip"):
            for clip in file.clips:
                poses = clip.poses(fps=FPS, axes="gltf")
                starts = range(0, len(poses) - LENGTH + 1, LENGTH // 2)
                self.windows.extend((len(self.motions), start) for start in starts)
                self.motions.append(poses)

    def __len__(self) -> int:
        return len(self.windows)

    def __getitem__(self, index: int) -> Dict[str, torch.Tensor]:
        motion, start = self.windows[index]
        window = self.motions[motion][start : start + LENGTH]
        return {
            "rotations": torch.from_numpy(window.rotations_6d()),
            "root": torch.from_numpy(window.root_positions.copy()),
        }


if __name__ == "__main__":
    windows = Windows(sys.argv[1] if len(sys.argv) > 1 else "samples/*.bvh")
    for batch in DataLoader(windows, batch_size=2):
        print({name: tuple(tensor.shape) for name, tensor in batch.items()})
