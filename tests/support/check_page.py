"""The studio's page, type-checked (TypeScript reads its JSDoc) and linted (ESLint): a part of `make check`.

    python tests/support/check_page.py [FOLDER]

Nobody needs Node to work on Plyforge: where it is not there, or npm can't get the two, this says so and is content.
They are installed, in the versions of `page_tools/package.json`, into a folder kept beside the compiled kernels.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SETTINGS = Path(__file__).with_name("page_tools")
PAGE = Path(__file__).parents[2] / "src" / "plyforge" / "studio" / "page"
FOR_NPM = 180.0
"""Seconds to get the packages, once."""


class NotHere(Exception):
    """What is missing, in words."""


def kept() -> Path:
    """Where this version of the tools is, or will be."""
    versions = hashlib.sha256((SETTINGS / "package.json").read_bytes()).hexdigest()[:12]
    root = os.environ.get("PLYFORGE_CACHE_DIR") or Path("~/.cache").expanduser()
    return Path(root) / "plyforge-tests" / f"page-{versions}"


def tools() -> Path:
    """The folder with both tools, installed if they are not yet."""
    if not shutil.which("node") or not shutil.which("npm"):
        raise NotHere("node and npm are not here")
    folder = kept()
    if (folder / "ready").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SETTINGS / "package.json", folder)
    words = ["npm", "install", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=FOR_NPM)
    except subprocess.TimeoutExpired:
        raise NotHere(f"npm has not got TypeScript and ESLint within {FOR_NPM:g} s") from None
    if done.returncode:
        raise NotHere("npm can't get TypeScript and ESLint")
    (folder / "ready").touch()
    return folder


def complaints(page: Path = PAGE) -> str:
    """What the two tools say of the modules in a folder; empty if nothing. Raises NotHere."""
    folder = tools()
    shutil.copy(SETTINGS / "eslint.config.mjs", folder)
    with tempfile.TemporaryDirectory() as made:
        project = Path(made) / "tsconfig.json"
        project.write_text(json.dumps({"extends": str(SETTINGS / "tsconfig.json"), "include": [f"{page}/**/*.js"]}))
        commands = (
            ["tsc", "--project", str(project), "--pretty", "false"],
            ["eslint", "--config", str(folder / "eslint.config.mjs"), "."],
        )
        return "".join(_said(folder / "node_modules" / ".bin" / command[0], command[1:], page) for command in commands)


def _said(program: Path, words: list[str], page: Path) -> str:
    done = subprocess.run([str(program), *words], cwd=page, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def main(words: list[str]) -> int:
    try:
        found = complaints(*(Path(word).resolve() for word in words[:1]))
    except NotHere as reason:
        print(f"The studio's page is not checked: {reason}.")
        return 0
    print(found or "The studio's page: no mistakes found.", end="" if found else "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
