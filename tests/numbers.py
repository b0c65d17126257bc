#!/usr/bin/env python3
"""Works out by itself what the program says, from the documents' rules alone.

    tests/numbers.py idle [FIRST LAST]       latency and stages of random idle machines
    tests/numbers.py selection [FIRST LAST]  each CPU's ITS on random machines
    tests/numbers.py figures                 every field of a run from its single IPIs; CSV equals JSON
    tests/numbers.py intervals               means, t intervals, comparisons over replications
    tests/numbers.py pairing                 the same arrivals, targets and costs under each policy

$VSGISIM is the program. FIRST and LAST are seeds; the ones that fail are named. Exit code 1 when
anything differs.
"""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("VSGISIM", "vsgisim")
COSTS = "prepare trap dispatch store mmio its message deliver handle observe return line".split()
JITTER = """costs:
  trap: {lognormal: {mean: 204ns, cv: 0.1}}
  its: {lognormal: {mean: 20ns, cv: 0.3}}
  deliver: {exponential: {mean: 80ns}}
  handle: {lognormal: {mean: 100ns, cv: 0.3}}
"""
POISSON = """vms: [{name: guest, vcpus: 64, placement: {kind: packed}}]
workload: {kind: poisson, rate: 468750/s, sends: 400}
run: {replications: 5}
"""
TWO = "format: 1\nmachine: {nodes: 2, cpus_per_node: 32, its_per_node: 1}\n"
FOUR = "format: 1\nmachine: {nodes: 4, cpus_per_node: 16, its_per_node: 1}\n"
STAR = FOUR + "interconnect: {topology: star, link: {latency: 25ns, bandwidth: 2GB/s}}\n" + JITTER + POISSON
MATRIX = FOUR + """interconnect:
  topology: matrix
  matrix: {slit: [[10, 12, 20, 22], [12, 10, 22, 20], [20, 22, 10, 12], [22, 20, 12, 10]], scale: 5ns}
""" + JITTER + POISSON
LOOP = TWO + "vms: [{name: guest, vcpus: 4}]\nworkload: {kind: ipi_hw, sends: 2000}\n"
PAIRS = TWO + "vms: [{name: guest, vcpus: 64, placement: {kind: spread}}]\nworkload: {kind: pairs, sends: 300}\n"
CLOSED = TWO + """vms: [{name: guest, vcpus: 64}]
costs: {handle: {lognormal: {mean: 100ns, cv: 0.3}}}
workload: {kind: closed, sends: 500, think: {exponential: {mean: 500ns}}}
"""
MIXED = TWO + """vms:
  - {name: a, vcpus: 4, placement: {kind: node, node: 0}, workload: {kind: poisson, rate: 200k/s, sends: 2000}}
  - {name: b, vcpus: 4, placement: {kind: node, node: 0}, workload: {kind: poisson, rate: 400k/s, sends: 2000}}
  - {name: c, vcpus: 16, placement: {kind: node, node: 1},
     workload: {kind: closed, sends: 2000, think: {exponential: {mean: 2us}}}}
  - {name: d, vcpus: 16, placement: {kind: spread}, workload: {kind: pairs, sends: 2000}}
run: {replications: 5, warmup: 20us}
"""
differences = 0


def differs(*words):
    global differences
    differences += 1
    print(*words)


def near(what, shown, mine, step=0.00051):
    if shown is None or mine is None:
        if shown is not mine:
            differs(what, "shown", shown, "mine", mine)
    elif abs(shown - mine) > step:
        differs(what, "shown", shown, "mine", mine)


def program(*args, text=None):
    done = subprocess.run([PROGRAM, *args], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(args)}: exit {done.returncode}\n{done.stderr}\n{text or ''}")
    return done.stdout


# ---- idle ------------------------------------------------------------------------------------


