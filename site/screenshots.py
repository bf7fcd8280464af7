#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the two pictures of the site in README.md, of build/site: the chooser and a paper's page.

build/site-venv/bin/python site/screenshots.py
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build" / "site"
WIDTH, HEIGHT = 1000, 760
SHOTS = {
    "chooser": ("choose/index.html#ram=1024", "fieldset:nth-of-type(3)", 60),
    "paper": ("papers/fixslicing-rv32.html", "h3", 60),
}
"""Page, what is to be seen, and how far from the top of the picture."""


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        for name, (place, what, above) in SHOTS.items():
            page.goto(f"{SITE.as_uri()}/{place}")
            top = page.locator(what).first.evaluate("each => each.getBoundingClientRect().top + scrollY")
            page.evaluate("y => scrollTo(0, y)", max(0, top - above))
            page.screenshot(path=ROOT / "docs" / f"site-{name}.png", timeout=120_000)
        browser.close()


if __name__ == "__main__":
    main()
