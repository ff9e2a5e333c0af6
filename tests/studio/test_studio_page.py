"""The checks of the page's JavaScript: they find mistakes, and nobody needs Node."""

from __future__ import annotations

import shutil

import pytest

import check_page


def test_without_node_the_page_is_not_checked_and_that_is_said(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert check_page.main([]) == 0
    assert capsys.readouterr().out == "The studio's page is not checked: node and npm are not here.\n"


@pytest.mark.full
def test_a_name_that_is_not_there_and_an_unused_one_are_found(tmp_path):
    try:
        assert check_page.complaints() == ""
    except check_page.NotHere as reason:
        pytest.skip(str(reason))
    page = shutil.copytree(check_page.PAGE, tmp_path / "page")
    tree = page / "tree" / "tree.js"
    tree.write_text(tree.read_text().replace("this.one.hide()", "this.one.hid()") + "const unused = 1;\n")
    found = check_page.complaints(page)
    assert "Property 'hid' does not exist on type 'NodePanel'" in found
    assert "'unused' is assigned a value but never used" in found