def idle(seed):
    r = random.Random(seed)
    nodes, per_node, cpus = r.choice([1, 2, 3, 4, 5]), r.choice([1, 2]), 4
    cost = {k: r.randint(1, 300) for k in COSTS}
    topology = r.choice(["full", "star", "matrix"]) if nodes > 1 else "full"
    ns = r.randint(1, 200)
    hops = [[0 if a == b else ns if topology == "full" else 2 * ns for b in range(nodes)] for a in range(nodes)]
    if topology == "matrix":
        hops = [[0 if a == b else r.randint(1, 200) for b in range(nodes)] for a in range(nodes)]
        rows = ", ".join("[" + ", ".join(f"{x}ns" for x in row) + "]" for row in hops)
        links = f"matrix: {{latency: [{rows}]}}"
    else:
        links = f"link: {{latency: {ns}ns}}"
    store_weight, message_weight = r.choice([(1, 1), (2, 0), (0, 2), (1.5, 0.5), (3, 2)])
    ack, contention = r.choice(["local", "its"]), r.choice(["none", "fifo"])
    probed = list(range(nodes * per_node))
    r.shuffle(probed)
    s, t, h = (r.randrange(nodes) for _ in range(3))
    sender, target = s * cpus + r.randrange(cpus), t * cpus + r.randrange(cpus)
    if sender == target:
        target = t * cpus + (target + 1) % cpus
    kind, think = r.choice(["ipi_hw", "pairs", "closed", "poisson"]), r.choice([0, 1, 50, 1000])
    keys = {"closed": f", think: {think}ns, senders: [0], targets: [1]", "poisson": ", rate: 10/s, senders: [0], targets: [1]"}
    text = f"""format: 1
machine: {{nodes: {nodes}, cpus_per_node: {cpus}, its_per_node: {per_node}, probe_order: {probed}}}
interconnect: {{topology: {topology}, {links}, contention: {contention}, store_ack: {ack},
               mmio_weight: {store_weight}, message_weight: {message_weight}}}
costs: {{{', '.join(f'{k}: {v}ns' for k, v in cost.items())}}}
vms: [{{name: g, vcpus: 2, memory_node: {h}, placement: {{kind: pinned, cpus: [{sender}, {target}]}}}}]
workload: {{kind: {kind}, sends: 20{keys.get(kind, '')}}}
policies: [global-first, local, numa-v1]
run: {{warmup: {{sends: 5}}}}
"""
    for run in json.loads(program("run", "-", "--json", "-q", text=text))["runs"]:
        i = probed[-1] // per_node if run["policy"] == "global-first" else s
        stage = {k: cost[k] for k in ("trap", "dispatch", "store", "mmio", "its", "message", "deliver", "handle")}
        stage["mmio"] += store_weight * hops[s][i]
        stage["message"] += message_weight * hops[i][t]
        fetch = cost["line"] + hops[s][h] + hops[h][t] + hops[t][s]
        if kind in ("ipi_hw", "pairs"):
            stage["prepare"] = cost["prepare"] + fetch
            stage["handle"] += cost["line"] + hops[t][h] + hops[h][s] + hops[s][t]
            stage["observe"] = cost["observe"] + fetch
        elif kind == "closed":
            stage["observe"] = cost["observe"] + hops[t][s]
        if kind != "poisson":
            away = sum(stage.get(k, 0) for k in ("mmio", "its", "message", "deliver", "handle", "observe"))
            stage["self_wait"] = max(0, cost["return"] - away)
            if ack == "its" and i != s:
                acknowledged = stage["mmio"] + store_weight * hops[i][s]
                again = max(away, cost["return"]) + (think if kind == "closed" else 0) + sum(
                    stage.get(k, 0) for k in ("prepare", "trap", "dispatch"))
                stage["store"] += max(0, acknowledged - again)
        where = f"seed {seed} {run['policy']}"
        near(where, run["latency_ns"]["min"], sum(stage.values()))
        near(where, run["latency_ns"]["max"], sum(stage.values()))
        for name, shown in run["stages_ns"].items():
            near(f"{where} {name}", shown, stage.get(name, 0))


# ---- selection: the rules of tests/data/selection/README.md -----------------------------------


