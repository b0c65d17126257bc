#!/usr/bin/env python3
"""Runs the commands that the documents show.

    tests/docs.py [--write] FILE.md...    run them; --write puts today's output into the file
    tests/docs.py --self-test             shows that each rule below can fail

The blocks of a file are run in order in one temporary directory, which looks like the
root of the tree: scenarios/, plots/, tests/ and docs/ are there, and `vsgisim` is $VSGISIM.

    ```console           `$ command`, then exactly what it prints (stdout and stderr). A line `...`
                         stands for any lines, `...` in a line for any text. A command that
                         ends in \\ goes on in the next line.
    ```console exit=3    the last command ends with that status; without it, with 0
    ```sh                run as one script with bash -e
    ```sh by-hand        not run (it installs, builds, takes long); what it names must exist

Any other block must not look like a command: what is shown is run, or says that it is not.
Links between files, and the paths in `backticks`, must exist.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FENCE = re.compile(r"^( *)```(.*)$")
COMMAND = re.compile(r"^\s*(\$ |(vsgisim|cmake|ctest|ninja|gnuplot) |\./\w|[\w/]+\.(sh|py)( |$))")
LINK = re.compile(r"\]\(([^)\s]+)\)")
TREE_PATH = re.compile(r"`((?:sim|models|tests|docs|scenarios|plots|cmake)/[^`\s]*)`")
SECONDS = 300  # under valgrind, a run takes its time


def blocks(lines):
    """Yields (indent, info string, index of the first line, index of the closing fence)."""
    start, indent, info = None, "", ""
    for i, line in enumerate(lines):
        fence = FENCE.match(line)
        if not fence:
            continue
        if start is None:
            start, indent, info = i + 1, fence.group(1), fence.group(2).strip()
        else:
            yield indent, info, start, i
            start = None
    if start is not None:
        raise SystemExit("a block is opened but not closed")


def steps(lines):
    """Splits a console block into [command, expected lines]."""
    found, more = [], False
    for line in lines:
        if more:
            found[-1][0] += "\n" + line
        elif line.startswith("$ "):
            found.append([line[2:], []])
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError("a console block begins with '$ '")
        more = (more or line.startswith("$ ")) and line.endswith("\\")
    return found


def fits(expected, got):
    """True if the output is what the document shows."""
    pattern = []
    for line in expected:
        if line.strip() == "...":
            pattern.append(r"(?:[^\n]*\n)*")
        else:
            pattern.append(r"[^\n]*?".join(map(re.escape, line.rstrip().split("..."))) + r"\n")
    text = "".join(line.rstrip() + "\n" for line in got)
    return re.fullmatch("".join(pattern), text) is not None


class Place:
    """A directory to run commands in."""

    def __init__(self, program):
        self.path = tempfile.mkdtemp(prefix="vsgisim-docs-")
        for name in ("scenarios", "plots", "tests", "docs"):
            if os.path.exists(os.path.join(ROOT, name)):
                os.symlink(os.path.join(ROOT, name), os.path.join(self.path, name))
        for folder in (".bin", "build/release/bin"):
            os.makedirs(os.path.join(self.path, folder))
            wrapper = os.path.join(self.path, folder, "vsgisim")
            with open(wrapper, "w", encoding="utf-8") as f:
                f.write('#!/bin/sh\nexec "%s" "$@"\n' % program)
            os.chmod(wrapper, 0o755)
        self.env = dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1", TERM="dumb")
        self.env["PATH"] = os.path.join(self.path, ".bin") + ":" + self.env["PATH"]
        self.env.pop("COLUMNS", None)

    def run(self, script):
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.path,
                              env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        return done.returncode, done.stdout.decode("utf-8", "replace").splitlines()

    def close(self):
        shutil.rmtree(self.path)


def by_hand(lines, verbs):
    """What a block that is not run gets wrong: programs and verbs that do not exist."""
    wrong = []
    for line in lines:
        words = line.split("#")[0].split()
        if not words:
            continue
        name = words[0]
        if "/" in name and not name.startswith("build/") and \
                not os.path.exists(os.path.join(ROOT, name)):
            wrong.append("no such file: " + name)
        if os.path.basename(name) == "vsgisim" and len(words) > 1 and words[1] not in verbs:
            wrong.append("no such verb: " + words[1])
    return wrong


def check(path, place, verbs, write=False):
    """Runs a file's blocks. Returns complaints, each with its line."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    complaints, fresh, done = [], [], 0
    for indent, info, start, end in blocks(lines):
        kind, *options = info.split() or [""]
        body = [line.removeprefix(indent) for line in lines[start:end]]
        where = "%s:%d: " % (os.path.relpath(path, ROOT), start + 1)
        fresh += lines[done:start]
        done = end
        shown = body
        if "by-hand" in options:
            complaints += [where + w for w in by_hand(body, verbs)]
        elif kind == "sh":
            status, got = place.run("\n".join(body))
            if status:
                complaints.append(where + "ended with status %d:\n%s" % (status, "\n".join(got)))
        elif kind == "console":
            wanted = next((int(o[5:]) for o in options if o.startswith("exit=")), 0)
            shown, commands = [], steps(body)
            for i, (command, expected) in enumerate(commands):
                status, got = place.run(command)
                if status != (wanted if i + 1 == len(commands) else 0):
                    complaints.append(where + "$ %s\nended with status %d" % (command, status))
                ok = fits(expected, got)
                if not ok and not write:
                    complaints.append(where + "$ %s\nis shown with\n%s\nbut prints\n%s" % (
                        command, "\n".join(expected), "\n".join(got)))
                shown += ("$ " + command).splitlines() + (expected if ok else got)
        else:
            complaints += [where + "a command that no test runs: " + line.strip()
                           for line in body if COMMAND.match(line)]
        fresh += [indent + line if line else line for line in shown]
    fresh += lines[done:]
    if write and fresh != lines:
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(fresh) + "\n")
    return complaints


