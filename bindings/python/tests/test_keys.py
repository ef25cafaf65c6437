"""Tracks with their own keys and laws as arrays."""

from __future__ import annotations

import numpy as np
import pytest

import dopesheet
from conftest import SAMPLES, fixtures, opened

WORDS = {"step", "lerp", "slerp", "nlerp", "hermite", "weighted-bezier", "squad", "turn"}


def test_arrays_of_keys_have_the_documented_shapes_and_types() -> None:
    curves = 0
    for file in opened(fixtures("valid")):
        try:
            clips = file.clips
        except dopesheet.ConvertError as error:
            assert file.format in ("m4b", "more"), error
            continue
        for curve in [c for clip in clips for t in clip.tracks for ch in t.channels for c in ch.curves]:
            keys, width, segments = len(curve), curve.width, max(len(curve) - 1, 0)
            assert curve.times.shape == (keys,) and curve.times.dtype == np.float64
            assert curve.values.shape == (keys, width) and curve.values.dtype == np.float32
            assert curve.laws.shape == curve.timings.shape == (segments,)
            assert curve.timing.shape == (segments, 4) and curve.timing.dtype == np.float32
            assert set(curve.laws.tolist()) <= WORDS
            assert set(curve.timings.tolist()) <= {"linear", "bezier", "ease"}
            for array in [curve.tangents_in, curve.tangents_out, curve.weights_in, curve.weights_out]:
                assert array is None or (array.shape == (keys, width) and array.dtype == np.float32)
            assert curve.turns is None or curve.turns.shape == (keys, 4)
            assert (curve.frames is None) == (curve.fps is None)
            if curve.frames is not None and curve.fps is not None:
                assert np.allclose(curve.frames / curve.fps, curve.times)
            curves += 1
    assert curves >= 500, curves


def test_values_are_views_of_the_librarys_memory(walk: dopesheet.File) -> None:
    curve = walk.clips[0].tracks[0].channels[0].curves[0]
    values = curve.values
    assert values is curve.values and curve.times is curve.times, "made once"
    assert values.flags.c_contiguous and not values.flags.owndata
    base = values.base
    while isinstance(base, np.ndarray):
        base = base.base
    assert "PySliceContainer" in type(base).__name__, "who owns the numbers is a vector of Rust"
    assert not values.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        curve.times[0] = 0


def test_arrays_outlive_what_they_came_from() -> None:
    values = dopesheet.open(SAMPLES / "walk.vmd").clips[0].tracks[0].channels[0].curves[0].values
    again = dopesheet.open(SAMPLES / "walk.vmd").clips[0].tracks[0].channels[0].curves[0].values
    assert np.array_equal(values, again)


def test_bezier_timing_of_a_vmd_is_that_of_its_bytes() -> None:
    rotation = dopesheet.open(SAMPLES / "bow.vmd").clips[0].track("頭")["rotation"].curve
    assert rotation.frames is not None and rotation.frames.dtype == np.int64 and rotation.fps == 30
    eased = rotation.timing[rotation.timings == "bezier"]
    assert len(eased) and np.allclose(eased * 127, np.round(eased * 127), atol=1e-4)
    assert set(rotation.laws.tolist()) == {"slerp"}


def test_tangents_of_a_recording_are_there() -> None:
    hermite = [
        curve
        for path in fixtures("valid")
        if "mrtk2" in path.parts
        for track in dopesheet.open(path).clips[0].tracks
        for channel in track.channels
        for curve in channel.curves
        if "hermite" in curve.laws
    ]
    assert hermite
    for curve in hermite:
        assert curve.tangents_in is not None and curve.tangents_out is not None
        assert not curve.tangents_out.flags.owndata and not curve.tangents_out.flags.writeable


def test_angles_say_in_which_order_they_turn(jump: dopesheet.File) -> None:
    channels = [track["rotation"] for track in jump.clips[0].tracks]
    for channel in channels:
        assert channel.composition == "euler" and sorted(channel.order or "") == ["X", "Y", "Z"]
        assert channel.native_scale == pytest.approx(np.pi / 180) and channel.curve.width == 3
    assert max(np.abs(channel.curve.values).max() for channel in channels) > 3.2, "degrees, as stored"


def test_tracks_are_what_info_counts() -> None:
    for name in ["bow.vmd", "walk.vmd", "camera.vmd", "door.json", "hands.bin", "jump.bvh", "wave.json"]:
        file = dopesheet.open(SAMPLES / name)
        assert [len(clip.tracks) for clip in file.clips] == [clip.tracks for clip in file.info().clips]
        assert [clip.fps for clip in file.clips] == [clip.rate_fps for clip in file.info().clips]
        assert [clip.duration for clip in file.clips] == [clip.duration_s for clip in file.info().clips]


def test_what_does_not_move_is_a_key_error(walk: dopesheet.File) -> None:
    with pytest.raises(KeyError):
        walk.clips[0].track("nobody")
    with pytest.raises(KeyError):
        walk.clips[0].tracks[0]["colour"]
    with pytest.raises(KeyError):
        walk.clip(7)
    assert walk.clip(0) is walk.clips[0]
