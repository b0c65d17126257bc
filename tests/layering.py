#!/usr/bin/env python3
"""Checks who may include, call and need whom.

  layering.py [--build BUILD_DIR] SOURCE_DIR   check the sources, and the static libraries of a build
  layering.py --self-test                      show that each rule can fail, on made-up trees

The table, also in CONTRIBUTING.md: engine <- models <- study <- import <- cli. A folder may
include what stands to its left; other rules are the tables below. Unit tests (foo_test.c) keep
to the includes of their folder, and may print. Needs Python 3 and, with --build, nm.
"""
import os
import re
import subprocess
import sys
import tempfile

# Our layers; the first row whose start fits a path is the path's. `simgrid` is the module; `loader` is
# its other side in the program, which opens it and forks the child that asks it for routes.
LAYERS = [  # name, how its paths start, layers it may include
    ("simgrid", "sim/engine/simgrid/", {"simgrid", "engine"}),
    ("loader", "sim/engine/simgrid_", {"simgrid", "engine", "loader"}),
    ("engine", "sim/engine/", {"engine"}),
    ("models", "models/", {"engine", "models"}),
    ("study", "sim/study/", {"engine", "models", "study"}),
    ("import", "sim/import/", {"engine", "models", "study", "import"}),
    ("cli", "sim/cli/", {"engine", "models", "study", "import", "cli"}),
    ("tests", "tests/", {"engine", "models", "study", "import", "cli", "tests"}),
]
MAY_INCLUDE = {name: allowed for name, _, allowed in LAYERS}
LIBRARIES = ["engine", "models", "study", "import", "cli"]

# Headers of other projects, and the only layers that may include them.
FOREIGN = [
    (r"yaml\.h$", {"study"}),
    (r"(simgrid|xbt|smpi|surf)/", {"simgrid"}),
    (r"Random123/", {"engine"}),
    (r"jansson\.h$", {"models", "study", "import", "cli", "tests"}),
    (r"(hwloc|libfdt)(\.h$|/)", {"import"}),
    (r"cmocka\.h$", {"tests"}),
    (r"(err|error)\.h$", {"cli", "tests"}),
    (r"(tgmath|complex|fenv)\.h$", {"tests"}),
]

# libm's last digits differ between machines; sqrt is exact everywhere, so it is not here.
LIBM = {f + s for f in ("exp exp2 expm1 log log2 log10 log1p pow sin cos tan sinh cosh tanh asin acos "
                        "atan atan2 erf erfc lgamma tgamma cbrt hypot fmod".split())
        for s in ("", "f", "l")}

# Words of the language that only some layers may use: pattern, layers, what to do instead.
# A stream that the caller gave, or open_memstream's, may be written anywhere: what
# makes a library print is naming stdout or stderr.
WORDS = [
    (r"v?printf|puts|putchar|putchar_unlocked|perror|stdout|stderr",
     {"cli", "tests"}, "add to the vsg_diag; sim/cli prints"),
    (r"v?dprintf|STDOUT_FILENO|STDERR_FILENO", {"cli", "tests", "study", "simgrid", "loader"},
     "add to the vsg_diag; sim/cli prints"),
    (r"exit|abort|quick_exit|_Exit|atexit", {"cli", "tests"}, "return an enum vsg_status"),
    (r"_exit", {"cli", "tests", "study", "simgrid", "loader"},
     "only a forked child (sim/study, sim/engine/simgrid) ends itself"),
    (r"rand|srand|random|srandom|[a-z]rand48", set(), "draw from engine/random.h"),
    ("|".join(sorted(LIBM)), {"tests"}, "libm differs between machines; use + - * / sqrt, or a table"),
    (r"f?open|openat|freopen|fdopen|popen|system|getenv|secure_getenv|setenv",
     {"simgrid", "loader", "engine", "study", "import", "cli", "tests"},
     "a model gets a struct; sim/study and sim/import read files"),
    (r"time|gettimeofday|clock_gettime|clock|usleep|nanosleep|sleep",
     {"simgrid", "loader", "study", "import", "cli", "tests"}, "results know simulated time only"),
    (r"pthread_\w+", {"simgrid", "loader", "engine", "study", "import", "cli", "tests"},
     "a model never knows its thread"),
]
# Words that are calls: looked for with an opening bracket, so that a field `time` is no hit.
CALLS = re.compile(r"^(?!stdout|stderr|STD)")

