#include "study/params.h"

/* Rows of `costs`: what each stage costs inside a node. The defaults add up to the
 * seed's local figure: prepare + line, trap, dispatch, store, mmio, its, message,
 * deliver, handle + line, observe + line = 750 ns (Linux f1a3fac4095c). */

#define COST(stage, index, ns, from, why, words)                                                   \
    .key = "costs." stage, .kind = VSG_DIST, VSG_DEFAULT(VSG_NS(ns)), VSG_RANGE(0, VSG_MS(10)),    \
    .basis = (from), .source = (why), .doc = (words), .base = VSG_IN_CONFIG, .field = "cost",      \
    .offset = offsetof(struct vsg_config, cost[index]), .width = sizeof(struct vsg_dist)

static const struct vsg_param rows[] = {
    {
        .key = "costs",
        .kind = VSG_SECTION,
        .basis = VSG_INPUT,
        .source = "the user's machine",
        .doc =
            "Node-local cost of each stage: a time, or a distribution such as "
            "{lognormal: {mean: 20ns, cv: 0.3}}. What distance adds comes from the interconnect.",
    },
    {COST("prepare", VSG_COST_PREPARE, 10, VSG_ASSUMED, "assumed: a few stores and a barrier",
          "The guest readies the shared words before it sends (ipi_hw, pairs); costs.line comes on "
          "top.")},
    {COST("trap", VSG_COST_TRAP, 204, VSG_PUBLISHED,
          "kvm-unit-tests hvc on an Ampere Altra, Linux 6.12-rc1: trap + return = 306 ns; that two "
          "thirds are the way in is assumed",
          "The guest writes ICC_SGI1R_EL1: a full exit to KVM, up to its handler.")},
    {COST("dispatch", VSG_COST_DISPATCH, 96, VSG_ASSUMED,
          "assumed: what is left of the 750 ns of Linux f1a3fac4095c",
          "Per target: find the vCPU, take its SGI's lock, pick the ITS.")},
    {COST("store", VSG_COST_STORE, 5, VSG_ASSUMED,
          "assumed: a posted store leaves the core at once",
          "The relaxed 64-bit store to GITS_SGIR leaves the sender's CPU.")},
    {COST(
        "mmio", VSG_COST_MMIO, 60, VSG_ASSUMED,
        "assumed: one way over on-die fabric to a device; longer than costs.line",
        "The store crosses the node's own fabric to the ITS. Lower bound: one crossing of the die, "
        "some 10 ns.")},
    {COST("its", VSG_COST_ITS, 20, VSG_ASSUMED,
          "assumed: a vPE table hit; the ITS takes one vSGI after the other",
          "The ITS serves one vSGI; its capacity is 1/its, 50 million a second by default.")},
    {COST(
        "message", VSG_COST_MESSAGE, 60, VSG_ASSUMED, "assumed: as costs.mmio, the other way",
        "The message crosses the node's own fabric from the ITS to the redistributor. Lower bound: "
        "one crossing of the die, some 10 ns.")},
    {COST("deliver", VSG_COST_DELIVER, 80, VSG_ASSUMED,
          "assumed: the redistributor makes it pending and the CPU takes the interrupt",
          "From the redistributor to the first instruction of the guest's interrupt vector. Lower "
          "bound: draining the pipeline, some 10 ns.")},
    {COST("handle", VSG_COST_HANDLE, 100, VSG_ASSUMED,
          "assumed: entry, read of ICC_IAR1_EL1 with its barrier, handler",
          "The guest's handler up to the write of the flag; costs.line comes on top in ipi_hw and "
          "pairs.")},
    {COST("observe", VSG_COST_OBSERVE, 10, VSG_ASSUMED,
          "assumed: half a turn of the sender's polling loop",
          "The sender sees that its IPI was handled (not in poisson); costs.line comes on top in "
          "ipi_hw "
          "and pairs.")},
    {COST("return", VSG_COST_RETURN, 102, VSG_PUBLISHED,
          "kvm-unit-tests hvc on an Ampere Altra, Linux 6.12-rc1: trap + return = 306 ns; that one "
          "third is the way back is assumed",
          "KVM goes back to the sender's guest, in parallel with all from mmio on.")},
    {COST(
        "line", VSG_COST_LINE, 35, VSG_PUBLISHED,
        "nviennot/core-to-core-latency, HiSilicon Kunpeng 920-6426: one way 34.4 ns within a "
        "cluster, 35.7 ns within 32 CPUs",
        "A line of memory moves from its owner to another CPU of the node. Lower bound: 30 ns, the "
        "least of the same measurement.")},
};

const struct vsg_param_group vsg_params_costs = {rows, sizeof rows / sizeof rows[0]};
