from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from treegauge.reports.charts.style import STYLE
from treegauge.reports.palette import DARK, LIGHT, N_COLOURS, Palette, page_style


def luminance(colour: str) -> float:
    """Relative luminance as the Web Content Accessibility Guidelines define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_colours_stand_out_from_the_paper(colours):
    for name in [f"c{i}" for i in range(N_COLOURS)] + ["tg-right", "tg-flipped", "tg-wrong"]:
        assert contrast(colours[name], colours["paper"]) >= 3, name
    assert contrast(colours["ink"], colours["paper"]) >= 7
    assert contrast(colours["soft"], colours["paper"]) >= 4.5


def test_light_and_dark_have_the_same_names_and_the_style_no_other():
    assert LIGHT.keys() == DARK.keys()
    assert {*re.findall(r"var\(--([\w-]+)\)", STYLE)} <= LIGHT.keys()


def test_sixty_names_look_different_also_in_grey():
    palette = Palette(f"system {i}" for i in range(60))
    looks = [palette[f"system {i}"] for i in range(60)]
    assert len({(look.colour, look.dash) for look in looks}) == 60


def test_twelve_systems_have_twelve_colours():
    palette = Palette(f"system {i}" for i in range(12))
    assert len({palette[f"system {i}"].colour for i in range(12)}) == 12


def in_lab(colour: str) -> np.ndarray:
    """A colour where distances are what people see, as CIE 1976 has it."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    to_xyz = [[0.4339, 0.3762, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8729]]
    x, y, z = np.cbrt(to_xyz @ linear)
    return np.array([116 * y, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_no_two_of_the_colours_look_alike(colours):
    seen = [in_lab(colours[f"c{i}"]) for i in range(N_COLOURS)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 15


def test_a_name_alone_has_the_same_colour_everywhere():
    # The checksum is the same in every process and on every machine.
    assert Palette(["dmv"])["dmv"] == Palette(["dmv", "evg", "x"])["dmv"] == Palette()["dmv"]


def test_a_name_keeps_its_look_when_others_join():
    palette = Palette(["a", "b"])
    before = palette["a"], palette["b"]
    assert [palette[f"s{i}"] for i in range(20)]
    assert (palette["a"], palette["b"]) == before


def test_kinds_have_colours_in_order():
    palette = Palette.in_order(["genuine", "converted"])
    assert [palette["genuine"].colour, palette["converted"].colour] == [0, 1]


def test_a_page_knows_every_colour_in_light_and_dark():
    style = page_style()
    for name in LIGHT:
        assert f"--{name}:{LIGHT[name]};" in style
        assert f"--{name}:light-dark({LIGHT[name]},{DARK[name]});" in style