# The same for objects, by the names the linker sees (after macros and compiler rewriting).
PRINTS = set("printf vprintf puts putchar perror stdout stderr exit abort quick_exit _Exit atexit "
             "__printf_chk __vprintf_chk".split())
SYMBOLS = {
    "engine": PRINTS | LIBM | {"rand", "random", "time", "clock_gettime", "gettimeofday"},
    "models": PRINTS | LIBM | {"_exit", "rand", "random", "time", "clock_gettime", "gettimeofday",
                               "fopen", "fopen64", "open", "open64", "getenv"},
    "study": PRINTS | LIBM | {"rand", "random"},
    "import": PRINTS | LIBM | {"_exit", "rand", "random"},
    "cli": set(),
}

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def without_comments(text):
    """The text with comments blanked, line numbers kept."""
    def blank(match):
        s = match.group(0)
        return re.sub(r"[^\n]", " ", s) if s[0] == "/" else s
    return TOKEN.sub(blank, text)


def without_strings(text):
    return TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def layer_of(path):
    for name, start, _ in LAYERS:
        if path.startswith(start):
            return name
    return None


def resolve(root, path, name):
    """The file of the tree that `#include "name"` in path means, or None."""
    for folder in (os.path.dirname(path), "", "sim"):
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def check_file(root, path, problems):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        code = without_comments(f.read())
    layer = layer_of(path)
    is_test = path.endswith("_test.c") or layer == "tests"

    def problem(offset, text):
        problems.append("%s:%d: %s" % (path, code.count("\n", 0, offset) + 1, text))

    for match in INCLUDE.finditer(code):
        quote, name = match.groups()
        at = match.start(1)
        if quote == "<":
            for pattern, allowed in FOREIGN:
                if re.match(pattern, name) and layer not in allowed \
                        and not (is_test and "tests" in allowed):
                    problem(at, "<%s> may be included only in: %s" % (name, ", ".join(sorted(allowed))))
            if resolve(root, "", name):
                problem(at, '<%s> is a file of this tree: write "%s"' % (name, name))
            continue
        if ".." in name.split("/"):
            problem(at, '"%s": name headers from the root or from sim/, not with ..' % name)
            continue
        if name == "version.h":  # made by CMake; any layer
            continue
        target = resolve(root, path, name)
        if target is None:
            problem(at, '"%s" is not in the tree; write <%s> if it is a library\'s' % (name, name))
            continue
        target_layer = layer_of(target)
        if target_layer not in MAY_INCLUDE[layer]:
            problem(at, '%s may not include %s ("%s")' % (layer, target_layer, name))
    if is_test:
        return
    bare = without_strings(code)
    for pattern, allowed, instead in WORDS:
        if layer in allowed:
            continue
        for word in re.finditer(r"(?<![\w.>])(%s)\b" % pattern, bare):
            called = bare[word.end():word.end() + 200].lstrip().startswith("(")
            if CALLS.match(word.group(1)) and not called:
                continue
            line_start = bare.rfind("\n", 0, word.start()) + 1
            if re.match(r"\s*#\s*include", bare[line_start:]):
                continue
            problem(word.start(), "%s in %s: %s" % (word.group(1), layer, instead))


