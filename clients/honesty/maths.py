"""Quaternions (x, y, z, w), vectors and 3×3 matrices, one in each row of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


def dot(a: Rows, b: Rows) -> Rows:
    return (a * b).sum(axis=-1)


def length(v: Rows) -> Rows:
    return np.sqrt(dot(v, v))


def unit(q: Rows) -> Rows:
    """Quaternions at length 1; the identity for one of no length."""
    norm = length(q)[..., None]
    return np.where(norm > 1e-12, q / np.where(norm > 1e-12, norm, 1.0), IDENTITY)


def conjugate(q: Rows) -> Rows:
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def product(a: Rows, b: Rows) -> Rows:
    """The rotations that turn by b first."""
    ax, ay, az, aw = np.moveaxis(np.asarray(a), -1, 0)
    bx, by, bz, bw = np.moveaxis(np.asarray(b), -1, 0)
    parts = (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
    return np.stack(parts, axis=-1)


def about(axis: int, angle: Rows) -> Rows:
    """Rotations about an axis of the parent."""
    turned = np.zeros((*np.shape(angle), 4))
    turned[..., axis] = np.sin(np.asarray(angle) / 2.0)
    turned[..., 3] = np.cos(np.asarray(angle) / 2.0)
    return turned


def of_angles(angles: Rows) -> Rows:
    """Rotations by angles in radians: about X first, then Y, then Z."""
    x, y, z = (about(axis, angles[..., axis]) for axis in range(3))
    return product(z, product(y, x))


def angle(a: Rows, b: Rows) -> Rows:
    """The angles between unit quaternions as rotations, in radians."""
    between = product(conjugate(a), b)
    return 2.0 * np.arctan2(length(between[..., :3]), np.abs(between[..., 3]))


def facing(q: Rows, other: Rows) -> Rows:
    """The same rotations, with the sign that is nearer to others."""
    return np.where((dot(q, other) < 0.0)[..., None], -q, q)


def lerp(a: Rows, b: Rows, u: Rows) -> Rows:
    u = u[..., None]
    return a * (1.0 - u) + b * u


def arc(a: Rows, b: Rows, u: Rows) -> Rows:
    """Slerp as its formula stands, without a choice of the shorter way."""
    d = np.clip(dot(a, b), -1.0, 1.0)
    w = np.arccos(d)
    s = np.sin(w)
    is_short = (d > 1.0 - 1e-10) | (s < 1e-9)
    s = np.where(is_short, 1.0, s)
    p, q = np.sin((1.0 - u) * w) / s, np.sin(u * w) / s
    return np.where(is_short[..., None], unit(lerp(a, b, u)), p[..., None] * a + q[..., None] * b)


def slerp(a: Rows, b: Rows, u: Rows) -> Rows:
    """Along the shorter arc."""
    return arc(a, facing(b, a), u)


def squad(q0: Rows, s0: Rows, s1: Rows, q1: Rows, u: Rows) -> Rows:
    return arc(arc(q0, q1, u), arc(s0, s1, u), 2.0 * u * (1.0 - u))


def hermite(a: Rows, leaving: Rows, b: Rows, arriving: Rows, u: Rows) -> Rows:
    """The cubic with tangents in values for the whole segment."""
    u = u[..., None]
    v, w = u * u, u * u * u
    return (2.0 * w - 3.0 * v + 1.0) * a + (w - 2.0 * v + u) * leaving + (3.0 * v - 2.0 * w) * b + (w - v) * arriving


def parameter(x1: Rows, x2: Rows, x: Rows) -> Rows:
    """The parameters at which cubics from 0 to 1 with handles at x1 and x2 are at x, by bisection."""
    low, high = np.zeros_like(x), np.ones_like(x)
    for _ in range(54):
        t = (low + high) / 2.0
        is_before = cubic(0.0, x1, x2, 1.0, t) < x
        low, high = np.where(is_before, t, low), np.where(is_before, high, t)
    return (low + high) / 2.0


def cubic(y0: Rows | float, y1: Rows | float, y2: Rows | float, y3: Rows | float, t: Rows) -> Rows:
    """Bézier curves of four points."""
    r = 1.0 - t
    return r * r * r * y0 + 3.0 * r * r * t * y1 + 3.0 * r * t * t * y2 + t * t * t * y3


def turned(q: Rows, v: Rows) -> Rows:
    """Vectors turned by unit quaternions."""
    padded = np.concatenate([v, np.zeros((*v.shape[:-1], 1))], axis=-1)
    return product(product(q, padded), conjugate(q))[..., :3]


def matrix(q: Rows, s: Rows) -> Rows:
    """Matrices that scale first and turn then, by quaternions of any length."""
    x, y, z, w = np.moveaxis(q / np.maximum(length(q), 1e-300)[..., None], -1, 0)
    rows = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2) * s[..., None, :]


def applied(m: Rows, v: Rows) -> Rows:
    return (m @ v[..., None])[..., 0]


def farthest(m: Rows, d: Rows, radius: float) -> Rows:
    """The largest lengths of m·p + d over points p of a ball, or a little less: that of some point which ten steps lead to."""
    columns = np.swapaxes(m, -1, -2)
    widest = np.take_along_axis(columns, length(columns).argmax(axis=-1)[..., None, None], axis=-2)[..., 0, :]
    best = length(d)
    for start in (d, widest, d + radius * widest):
        value = start
        for _ in range(10):
            # The point whose image is farthest along the last image.
            p = applied(columns, value)
            norm = length(p)[..., None]
            value = applied(m, radius * p / np.where(norm > 1e-300, norm, 1.0)) + d
            best = np.maximum(best, length(value))
    return best