def group(affinity, count):
    return tuple(a if i < count else 0 for i, a in enumerate(affinity))


def local_choices(its, cpus, started, direct):
    """CPU -> (remembered ITS, how)."""
    of = {c["id"]: c for c in cpus}
    state = {}
    for x in started:
        if x in state:
            continue
        mine = group(of[x]["mpidr"], of[x]["common_lpi_aff"])
        # A CPU without a table is looked at, and is not asked: the next one up is not tried.
        like = [q for q in sorted(state) if group(of[q]["mpidr"], of[q]["common_lpi_aff"]) == mine]
        fit = [i["id"] for i in reversed(its)
               if i["typer_v41"] and i["svpet"] and i["vpe_table_valid"] and group(i["mpidr"], i["svpet"]) == mine]
        if not direct:
            state[x] = (None, "no-direct-vsgi")
        elif not of[x]["lpi_ok"]:
            state[x] = (None, "no-lpi")
        elif like and state[like[0]][1] != "no-lpi":
            state[x] = (state[like[0]][0], f"inherited-from-cpu {like[0]}")
        else:
            state[x] = (fit[0], f"from-its {fit[0]}") if fit else (None, "own-table")
    return state


def yaml(thing):
    def word(v):
        return str(v).lower() if isinstance(v, bool) else ".".join(map(str, v)) if isinstance(v, tuple) else str(v)
    return "{" + ", ".join(f"{k}: {word(v)}" for k, v in thing.items()) + "}"