def check_sources(root):
    problems, count = [], 0
    for top in ("sim", "models", "tests"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith((".c", ".h")):
                    count += 1
                    if layer_of(path) is None:
                        problems.append("%s: belongs to no layer; put it into one, or add a row to "
                                        "LAYERS in tests/layering.py" % path)
                    else:
                        check_file(root, path, problems)
    if count == 0:
        problems.append("%s: no C files here; is this the tree?" % root)
    return problems


def symbols(archive):
    """(defined, needed) global names of an archive; needed without those it defines itself."""
    text = subprocess.run(["nm", "-gP", archive], check=True, capture_output=True, text=True).stdout
    defined, needed = set(), set()
    for line in text.splitlines():
        fields = line.split()
        if len(fields) >= 2 and len(fields[1]) == 1:
            name = fields[0].split("@")[0]
            (needed if fields[1] in "Uw" else defined).add(name)
    return defined, needed - defined


def check_libraries(build):
    problems = []
    found = {}
    for name in LIBRARIES:
        archive = os.path.join(build, "libvsg_%s.a" % name)
        if os.path.isfile(archive):  # a folder without sources makes none
            found[name] = symbols(archive)
    if "engine" not in found:
        return ["%s: no libvsg_engine.a; build first" % build]
    for name, (_, needed) in found.items():
        for symbol in sorted(needed & SYMBOLS[name]):
            problems.append("libvsg_%s.a needs %s, which this layer may not use" % (name, symbol))
        higher = LIBRARIES[LIBRARIES.index(name) + 1:]
        lower = LIBRARIES[:LIBRARIES.index(name)]
        below = set().union(*(found[x][0] for x in lower if x in found))
        for other in higher:
            for symbol in sorted((needed - below) & found.get(other, (set(), set()))[0]):
                problems.append("libvsg_%s.a needs %s of libvsg_%s.a, a higher layer"
                                % (name, symbol, other))
    return problems


# ---- self-test: a clean tree passes; each violation alone is found -------------------------------

CLEAN = {
    "sim/engine/a.h": "int vsg_a(void);\n",
    "sim/engine/a.c": '#include "engine/a.h"\n#include <stdio.h>\n#include <Random123/philox.h>\n'
                      "/* printf(), exit() and <yaml.h> in comments are fine */\n"
                      "int vsg_a(void) { char b[9]; return snprintf(b, 9, \"exit(1) %d\", 1); }\n",
    "sim/engine/simgrid_load.c": '#include "engine/simgrid/s.h"\nvoid l(void) { _exit(1); }\n',
    "sim/engine/simgrid/s.h": "int s;\n",
    "sim/engine/simgrid/s.c": '#include <simgrid/host.h>\n#include "engine/a.h"\n',
    "models/gic/m.h": "struct m { int time; };\n",
    "models/gic/m.c": '#include "m.h"\n#include "engine/a.h"\nint f(struct m *m) { return m->time; }\n',
    "models/gic/m_test.c": '#include <cmocka.h>\n#include <jansson.h>\nint main(void) { printf("x"); }\n',
    "sim/study/y.c": "#include <yaml.h>\n#include \"models/gic/m.h\"\nvoid w(void) { _exit(0); }\n",
    "sim/study/y.h": "int y;\n",
    "sim/import/i.c": '#include "study/y.h"\n',
    "sim/cli/main.c": '#include "study/y.h"\n#include "version.h"\nint main(void) { printf("x"); exit(1); }\n',
    "tests/engines/e_test.c": '#include "study/y.h"\n#include <math.h>\n#include <cmocka.h>\n',
}
VIOLATIONS = [  # file, text appended, what the message must say
    ("sim/engine/a.c", '#include "models/gic/m.h"\n', "engine may not include models"),
    ("sim/engine/a.c", '#include "engine/simgrid/s.h"\n', "engine may not include simgrid"),
    ("sim/engine/simgrid_load.c", "#include <simgrid/host.h>\n", "may be included only in: simgrid"),
    ("sim/engine/a.c", "void g(void) { _exit(1); }\n", "_exit in engine"),
    ("models/gic/m.c", '#include "study/y.h"\n', "models may not include study"),
    ("models/gic/m_test.c", '#include "study/y.h"\n', "models may not include study"),
    ("sim/study/y.c", '#include "sim/cli/c.h"\n', "not in the tree"),
    ("sim/import/i.c", '#include "tests/t.h"\n', "import may not include tests"),
    ("sim/engine/a.c", '#include "../../models/gic/m.h"\n', "not with .."),
    ("sim/engine/a.c", "#include <models/gic/m.h>\n", "is a file of this tree"),
    ("sim/engine/simgrid/s.c", '#include "models/gic/m.h"\n', "simgrid may not include models"),
    ("models/gic/m.c", "#include <yaml.h>\n", "<yaml.h> may be included only in: study"),
    ("sim/cli/main.c", "#  include <yaml.h>\n", "<yaml.h> may be included only in: study"),
    ("sim/engine/a.c", "#include <simgrid/host.h>\n", "<simgrid/host.h> may be included only in: simgrid"),
    ("models/gic/m.c", "#include <Random123/philox.h>\n", "may be included only in: engine"),
    ("sim/engine/a.c", "#include <jansson.h>\n", "<jansson.h> may be included only in"),
    ("sim/study/y.c", "#include <err.h>\n", "<err.h> may be included only in: cli"),
    ("sim/engine/a.c", "#include <fenv.h>\n", "<fenv.h> may be included only in"),
    ("sim/study/y.c", "#include <math.h>\ndouble g(double x) { return sqrt(x) + log10(x); }\n", "log10 in study"),
    ("sim/engine/a.c", "#include <cmocka.h>\n", "<cmocka.h> may be included only in"),
    ("sim/engine/a.c", 'void f(void) { printf ("x"); }\n', "printf in engine"),
    ("models/gic/m.c", 'void g(void) { puts("x"); }\n', "puts in models"),
    ("sim/study/y.c", 'void g(void) { fprintf(stdout, "x"); }\n', "stdout in study"),
    ("sim/import/i.c", 'void g(void) { fputs("x", stderr); }\n', "stderr in import"),
    ("sim/study/y.c", "void g(void) { exit(1); }\n", "exit in study"),
    ("sim/engine/simgrid/s.c", "void g(void) { abort(); }\n", "abort in simgrid"),
    ("models/gic/m.c", "void g(void) { _exit(1); }\n", "_exit in models"),
    ("sim/cli/main.c", "int g(void) { return rand(); }\n", "rand in cli"),
    ("models/gic/m.c", 'void g(void) { fopen("x", "r"); }\n', "fopen in models"),
    ("sim/engine/a.c", "void g(void) { time(0); }\n", "time in engine"),
    ("models/gic/m.c", "void g(void) { pthread_self(); }\n", "pthread_self in models"),
    ("sim/other/o.c", "int o;\n", "belongs to no layer"),
]
CLEAN_OBJECTS = {
    "engine": "int vsg_e(int x) { return x; }\n",
    "models": "int vsg_e(int); int vsg_m(void) { return vsg_e(1); }\n",
    "study": "int vsg_m(void); int vsg_s(void) { return vsg_m(); }\n",
}
BAD_OBJECTS = [
    ("engine", "int vsg_m(void); int b(void) { return vsg_m(); }\n", "needs vsg_m of libvsg_models.a"),
    ("models", "int vsg_s(void); int b(void) { return vsg_s(); }\n", "needs vsg_s of libvsg_study.a"),
    ("models", "#include <stdio.h>\nvoid b(int x) { printf(\"%d\", x); }\n", "printf"),
    ("engine", "#include <stdio.h>\nvoid b(void) { fputs(\"x\", stdout); }\n", "needs stdout"),
    ("study", "#include <stdlib.h>\nvoid b(void) { exit(1); }\n", "needs exit"),
    ("models", "double pow(double, double); double b(double x) { return pow(x, x); }\n", "needs pow"),
]


def self_test():
    failures = []

    def expect(problems, words, what):
        if words is None and problems:
            failures.append("%s: not clean: %s" % (what, problems))
        if words is not None and not (len(problems) == 1 and words in problems[0]):
            failures.append("%s: expected one problem with '%s', got %s" % (what, words, problems))

    def write(root, files):
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)

    def libraries(root, sources):
        for name, text in sources.items():
            write(root, {name + ".c": text})
            base = os.path.join(root, name)
            subprocess.run(["cc", "-c", "-O2", "-o", base + ".o", base + ".c"], check=True)
            subprocess.run(["ar", "rcs", os.path.join(root, "libvsg_%s.a" % name), base + ".o"],
                           check=True)

    for row in [(None, "", None)] + VIOLATIONS:
        with tempfile.TemporaryDirectory() as root:
            write(root, dict(CLEAN, **{"tests/t.h": "int t;\n"}))
            path, text, words = row
            if path:
                write(root, {path: CLEAN.get(path, "") + text})
            expect(check_sources(root), words, "%s + %r" % (path, text))
    for name, text, words in [("engine", "", None)] + BAD_OBJECTS:
        with tempfile.TemporaryDirectory() as root:
            libraries(root, dict(CLEAN_OBJECTS, **{name: CLEAN_OBJECTS[name] + text}))
            expect(check_libraries(root), words, "objects: %s + %r" % (name, text))
    with tempfile.TemporaryDirectory() as root:
        expect(check_sources(root), "no C files", "empty tree")
        expect(check_libraries(root), "build first", "empty build")
    for line in failures:
        print(line)
    print("%d made-up trees, %d wrong answers" % (len(VIOLATIONS) + len(BAD_OBJECTS) + 4, len(failures)))
    return 1 if failures else 0


def main(args):
    if args == ["--self-test"]:
        return self_test()
    build = None
    if len(args) == 3 and args[0] == "--build":
        build = args[1]
        args = args[2:]
    if len(args) != 1 or args[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    problems = check_sources(args[0])
    if build:
        problems += check_libraries(build)
    for line in problems:
        print(line)
    print("%d violations of the layers" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
