#!/usr/bin/env python3
"""Opens reports in a headless Chromium, as wide as a desk and as narrow as a phone, light and dark, and holds
them to what docs/testing.md says of pages.

usage: check_pages.py PROGRAM SOURCE WORK

Exit code 77: there is no Chromium.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

import chromium
import scripts

DESK, PHONE = 1280, 390
MOST_BYTES = 3 << 20  # of report.html
MAIN_PAGES = 23  # that the main run may take on paper

# What would run, load or steer if it were not escaped.
HOSTILE = ("<script>window.hostile=1</script><img src=x onerror='window.hostile=2'>\"'&amp; "
           "</style></title><svg onload=window.hostile=3>\u202eevil\u2066\x1b[31m "
           "javascript:window.hostile=4 [x](alert(1)) " + "Longword" * 9)[:240]
LONGEST_ID = 64


class Faults(list):
    def add(self, where, what):
        if what:
            self.append(f"{where}: {what}")
            print(f"FAULT {where}: {what}", flush=True)


# ---------------------------------------------------------------- runs

def regret(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"regret {' '.join(map(str, arguments))}: {done.stderr}")


def small(source, work, name, pool=None, sweep=None, **keys):
    """A committed configuration with fewer data, on which the report has all its parts."""
    config = json.loads((source / "configs" / f"{name}.json").read_text())
    config.update(keys, seeds=3)
    config["sweep"].update(sweep or {})
    if pool is not None:
        config["pool"] = str(pool)
    elif not config["pool"].startswith("synth:"):
        config["pool"] = str((source / "configs" / config["pool"]).resolve())
    path = work / f"{name}.json"
    path.write_text(json.dumps(config))
    return path


def hostile_pool(work):
    """Two long agents among six, hostile words wherever words are free."""
    folder = work / "hostile-pool"
    folder.mkdir()
    agents = ["a" * LONGEST_ID, "b" * LONGEST_ID, "c", "d", "e", "f"]
    pool = {"format": "regret-pool-1", "name": "n" * LONGEST_ID, "title": HOSTILE, "version": HOSTILE[:60],
            "licence": HOSTILE, "source": HOSTILE, "synthetic": True,
            "agents": [{"id": agent, "title": HOSTILE} for agent in agents],
            "components": [{"name": "q", "low": 0, "high": 1}]}
    (folder / "pool.json").write_text(json.dumps(pool))
    contexts, outputs = [], []
    for x in range(24):
        contexts.append({"id": f"x{x}", "text": f"{HOSTILE} storm {x % 7}"})
        for k, agent in enumerate(agents):
            outputs.append({"context": f"x{x}", "agent": agent, "text": f"{HOSTILE} word{k} {x % 5}",
                            "components": {"q": ((x * 7 + k * 3) % 11) / 11}})
    for name, rows in [("contexts", contexts), ("outputs", outputs)]:
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def hostile_config(work):
    config = {"pool": str(hostile_pool(work)), "title": HOSTILE, "contexts.hard": 0, "router.slate": 2,
              "router.rank": 2, "proxy.dim": 2, "n_obs": 120, "seeds": 3,
              "sweep": {"beta": [0, 1], "n_exp": [30, 60]}}
    path = work / "hostile.json"
    path.write_text(json.dumps(config))
    return path


def shared(source):
    return pathlib.Path(os.environ.get("REGRET_SHARED_DATA", source / ".." / "shared" / "data"))


def hostile_rows(work):
    """Rows of rewrites with hostile names, words and texts."""
    rows = []
    for i in range(24):
        scores = {HOSTILE: {"original": i % 5, "rewrite": i % 3 - 1, "rewrite_of_rewrite": (i + 1) % 5}}
        texts = {"original": HOSTILE, "rewrite": HOSTILE * 3, "rewrite_of_rewrite": "x"}
        rows.append({"id": str(i), "dataset": HOSTILE[:80], "attribute": HOSTILE, "w": bool(i % 2),
                     "prompt": HOSTILE, "completions": texts, "scores": scores})
    rows.append({"id": "without W", "scores": {"m": {"original": 1}}})
    path = work / "hostile.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def make_rate(program, source, work):
    for name, rows in [("rate", source / "data" / "rate" / "rows.jsonl"),
                       ("hostile-rate", hostile_rows(work))]:
        regret(program, "rate", "estimate", rows, "--figures", work / name)
        yield name, work / name


def make_reports(program, source, work):
    """Name and folder of every report; those on data that are not in the repository where they are there."""
    data, budgets = shared(source), {"n_obs": [200, 400], "n_exp": [60, 120]}
    configs = [small(source, work, "main", sweep=budgets), hostile_config(work),
               small(source, work, "patches", n_obs=200, n_exp=60),
               small(source, work, "world-dr", synth={"articles": 40, "draws": 1}, n_obs=300,
                     sweep={"n_exp": [40, 80, 160]})]
    if (data / "swebench" / "all_patches.csv").exists():
        pool = work / "swebench-pool"
        regret(program, "import", "swebench", data / "swebench" / "all_patches.csv", "--issues",
               data / "swebench" / "swebench_issues.jsonl", "-o", pool)
        configs.append(small(source, work, "swebench", pool, n_obs=200, n_exp=60,
                             sweep={"reward.omega": [0, 1]}))
    else:
        print("without swebench: its data is not in the repository (REGRET_SHARED_DATA)")
    if (data / "summeval" / "summeval.json").exists():
        pool = work / "summeval-pool"
        regret(program, "import", "summeval", data / "summeval" / "summeval.json", "-o", pool)
        configs.append(small(source, work, "summeval", pool, sweep=budgets))
    else:
        print("without summeval: its data is not in the repository (REGRET_SHARED_DATA)")
    for config in configs:
        regret(program, "run", config, "-o", work / config.stem, "--quiet", "--threads", 2)
        yield config.stem, work / config.stem / "report"


# ---------------------------------------------------------------- checks

def check_look(browser, faults, where):
    """What holds at every width and in both schemes."""
    for complaint in browser.complaints():
        faults.add(where, "the console says " + complaint)
    width, page = browser.run("[innerWidth, document.documentElement.scrollWidth]")
    faults.add(where, page > width and f"the page is {page} wide in {width}")
    for script in [scripts.ANCHORS, scripts.CONTRAST, scripts.BROKEN_NUMBERS, scripts.SPILT,
                   scripts.FIGURE_TEXTS, scripts.NAMES]:
        for fault in browser.run(script):
            faults.add(where, fault)


def check_jumps(browser, faults, where):
    for id in browser.run("Array.from(document.querySelectorAll('section, figure'), e => e.id)"):
        browser.run(f"void (location.hash = {json.dumps('#' + id)})")
        faults.add(where, browser.run(scripts.COVERED % json.dumps(id)))
    browser.run("scrollTo(0, 0)")


def check_scripts(browser, faults, where):
    """Sorting by click and key, filtering, the details of a cell."""
    for fault in browser.run(scripts.SORTING):
        faults.add(where, fault)
    browser.run("document.querySelector('.wide thead button').focus()")
    for kind in ["keyDown", "keyUp"]:
        browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
                     windowsVirtualKeyCode=13)
    sorted_by = browser.run("document.querySelector('.wide thead th').getAttribute('aria-sort')")
    faults.add(where, sorted_by not in ("ascending", "descending") and "Enter on a head does not sort")
    for fault in browser.run(scripts.FILTERING) + browser.run(scripts.DETAILS):
        faults.add(where, fault)


def check_sticky(browser, faults, where):
    for fault in browser.run(scripts.STICKY):
        faults.add(where, fault)


def empty_shares(folder):
    """How much of each printed page but the last stays white at its foot; None without Debian's poppler-utils."""
    if shutil.which("pdftoppm") is None:
        return None
    subprocess.run(["pdftoppm", "-r", "20", "-gray", folder / "report.pdf", folder / "printed"], check=True)
    shares = []
    for path in sorted(folder.glob("printed-*.pgm"))[:-1]:
        width, height = map(int, re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", path.read_bytes()).groups())
        pixels = path.read_bytes()[-width * height:]
        inked = [y for y in range(height) if min(pixels[y * width:(y + 1) * width]) < 200]
        shares.append(1 - max(inked, default=0) / height)
    return shares


def check_print(browser, faults, where, folder):
    browser.open(folder / "report.html", 733)  # A4 less the margins
    browser.run(scripts.UNFOLD)
    browser.call("Emulation.setEmulatedMedia", media="print")
    for fault in browser.run(scripts.CUT_OFF) + browser.run(scripts.SMALL) + browser.run(scripts.BROKEN_ON_PAPER):
        faults.add(where, fault)
    high = browser.run(scripts.HIGH)
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.pdf(folder / "report.pdf")
    pages = len(re.findall(rb"/Type */Page\b", (folder / "report.pdf").read_bytes()))
    print(f"{where}: {pages} pages", flush=True)
    faults.add(where, pages == 0 and "no page is printed")
    faults.add(where, where.startswith("main") and pages > MAIN_PAGES and f"{pages} pages")
    shares = empty_shares(folder)
    if shares is None:
        print("without pdftoppm: Debian's package poppler-utils")
        faults.add(where, os.environ.get("CI") and "pdftoppm is not here")
    else:
        empty = sum(share > 0.55 for share in shares)  # with the margins
        faults.add(where, empty > high and f"{empty} printed pages are more than half empty, {high} figures are high")


def check_without_script(browser, faults, where, path):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(path, DESK)
    for complaint in browser.complaints():
        faults.add(where, complaint)
    browser.run(scripts.UNFOLD)
    controls, rows, hidden = browser.run(scripts.PLAIN)
    faults.add(where, controls and f"{controls} controls that do nothing")
    faults.add(where, rows == 0 and "no tables")
    faults.add(where, hidden and f"{hidden} rows cannot be seen")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def beside(folder, name):
    """The file that a download is a copy of, or None where the page alone has it."""
    if name.startswith("figure-"):
        figures = folder / "figures"
        return (figures if figures.exists() else folder) / name.removeprefix("figure-")
    return folder / "tables" / name if (folder / "tables").exists() and name != "regimes.csv" else None


def check_downloads(browser, faults, where, folder):
    """What can be saved from the page is what lies beside it."""
    links = browser.run("Array.from(document.querySelectorAll('a[download]'), a => [a.download, "
                        "a.getAttribute('href')])")
    tables = browser.run("document.querySelectorAll('.blocks:not(.cell *)').length")
    figures = browser.run("document.querySelectorAll('figure').length")
    faults.add(where, len(links) != tables + 2 * figures and f"{len(links)} files to save")
    for name, link in links:
        head, _, body = link.partition(",")
        text = urllib.parse.unquote(body, errors="strict")
        kind = "image/svg+xml" if name.endswith(".svg") else "text/csv"
        faults.add(where, head != f"data:{kind};charset=utf-8" and f"{name} is saved as {head}")
        file = beside(folder, name)
        faults.add(where, file and not file.exists() and f"{name} is not beside the page")
        faults.add(where, file and file.exists() and file.read_text() != text and f"{name} is another")


def check_inert(browser, faults, where):
    for fault in browser.run(scripts.INERT):
        faults.add(where, fault)
    words = browser.run("document.body.textContent.includes('<script>window.hostile=1</script>')")
    faults.add(where, where.startswith("hostile") and not words and "the hostile words are not shown")


def check_accessibility(browser, faults, where, axe):
    """What axe-core finds serious or critical, with all parts unfolded."""
    browser.run(axe + "; 0")
    for fault in browser.run(scripts.AXE):
        faults.add(where, fault)


def check_report(browser, faults, name, folder, axe):
    path = folder / "report.html"
    whole = name in ("main", "hostile")  # the sheet of styles is one: the others see either scheme at one width
    for width in (DESK, PHONE):
        for dark in (False, True) if whole else (width == PHONE,):
            where = f"{name} at {width}, {'dark' if dark else 'light'}"
            browser.open(path, width, dark=dark, phone=width == PHONE)
            for fault in browser.run(scripts.FIRST_SCREEN):
                faults.add(where, fault)
            browser.run(scripts.UNFOLD)
            check_look(browser, faults, where)
            if axe is not None and dark == (width == PHONE):
                check_accessibility(browser, faults, where, axe)
        check_jumps(browser, faults, where)
        check_sticky(browser, faults, where)
    browser.open(path, DESK)
    browser.run(scripts.UNFOLD)
    check_downloads(browser, faults, name, folder)
    check_scripts(browser, faults, name)
    for fault in browser.run(scripts.POINTS) + browser.run(scripts.COPIES) + browser.run(scripts.CELLS):
        faults.add(name, fault)
    check_inert(browser, faults, name)
    faults.add(name, "; ".join(browser.complaints()))
    check_print(browser, faults, name, folder)
    check_without_script(browser, faults, name + " without script", path)
    faults.add(name, path.stat().st_size > MOST_BYTES and f"{path.stat().st_size} bytes")


def main():
    program, source, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
    found = chromium.find()
    if found is None:
        print("skipped: no Chromium here (Debian's package chromium)")
        return 77
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    faults, browser, axe = Faults(), chromium.Chromium(found), chromium.find_axe()
    if axe is None:
        print("without axe-core: npm install --global axe-core")
        faults.add("axe-core", os.environ.get("CI") and "is not here")
    try:
        for make in (make_rate, make_reports):
            for name, folder in make(program, source, work):
                check_report(browser, faults, name, folder, axe)
    finally:
        browser.close()
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