def selection(seed):
    r = random.Random(seed)
    nodes = r.choice([1, 2, 3, 4])
    ids, its, cpus = r.sample(range(100), 2 * nodes), [], []
    for k in range(2 * nodes):
        its.append({"id": ids[k], "typer_v41": r.random() < 0.85, "svpet": r.choice([0, 1, 1, 1, 2, 2, 3]),
                    "mpidr": (0 if r.random() < 0.1 else k // 2, r.choice([0, 0, 1]), r.choice([0, 1]), r.randrange(3)),
                    "vpe_table_valid": r.random() < 0.85,
                    "numa_node": k // 2 if r.random() < 0.9 else r.choice([-1, *range(nodes)])})
    r.shuffle(its)
    names = list(range(4 * nodes))
    if r.random() < 0.5:
        r.shuffle(names)
    for k in range(4 * nodes):
        cpus.append({"id": names[k], "mpidr": (k // 4, r.choice([0, 0, 1]), r.choice([0, 1]), k),
                     "common_lpi_aff": r.choice([0, 1, 1, 1, 1, 2, 3]), "numa_node": k // 4 if r.random() < 0.95 else -1,
                     "rvpeid": r.random() < 0.995, "lpi_ok": r.random() < 0.95})
    boot = r.sample(names, r.randint(1, len(names)))
    most = r.choice([None, None, None, r.randint(1, len(boot))])
    started, events = boot[:most], []
    online = set(started)
    for _ in range(r.randint(0, 8)):
        out = [x for x in names if x not in online]
        if len(online) > 1 and (not out or r.random() < 0.5):
            events.append({"op": "offline", "cpu": r.choice(sorted(online))})
            online.remove(events[-1]["cpu"])
        elif out:
            events.append({"op": "online", "cpu": r.choice(out)})
            online.add(events[-1]["cpu"])
            started.append(events[-1]["cpu"])
    text = "\n".join(["format: 1", "policies: [global-first, local, numa-v1]", "machine:", f"  nodes: {nodes}",
                      "  its:", *(f"    - {yaml(i)}" for i in its), "  cpus:", *(f"    - {yaml(c)}" for c in cpus),
                      f"  boot_order: {boot}", *([f"  maxcpus: {most}"] if most else []),
                      *(["  events:"] if events else []), *(f"    - {yaml(e)}" for e in events)])
    shown = json.loads(program("topology", "-", "--json", text=text + "\n"))
    v41 = [i["id"] for i in its if i["typer_v41"]]
    direct = bool(v41) and all(c["rvpeid"] for c in cpus)
    state = local_choices(its, cpus, started, direct)
    node_of = {c["id"]: max(c["numa_node"], 0) for c in cpus}

    def expected(policy, x):
        if x not in state or not direct:
            return (None, None, None if policy == "global-first" else "no-direct-vsgi" if x in state else "not-started")
        if policy == "global-first":
            return (v41[-1], None, None)
        if policy == "local":
            remembered, how = state[x]
            return (v41[-1] if remembered is None else remembered, remembered, how)
        same = [i["id"] for i in its if i["typer_v41"] and i["numa_node"] == node_of[x]]
        return (same[-1], None, "same-node") if same else (v41[0], None, "other-node")

    if (shown["direct_vsgi"], shown["online"]) != (direct, sorted(online)):
        differs(f"seed {seed}: direct_vsgi or online", shown["online"], sorted(online))
    if [i["id"] for i in shown["its"]] != [i["id"] for i in reversed(its)]:
        differs(f"seed {seed}: the list's order")
    for policy, rows in shown["selection"].items():
        for row in rows:
            if (row["its"], row["remembered"], row["how"]) != expected(policy, row["cpu"]):
                differs(f"seed {seed}: {policy}", row, expected(policy, row["cpu"]))


# ---- figures of a run from its IPIs ---------------------------------------------------------------


def mean_ns(values):
    return sum(values) / len(values) / 1e3 if values else None


def percentile_ns(values, share_ppm, bits):
    """The upper edge of the bucket of the sample of that rank, at most the largest (docs/validation.md)."""
    if len(values) * (1000000 - share_ppm) < 30 * 1000000:
        return None
    value = values[-(-len(values) * share_ppm // 1000000) - 1]
    shift = max(0, value.bit_length() - 1 - bits)
    return min((((value >> shift) + 1) << shift) - 1, values[-1]) / 1e3


def check_run(run, ipis, sizes, node_of):
    latency = sorted(int(i["latency_ps"]) for i in ipis)
    f, n, m = run["latency_ns"], len(latency), sum(latency) / len(latency)
    if not n == f["count"] == run["ipis"]:
        differs("IPIs", n, run["ipis"])
    near("mean", f["mean"], m / 1e3)
    near("stddev", f["stddev"], math.sqrt(sum((x - m) ** 2 for x in latency) / (n - 1)) / 1e3)
    near("min", f["min"], latency[0] / 1e3)
    near("max", f["max"], latency[-1] / 1e3)
    for name, ppm in (("p50", 500000), ("p90", 900000), ("p99", 990000), ("p99_9", 999000), ("p99_99", 999900)):
        near(name, f[name], percentile_ns(latency, ppm, 10))
    for name, shown in run["stages_ns"].items():
        near(name, shown, mean_ns([int(i[name + "_ps"]) for i in ipis]))
    for i in ipis:
        if sum(int(i[name + "_ps"]) for name in run["stages_ns"]) != int(i["latency_ps"]):
            differs("stages do not add up", i)
    first = 0
    for size, vm in zip(sizes, run["vms"]):
        part = sorted(int(i["latency_ps"]) for i in ipis if first <= int(i["sender"]) < first + size)
        first += size
        near("vm count", vm["count"], len(part))
        near("vm mean", vm["mean_ns"], mean_ns(part))
        near("vm p99", vm["p99_ns"], percentile_ns(part, 990000, 5))
        near("vm max", vm["max_ns"], part[-1] / 1e3 if part else None)
    between = {}
    for i in ipis:
        between.setdefault((node_of(int(i["sender"])), node_of(int(i["target"]))), []).append(int(i["latency_ps"]))
    if sorted(between) != [(p["from_node"], p["to_node"]) for p in run["pairs"]]:
        differs("pairs", sorted(between))
    for p in run["pairs"]:
        part = sorted(between[p["from_node"], p["to_node"]])
        near("pair count", p["count"], len(part))
        near("pair mean", p["mean_ns"], mean_ns(part))
        near("pair p99", p["p99_ns"], percentile_ns(part, 990000, 5))
    for its in run["its"]:
        waits = [int(i["its_wait_ps"]) for i in ipis if int(i["its"]) == its["id"]]
        # What arrives at the ITS in the window is what was sent in it, but for those on the way at its ends.
        if abs(its["served"] - len(waits)) > 0.002 * n + 5:
            differs("its served", its["served"], len(waits))
        if its["served"]:
            near("its wait", its["wait_mean_ns"], mean_ns(waits), 0.05 + 0.02 * its["wait_mean_ns"])
    busy_ns = mean_ns([int(i["trap_ps"]) + int(i["dispatch_ps"]) + int(i["store_ps"]) for i in ipis])
    near("stall", run["sender"]["stall_ns"], busy_ns + run["return_ns"], 0.0011)
    # Throughput counts what finishes in the window, of which nothing but those on the way at its ends differs.
    window_ns = window(run, ipis)
    near("throughput", run["throughput_per_s"] / 1e9 * window_ns / n, 1, 0.01)


def window(run, ipis):
    """Length of the window after warm-up, in ns: it begins at the first counted intent, nearly."""
    return (max(int(i["intent_ps"]) for i in ipis) - min(int(i["intent_ps"]) for i in ipis)) / 1e3 \
        if len({i["sender"] for i in ipis}) > 1 else run["sim_time_ns"]


def flat(thing, before=""):
    for k, v in thing.items():
        if isinstance(v, dict):
            yield from flat(v, before + k + ".")
        else:
            yield before + k, v


def column(path):
    """The column of a field: the group stands first, the unit last."""
    group_, _, name = path.rpartition(".")
    return {"latency_ns": f"latency_{name}_ns", "stages_ns": f"{name}_ns", "analytic": f"analytic_{name}"}.get(group_, name)


def check_csv(text, runs):
    rows = list(csv.DictReader(io.StringIO(text)))
    if len(rows) != len(runs):
        differs("CSV rows", len(rows), len(runs))
    compared = 0
    for row, run in zip(rows, runs):
        for path, value in flat({k: v for k, v in run.items() if not isinstance(v, list)}):
            if column(path) not in row or path == "latency_ns.method":
                continue
            cell = row[column(path)]
            same = cell == "" if value is None else cell in (str(value), str(value).lower())
            if not same and cell and isinstance(value, (int, float)):
                same = abs(float(cell) - value) < 1e-9
            if not same:
                differs("CSV", column(path), cell, value)
            compared += 1
    if compared < 25 * len(runs):
        differs("CSV: too few fields compared", compared)


def figures():
    span = [0] * 8 + [1] * 16 + [i % 2 for i in range(16)]
    for name, text, sizes, node_of in (
            ("loop", LOOP, [4], lambda v: 0), ("pairs", PAIRS, [64], lambda v: v % 2),
            ("star", STAR, [64], lambda v: v // 16), ("matrix", MATRIX, [64], lambda v: v // 16),
            ("mixed", MIXED, [4, 4, 16, 16], lambda v: span[v]),
            ("closed", CLOSED, [64], lambda v: v // 32),
            ("closed, warm-up by time", CLOSED + "run: {warmup: 3us}\n", [64], lambda v: v // 32)):
        args = ["run", "-", "-q", "--set", "run.replications=1"]
        with tempfile.TemporaryDirectory() as folder:
            samples = os.path.join(folder, "samples.csv")
            runs = json.loads(program(*args, "--json", "--samples", samples, text=text))["runs"]
            with open(samples, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        before = differences
        for run in runs:
            check_run(run, [i for i in rows if int(i["run"]) == run["index"]], sizes, node_of)
        check_csv(program(*args, "--csv", text=text), runs)
        if differences > before:
            print("... in", name)


# ---- replications -----------------------------------------------------------------------------------


def tail_of_t(t, df):
    """P(|T| > t), by Simpson's rule over the density."""
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    steps = 4000
    width = t / steps

    def density(x):
        return scale * (1 + x * x / df) ** (-(df + 1) / 2)
    inner = density(0) + density(t) + sum((4 if i % 2 else 2) * density(i * width) for i in range(1, steps))
    return 1 - 2 * inner * width / 3


def t_quantile(level, df):
    low, high = 0.0, 64.0
    for _ in range(48):
        middle = (low + high) / 2
        low, high = (middle, high) if tail_of_t(middle, df) > 1 - level else (low, middle)
    return low


def spread(values, level):
    n, m = len(values), sum(values) / len(values)
    return m, t_quantile(level, n - 1) * math.sqrt(sum((x - m) ** 2 for x in values) / (n - 1) / n)


def intervals():
    for level, df, published in ((0.95, 4, 2.776), (0.95, 9, 2.262), (0.99, 9, 3.250), (0.95, 30, 2.042)):
        near("t table", t_quantile(level, df), published)
    for text, args in (
            (MATRIX, []),
            (STAR, ["--set", "run.replications=7", "--set", "policies=[global-first, local, numa-v1]",
                    "--set", "sweep={workload.rate: [200k/s, 468750/s], costs.its: [10ns, 20ns]}"]),
            (MIXED, ["--set", "sweep={interconnect.link.latency: [50ns, 60ns]}"])):
        shown = json.loads(program("run", "-", "-q", "--json", *args, text=text))
        of = {}
        for run in shown["runs"]:
            of.setdefault((json.dumps(run["point"]), run["policy"]), []).append(run["latency_ns"]["mean"])
        for point in shown["points"]:
            m, half = spread(of[json.dumps(point["point"]), point["policy"]], 0.95)
            near("point mean", point["latency_ns"]["mean"], m, 0.0011)
            near("point low", point["latency_ns"]["ci95"][0], m - half, 0.004)
            near("point high", point["latency_ns"]["ci95"][1], m + half, 0.004)
        for c in shown["comparisons"]:
            a, b = of[json.dumps(c["point"]), c["a"]], of[json.dumps(c["point"]), c["b"]]
            m, half = spread([y - x for x, y in zip(a, b)], 1 - 0.05 / len(shown["comparisons"]))
            near("difference", c["diff_ns"], m, 0.0011)
            near("ratio", c["ratio"], sum(b) / sum(a), 2e-6)
            near("difference low", c["ci95"][0], m - half, 0.005)
            near("difference high", c["ci95"][1], m + half, 0.005)
            verdict = "faster" if m + half < 0 else "slower" if m - half > 0 else "no difference shown"
            if c["verdict"] != verdict:
                differs(c, verdict)


def pairing():
    for name, text, same in (("poisson", STAR, ["target", "intent_ps", "trap_ps", "dispatch_ps", "its_ps", "handle_ps"]),
                             ("closed", CLOSED, ["target", "handle_ps"])):
        with tempfile.TemporaryDirectory() as folder:
            samples = os.path.join(folder, "samples.csv")
            program("run", "-", "-q", "--set", "run.replications=1", "--samples", samples, text=text)
            with open(samples, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        runs = [{(i["sender"], i["n"]): i for i in rows if i["run"] == k} for k in "01"]
        common = runs[0].keys() & runs[1].keys()
        if len(common) < 0.95 * len(runs[0]):
            differs(name, "IPIs in common", len(common))
        for field in same:
            apart = sum(runs[0][k][field] != runs[1][k][field] for k in common)
            if apart:
                differs(name, field, "differs in", apart, "of", len(common))
        if all(runs[0][k]["latency_ps"] == runs[1][k]["latency_ps"] for k in common):
            differs(name, "the policies do the same")


def main():
    what, *seeds = sys.argv[1:] or [""]
    if what in ("idle", "selection"):
        first, last = map(int, seeds or (0, 40))
        for seed in range(first, last):
            {"idle": idle, "selection": selection}[what](seed)
    elif what in ("figures", "intervals", "pairing"):
        {"figures": figures, "intervals": intervals, "pairing": pairing}[what]()
    else:
        sys.exit(__doc__)
    print(f"{what}: {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