def anchors(path):
    """The names under which a file's headings can be linked to."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"^ *```.*?^ *```", "", f.read(), flags=re.M | re.S)
    return {re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-")
            for h in re.findall(r"^#+ (.*)$", text, re.M)}


def dead_ends(path, root=ROOT):
    """Links and paths of a file that lead nowhere."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"^ *```.*?^ *```", "", f.read(), flags=re.M | re.S)
    dead = []
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        if "://" in link or link.startswith("mailto:"):
            continue
        file, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(path), file) if file else path
        if not os.path.exists(target) or (anchor and anchor not in anchors(target)):
            dead.append("a link to nowhere: " + link)
    for name in TREE_PATH.findall(text):
        if not re.search(r"[A-Z]{2}|foo", name) and not glob.glob(os.path.join(root, name)):
            dead.append("no such file: " + name)
    return ["%s: %s" % (os.path.relpath(path, ROOT), d) for d in dead]


def known_verbs(place):
    """Verbs as `vsgisim help` lists them: "Verbs: run check ..."."""
    listed = re.search(r"Verbs?: ([a-z ,\n]+)", "\n".join(place.run("vsgisim help")[1]))
    return set(re.findall(r"[a-z]+", listed.group(1))) if listed else set()


SELF_TEST = [  # text of a document, is it right?
    ("```console\n$ echo a; echo b >&2\na\nb\n```\n", True),
    ("```console\n$ echo a\nb\n```\n", False),
    ("```console\n$ echo a\n```\n", False),
    ("```console\n$ printf 'a\\nb\\nc\\n'\na\n...\nc\n```\n", True),
    ("```console\n$ printf 'a\\nb\\n'\n...\nc\n```\n", False),
    ("```console\n$ echo took 12 ms\ntook ... ms\n```\n", True),
    ("```console\n$ echo took 12 s\ntook ... ms\n```\n", False),
    ("```console\n$ echo a \\\n    b\na b\n$ echo c\nc\n```\n", True),
    ("```console exit=3\n$ exit 3\n```\n", True),
    ("```console exit=3\n$ true\n```\n", False),
    ("```console\n$ exit 3\n```\n", False),
    ("```console\n$ false | true\n```\n", False),
    ("```sh\necho x >f\n```\n```console\n$ cat f\nx\n```\n", True),
    ("```sh\nfalse\n```\n", False),
    ("```sh by-hand\n./test.sh fast   # long\nvsgisim run x\n```\n", True),
    ("```sh by-hand\n./no-such-script.sh\n```\n", False),
    ("```sh by-hand\nvsgisim fly x\n```\n", False),
    ("```\nvsgisim run x\n```\n", False),
    ("```text\n./test.sh\n```\n", False),
    ("```yaml\nformat: 1\n```\n", True),
    ("```console\n$ test -e scenarios && vsgisim\n```\n", True),
    ("- a\n\n  ```console\n  $ echo a; echo; echo '  b'\n  a\n\n    b\n  ```\n", True),
    ("# A `b` c\nsee [a](#a-b-c) and [page](page.md#a-b-c), `tests/docs.py`, `tests/*.py`\n", True),
    ("see [a](#b)\n", False),
    ("see [a](page2.md)\n", False),
    ("see `tests/no-such-file.c`\n", False),
]


def self_test():
    place = Place("/bin/true")
    bad = 0
    for text, right in SELF_TEST:
        path = os.path.join(place.path, "page.md")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        if (check(path, place, {"run"}) + dead_ends(path) == []) != right:
            print("should be %s:\n%s" % ("right" if right else "wrong", text))
            bad += 1
    with open(path, "w", encoding="utf-8") as f:
        f.write("a\n```console\n$ echo new\nold\n```\nb\n")
    check(path, place, set(), write=True)
    with open(path, encoding="utf-8") as f:
        if f.read() != "a\n```console\n$ echo new\nnew\n```\nb\n":
            print("--write does not write")
            bad += 1
    place.close()
    print("%d cases, %d wrong" % (len(SELF_TEST) + 1, bad))
    return 1 if bad else 0


def main(words):
    if words == ["--self-test"]:
        return self_test()
    write = words[:1] == ["--write"]
    files = words[1:] if write else words
    program = os.environ.get("VSGISIM")
    if not files or not program:
        print(__doc__ + "\nVSGISIM must name the program.", file=sys.stderr)
        return 2
    complaints = []
    for path in files:
        place = Place(os.path.abspath(program))
        complaints += check(os.path.abspath(path), place, known_verbs(place), write)
        complaints += dead_ends(os.path.abspath(path))
        place.close()
    for text in complaints:
        print(text)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
