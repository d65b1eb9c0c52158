"""Every handed case, whose right answers are those of handlebars.js 4.7 without HTML escaping."""

import json
import os
from pathlib import Path

import pytest

from prompts import handlebars
from prompts.handlebars import TemplateError

ROOT = Path(__file__).parents[3]
FILE = ROOT / os.environ.get("ASKWEB_CASES", "../shared/cases") / "handlebars" / "cases.json"
CASES = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
# We differ on purpose: `log` is no helper here, `${a.b}` is an alias, adjacent numbers are not added up.
DIFFERENT = {"builtins#123", "builtins#124", "extra#285", "extra#87"}
RENDERED = [
    pytest.param(case, id=case["id"]) for case in CASES if not case["throws"] and case["id"] not in DIFFERENT
]
REFUSED = [pytest.param(case, id=case["id"]) for case in CASES if case["throws"]]


@pytest.mark.parametrize("case", RENDERED)
def test_renders_as_handlebars_does(case):
    template = handlebars.compile(case["template"], case["partials"])

    assert template.render(case["input"]) == case["expected"]


@pytest.mark.parametrize("case", REFUSED)
def test_refuses_what_handlebars_refuses(case):
    with pytest.raises(TemplateError):
        handlebars.compile(case["template"], case["partials"]).render(case["input"])
