# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The site in Debian's Chromium: `make test-site` builds it and runs this. Served from loopback, and as files."""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import site_questions
from runnel_lab.choose import answer, rules
from runnel_lab.tables import published

pytestmark = pytest.mark.left_to("make test-site", "playwright")

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
SITE = BUILD / "site"
SHOTS = BUILD / "site-screenshots"
CHROMIUM = "/usr/bin/chromium"
DATA = rules.load()
PAPERS = published.names(ROOT)
READ = [
    "index.html",
    "choose/index.html",
    "papers/sensor-streams.html",
    "papers/fixslicing-rv32.html",
    "reference/python.html",
    "search.html?q=nonce",
    "guide/aead.html",
    "figures/hc128.html",
    "figures/charts.html",
    "figures/proofs.html",
]


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    assert shutil.which(CHROMIUM) and (SITE / "choose" / "index.html").exists(), "make site"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    handler = functools.partial(Handler, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


class Watched:
    """A page, with what it complained of and what it asked for."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.page = browser.new_context(**options).new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, url: str) -> Any:
        self.page.goto(url)
        return self.page


@pytest.fixture
def watched(browser) -> Iterator[Watched]:
    """Open a page that must not complain, nor ask another host for anything."""
    found = Watched(browser, viewport={"width": 1280, "height": 900})
    yield found
    assert found.complaints == []
    assert [url for url in found.requests if not url.startswith(("http://127.0.0.1:", "file://"))] == []
    found.page.context.close()


def choose(page: Any, question: dict[str, Any]) -> None:
    for name, value in question.items():
        control = page.locator(f"#{name}")
        if isinstance(value, bool):
            control.set_checked(value)
        elif control.evaluate("each => each.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(str(value))


def test_twelve_questions_on_the_page(watched, served):
    page = watched.open(served + "choose/index.html")
    for name, asked in site_questions.TWELVE.items():
        page.evaluate("location.hash = 'bytes=32&x=' + Math.random()")  # all as at the beginning
        page.wait_for_function("location.hash === ''")
        choose(page, asked.question)
        expected = site_questions.worked_out(asked)
        assert page.locator("#table tbody tr").count() == 0 or expected, name
        if expected:
            first = page.locator("#table tbody th").first.inner_text()
            assert first.splitlines()[0] == DATA["algorithms"][expected]["title"], name
        sentence = answer.answer(DATA, site_questions.whole(asked.question))["sentence"]
        assert page.locator("#sentence").inner_text() == sentence, name


def test_the_address_has_the_question(watched, served):
    page = watched.open(served + "choose/index.html#device=cortex-m4&bytes=64&timing=no")
    question = site_questions.whole({"device": "cortex-m4", "bytes": 64, "timing": False})
    assert page.locator("#sentence").inner_text() == answer.answer(DATA, question)["sentence"]
    page.locator("#standard").select_option("nist")
    assert "standard=nist" in page.url and "device=cortex-m4" in page.url and "seek" not in page.url


def test_a_place_of_the_page_is_no_question(watched, served):
    """The link to the answer, which comes first for the keyboard, keeps what was asked."""
    page = watched.open(served + "choose/index.html#device=rv32&bytes=100")
    asked = page.locator("#sentence").inner_text()
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash === '#answer'")
    page.wait_for_timeout(100)  # in which it would have answered anew
    assert page.locator("#sentence").inner_text() == asked and page.locator("#device").input_value() == "rv32"
    page = watched.open(served + "choose/index.html?bytes=64#answer")
    assert page.locator("#bytes").input_value() == "64"


def test_what_was_asked_by_the_query_goes_with_it(watched, served):
    page = watched.open(served + "choose/index.html?bytes=64")
    sentence = answer.answer(DATA, site_questions.whole({"bytes": 64}))["sentence"]
    assert page.locator("#sentence").inner_text() == sentence
    page.locator("#bytes").fill("32")
    page.reload()
    assert page.locator("#bytes").input_value() == "32" and "bytes" not in page.url


def test_energy_that_is_typed_is_not_the_devices(watched, served):
    page = watched.open(served + "choose/index.html")
    about = page.locator("#about-device")
    assert "3.25 nJ a cycle, 5.2 mA" in about.inner_text()
    page.locator("#nj").fill("2.5")
    assert about.inner_text().endswith(" Energy: 2.5 nJ a cycle, as set above.")
    page.locator("#device").select_option("armv7")
    assert "nJ" not in about.inner_text()


def test_a_device_brings_the_length_of_its_messages(watched, served):
    """Until one is typed."""
    page = watched.open(served + "choose/index.html")
    page.locator("#device").select_option("x86-64")
    assert page.locator("#bytes").input_value() == "1500" and "bytes=1500" in page.url
    page.locator("#device").select_option("cortex-m4")
    assert page.locator("#bytes").input_value() == "32"
    page.locator("#bytes").fill("64")
    page.locator("#device").select_option("x86-64")
    assert page.locator("#bytes").input_value() == "64"


def test_code_is_copied(browser, served):
    seen = Watched(browser, permissions=["clipboard-read", "clipboard-write"])
    page = seen.open(served + "choose/index.html")
    page.locator('label[for="code-python"]').click()
    page.locator("#bytes").fill("33")  # the language that was chosen stays
    page.locator("#copy").click()
    page.wait_for_function("document.getElementById('copy').textContent === 'Copied'")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == answer.answer(DATA, site_questions.whole({"bytes": 33}))["code"]["python"]
    page = seen.open(served + "guide/aead.html")
    page.locator("button.copybtn").first.click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("import")
    assert seen.complaints == []


def test_light_and_dark_are_chosen(browser, served):
    """And kept for the next page; the charts follow."""
    seen = Watched(browser, viewport={"width": 1280, "height": 900}, color_scheme="light")
    page = seen.open(served + "index.html")
    ink = "getComputedStyle(document.querySelector('.chart text')).fill"
    light = page.evaluate(ink)
    while page.evaluate("document.body.dataset.theme") != "dark":
        page.locator(".theme-toggle-content button").click()
    assert page.evaluate(ink) != light
    page = seen.open(served + "papers/sensor-streams.html")
    assert page.evaluate("document.body.dataset.theme") == "dark" and page.evaluate(ink) != light
    assert seen.complaints == []


def test_no_text_of_a_chart_overlaps(watched, served):
    """Names, values and legends: of each picture, the boxes of its texts."""
    overlaps = """() => [...document.querySelectorAll('svg.chart')].flatMap(svg => {
        const edge = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll('text')].map(each => [each.textContent, each.getBoundingClientRect()]);
        const outside = ([, b]) => b.left < edge.left - 1 || b.right > edge.right + 1 || b.bottom > edge.bottom + 1;
        const meet = (p, q) =>
            p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 4 && q.top < p.bottom - 4;
        const names = texts.filter(([text]) => !/^[0-9]+$/.test(text));
        const pairs = names.flatMap(([a, p], n) =>
            names.slice(n + 1).filter(([, q]) => meet(p, q)).map(([b]) => a + ' / ' + b));
        return [...texts.filter(outside).map(([text]) => 'outside: ' + text), ...pairs];
    })"""
    for place in ("index", "choose/index", "figures/charts", "figures/packets", *(f"papers/{name}" for name in PAPERS)):
        page = watched.open(served + f"{place}.html")
        assert page.locator("svg.chart").count() and page.evaluate(overlaps) == [], place


def test_numbers_beyond_their_limits_count_as_nothing(watched, served):
    usual = answer.answer(DATA, site_questions.whole({}))["sentence"]
    for query in ("mhz=-1", "mhz=1e300", "nj=0", "nj=NaN", "nj=0x10", "bytes=-5", "bytes=1e300", "bytes=x", "ram=-1"):
        page = watched.open(served + "choose/index.html#" + query)
        assert page.locator("#sentence").inner_text() == usual, query


def test_by_keyboard_only(watched, served):
    """From the top to an answer, and to another order of the table."""
    page = watched.open(served + "choose/index.html")

    def tab_to(what: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("what => document.activeElement.matches(what)", what):
                return
        raise AssertionError(f"no way to {what}")

    tab_to(".skip-to-content")
    page.keyboard.press("Enter")
    tab_to("#device")
    page.keyboard.type("ATmega128 (")
    tab_to("#ram")
    page.keyboard.type("1024")
    question = site_questions.whole({"device": "atmega128", "ram": 1024})
    assert page.locator("#sentence").inner_text() == answer.answer(DATA, question)["sentence"]
    tab_to('[data-column="flash"]')
    page.keyboard.press("Enter")
    assert page.locator('th[aria-sort="ascending"]').inner_text().startswith("flash")
    sizes = [int(text.replace(",", "")) for text in page.locator("#table tbody td:nth-child(7)").all_inner_texts()]
    assert len(sizes) > 1 and sizes == sorted(sizes)
    tab_to("summary")
    page.keyboard.press("Enter")
    assert page.locator("#left-out").is_visible()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_the_screen(browser, served, width, scheme):
    """Pictures of it are kept, to be looked at."""
    seen = Watched(browser, viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce")
    SHOTS.mkdir(exist_ok=True)
    for place in READ:
        page = seen.open(served + place)
        name = re.sub(r"\W+", "-", place.partition(".")[0])
        page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png", full_page=True, timeout=120_000)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
    page.emulate_media(media="print")
    assert page.locator("aside.sidebar-drawer").is_hidden()
    assert seen.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_inaccessible(browser, served, scheme):
    from axe_playwright_python.sync_playwright import Axe

    seen = Watched(browser, color_scheme=scheme, bypass_csp=True)  # axe comes by an inline script
    for place in READ:
        page = seen.open(served + place)
        if place.startswith("choose"):
            page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        found = Axe().run(page)
        assert found.violations_count == 0, (place, found.generate_report())


def test_every_page_is_quiet(watched, served):
    """No complaint and no other host, on all pages; one content policy."""
    pages = sorted(str(page.relative_to(SITE)) for page in SITE.rglob("*.html"))
    assert len(pages) > 60
    for place in pages:
        page = watched.open(served + place)
        policy = page.locator('meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
        wanted = "default-src 'self'" + ("; script-src 'self' 'wasm-unsafe-eval'" if place.startswith("choose") else "")
        assert policy == wanted, place


def test_it_works_as_files(watched):
    page = watched.open((SITE / "choose" / "index.html").as_uri())
    choose(page, {"device": "rv32", "bytes": 100})
    question = site_questions.whole({"device": "rv32", "bytes": 100})
    assert page.locator("#sentence").inner_text() == answer.answer(DATA, question)["sentence"]
    assert page.locator("#measure").is_disabled() and "http" in page.locator("#measure-status").inner_text()
    page = watched.open((SITE / "search.html").as_uri() + "?q=nonce")
    page.wait_for_selector("#search-results li")
    assert page.locator("#search-results li").count() > 5


def test_without_script_it_reads_the_same(browser, served):
    with_script = Watched(browser).open(served + "choose/index.html")
    without = Watched(browser, java_script_enabled=False).open(served + "choose/index.html")
    parts = (
        "#alternatives",
        "#sentence",
        "#notes",
        "#table",
        "#code",
        "#built",
        "#give-up",
        "#cheapest",
        "#curves",
        "#memory",
        "#about-device",
        "#commands",
    )
    for part in parts:
        assert without.locator(part).inner_text() == with_script.locator(part).inner_text(), part
    assert without.locator("noscript").is_visible() and without.locator("svg.chart").count() == 2


@pytest.mark.usefixtures("browser")
def test_the_page_is_small():
    files = [path for path in (SITE / "choose").iterdir() if path.is_file() and not path.name.startswith("cipher-data")]
    assert (
        len(files) >= 6
        and sum(path.stat().st_size for path in [*files, *(SITE / "_static").glob("runnel.css")]) < 150_000
    )


def test_my_browser(watched, served):
    page = watched.open(served + "choose/index.html#bytes=1024")
    page.locator("#measure").click()
    page.wait_for_selector("#measured tbody tr", timeout=60_000)
    names = page.locator("#measured tbody th").all_inner_texts()
    assert {"WebCrypto AES-128-GCM", "WebCrypto AES-128-CTR", "aes-128-gcm", "chacha20-poly1305", "chacha20"} <= set(
        names
    )
    figures = [
        float(text.replace(",", "")) for text in page.locator("#measured tbody td:nth-child(2)").all_inner_texts()
    ]
    assert figures == sorted(figures) and figures[0] > 0


def test_my_browser_without_webcrypto(watched, served):
    """As of a page by plain http from another machine."""
    watched.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page = watched.open(served + "choose/index.html#bytes=64")
    page.locator("#measure").click()
    page.wait_for_selector("#measured tbody tr", timeout=60_000)
    names = page.locator("#measured tbody th").all_inner_texts()
    assert "aes-128-gcm" in names and not any("WebCrypto" in name for name in names)
    assert "https or localhost" in page.locator("#measure-status").inner_text()


class Links(HTMLParser):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(file.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.ids.add(value)


def test_links_lead_somewhere(browser):
    """Files and places in them; what leads to other hosts is not asked."""
    pages = {page.resolve(): Links(page) for page in SITE.rglob("*.html")}
    lost = []
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            anchor = unquote(parts.fragment)
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].ids):
                lost.append(f"{page.relative_to(SITE.resolve())}: {link}")
    assert lost == [] and sum(len(found.links) for found in pages.values()) > 2000
