#!/usr/bin/env python3
"""Compares the figures in the answers of scenarios with what the program prints.

    tests/answers.py FILE.yaml...    the program is $VSGISIM
    tests/answers.py --self-test     shows that each rule below can fail

The comment on top of a scenario has paragraphs `Question: ...` and `Answer: ...`, and perhaps

    # Shown by:
    #   vsgisim run scenarios/NAME.yaml --set ...

with the commands that print what the answer says; without it, `vsgisim run` of the file. Every
number with a unit in the answer must be among the numbers of that unit in their output, or in
the YAML below (an input), to the digits given. `12 x 20 ns = 240 ns` is worked out instead: what
stands left must be known, unless it has no unit. Of `850.0 to 750.0 ns`, `20 and 30 %` or
`766 +- 1 ns` each number has the unit. A number that bears a suffix or no unit is not looked at.
"""
import ast
import operator
import os
import re
import sys

sys.dont_write_bytecode = True
from docs import Place, ROOT  # pylint: disable=wrong-import-position

UNITS = {"ps": ("s", 1e-12), "ns": ("s", 1e-9), "us": ("s", 1e-6), "ms": ("s", 1e-3),
         "%": ("%", 0.01), "/s": ("/s", 1), "k/s": ("/s", 1e3), "M/s": ("/s", 1e6),
         "G/s": ("/s", 1e9), "MB/s": ("B/s", 1e6), "GB/s": ("B/s", 1e9), "B": ("B", 1)}
UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
NUMBER = re.compile(r"(?<![\w.,-])-?(\d[\d,]*(?:\.\d+)?)(?: ?(%s))?(?![\w/])(?!\.\d)" % UNIT)
JOINT = re.compile(r"(,| to| against| and| or| \+-| instead of) $")
TERM = r"\d[\d,]*(?:\.\d+)?(?: ?(?:%s))?" % UNIT
EQUATION = re.compile(r"(?<![\w.])(\(?%s(?:\)? [x/+-] \(?%s\)?)+) = (%s)" % (TERM, TERM, TERM))
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv}


def value_of(digits, unit):
    """(quantity, value, half of the last digit) of a number as it is written."""
    quantity, scale = UNITS[unit]
    places = len(digits.partition(".")[2])
    return quantity, float(digits.replace(",", "")) * scale, 0.5 * 10 ** -places * scale


def numbers(text):
    """(start, as written, digits, unit or None) of all numbers; joined ones share a unit."""
    found = []
    for m in NUMBER.finditer(text):
        found.append([m.start(), m.end(), m.group(1).rstrip(","), m.group(2)])
    for one, after in zip(reversed(found[:-1]), reversed(found[1:])):
        if not one[3] and JOINT.fullmatch(text[one[1]:after[0]]):
            one[3] = after[3]
    return [(start, text[start:end], digits, unit) for start, end, digits, unit in found]


def printed(output):
    """Values in an output, and in tables whose heading has the unit: (quantity, value)."""
    known, unit = [], None
    for line in output:
        if not line.strip():
            unit = None
        elif line.startswith("where the time goes, ns"):
            unit = "ns"
        for _, _, digits, own in numbers(line):
            if own or unit:
                known.append(value_of(digits, own or unit)[:2])
    return known


def is_known(said, known):
    quantity, value, half = said
    return any(q == quantity and abs(v - value) <= half * 1.000001 for q, v in known)


def worked_out(text):
    """The value of `12 x 20 ns + 3 ns`, in units without prefixes."""
    text = NUMBER.sub(lambda m: repr(value_of(m.group(1), m.group(2))[1]) if m.group(2)
                      else m.group(1).replace(",", ""), text)

    def go(node):
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](go(node.left), go(node.right))
        return node.value
    return go(ast.parse(text.replace(" x ", " * "), mode="eval").body)


def wrong_figures(answer, known):
    """What the answer says and nothing shows."""
    wrong, results, known = [], set(), list(known)
    for m in EQUATION.finditer(answer):
        said = NUMBER.fullmatch(m.group(2))
        if said.group(2):
            quantity, value, half = value_of(said.group(1), said.group(2))
            results.add(m.start(2))
            known.append((quantity, value))  # for what the answer says of it afterwards
            if abs(worked_out(m.group(1)) - value) > half * 1.000001:
                wrong.append("'%s' is not right" % m.group(0))
    count = 0
    for start, shown, digits, unit in numbers(answer):
        if not unit:
            continue
        count += 1
        if start not in results and not is_known(value_of(digits, unit), known):
            wrong.append("'%s %s' is in no output" % (digits, unit) if shown[-1].isdigit()
                         else "'%s' is in no output" % shown)
    return wrong if count else wrong + ["the answer has no figure with a unit"]


def parts(text):
    """The paragraphs of the comment on top, by their first word, and the YAML below."""
    found, body = {}, []
    paragraph = []
    for line in text.splitlines():
        if body or not line.startswith("#"):
            body.append(line)
        elif line.strip() == "#":
            paragraph = []
        else:
            if not paragraph and re.match(r"# (Question|Answer|Shown by):", line):
                paragraph = found.setdefault(line[2:].partition(":")[0], [])
            paragraph.append(line[2:])
    return found, "\n".join(body)


def check(path, place):
    with open(path, encoding="utf-8") as f:
        found, body = parts(f.read())
    name = os.path.basename(path)
    complaints = [name + ": no '%s:' in the comment on top" % word
                  for word in ("Question", "Answer") if word not in found]
    if not re.search(r"^name: %s$" % re.escape(name[:-5]), body, re.M):
        complaints.append(name + ": its name: is another")
    commands = [c.strip() for c in found.get("Shown by", [])[1:]] or ["vsgisim run scenarios/" + name]
    known = printed(body.splitlines())
    for command in commands:
        status, output = place.run(command)
        known += printed(output)
        if status:
            complaints.append("%s: $ %s\nended with status %d" % (name, command, status))
    answer = " ".join(" ".join(found.get("Answer", [])).split())
    return complaints + ["%s: %s" % (name, w) for w in wrong_figures(answer, known)]


SELF_TEST = [  # answer, output, is it right?
    ("it takes 850 ns", ["mean 850.0 ns"], True),
    ("it takes 850.1 ns", ["mean 850.0 ns"], False),
    ("it takes 850 ns", ["mean 850 us"], False),
    ("it takes 850 ns", ["mean 850"], False),
    ("850 to 750 ns", ["850.0 ns", "750.0 ns"], True),
    ("850 to 751 ns", ["850.0 ns", "750.0 ns"], False),
    ("851 to 750 ns", ["850.0 ns", "750.0 ns"], False),
    ("1,293 ns", ["p99 1293 ns"], True),
    ("766 +- 1 ns", ["766.2 +- 1.0 ns"], True),
    ("766 +- 2 ns", ["766.2 +- 1.0 ns"], False),
    ("1.5 us", ["1,500 ns"], True),
    ("20 and 30 %", ["a 20 %", "b 30 %"], True),
    ("20 ns wait", ["where the time goes, ns", "  local 20.0"], True),
    ("20 ns wait", ["where the time goes, ns", "", "  local 20.0"], False),
    ("64 x 20 ns = 1280 ns", ["20 ns"], True),
    ("64 x 20 ns = 1290 ns", ["20 ns"], False),
    ("64 x 20 ns = 1280 ns", ["30 ns"], False),
    ("64 x 468,750/s x 20 ns = 60 %", ["468,750/s", "20 ns"], True),
    ("20 ns / (1 - 0.5) = 40 ns, and 40 ns", ["20 ns"], True),
    ("20 ns / (1 - 0.5) = 41 ns", ["20 ns"], False),
    ("7 nodes", ["7 ns"], False),
]


def self_test():
    bad = 0
    for answer, output, right in SELF_TEST:
        if (wrong_figures(answer, printed(output)) == []) != right:
            print("should be %s: %s | %s" % ("right" if right else "wrong", answer, output))
            bad += 1
    found, body = parts("# schema\n#\n# Question: a\n# b\n#\n# Answer: c\n#\n# more\n#\n# Shown by:\n"
                        "#   d\nname: e\n# f\n")
    if found != {"Question": ["Question: a", "b"], "Answer": ["Answer: c"],
                 "Shown by": ["Shown by:", "  d"]} or body != "name: e\n# f":
        print("parts: %r %r" % (found, body))
        bad += 1
    print("%d cases, %d wrong" % (len(SELF_TEST) + 1, bad))
    return 1 if bad else 0


def main(words):
    if words == ["--self-test"]:
        return self_test()
    program = os.environ.get("VSGISIM")
    if not words or not program:
        print(__doc__ + "\nVSGISIM must name the program.", file=sys.stderr)
        return 2
    place = Place(os.path.abspath(program))
    complaints = [c for path in words for c in check(path, place)]
    place.close()
    for text in complaints:
        print(text)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
