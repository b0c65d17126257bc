#include "study/params.h"

/* Rows of `interconnect`. */

static const char input[] = "the user's machine";

static const struct vsg_param rows[] = {
    {
        .key = "interconnect",
        .kind = VSG_SECTION,
        .basis = VSG_INPUT,
        .source = input,
        .doc = "What crosses between nodes. Traffic inside a node never uses it.",
    },
    {
        .key = "interconnect.topology",
        .kind = VSG_CHOICE,
        .dflt_text = "matrix or platform where interconnect.matrix or .platform is given; else "
                     "full, star above 128 nodes",
        VSG_CHOICES(vsg_topology_name),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "How the nodes are joined. full: one link per ordered pair of nodes. star: an up "
               "and a down link per node, so a crossing is two links. matrix: one link per ordered "
               "pair, each with its latency. ring: a link to each neighbour. torus: rings in "
               "several dimensions. fat-tree: levels of switches. dragonfly: groups of routers "
               "that are all connected. platform: a platform file of SimGrid.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, topology),
    },
    {
        .key = "interconnect.link",
        .kind = VSG_SECTION,
        .basis = VSG_INPUT,
        .source = input,
        .doc = "One link, one direction.",
    },
    {
        .key = "interconnect.link.latency",
        .kind = VSG_TIME,
        VSG_DEFAULT(VSG_NS(50)),
        VSG_RANGE(0, VSG_US(100)),
        .basis = VSG_PUBLISHED,
        .source = "Linux f1a3fac4095c: 850 against 750 ns is two crossings",
        .doc = "One-way latency of one link. Lower bound: the wire, about 5 ns per metre, and the "
               "ends' serialisers.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, link_latency_ps),
    },
    {
        .key = "interconnect.link.bandwidth",
        .kind = VSG_BANDWIDTH,
        VSG_DEFAULT(VSG_GB_PER_S(64)),
        VSG_RANGE(1000, VSG_GB_PER_S(1000000)),
        .basis = VSG_ASSUMED,
        .source =
            "assumed: a socket-to-socket link of current servers carries tens of GB/s each way",
        .doc = "What one direction of a link carries. Links are cut-through: bytes delay only what "
               "comes behind them (contention: fifo).",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, link_bytes_per_s),
    },
    {
        .key = "interconnect.matrix",
        .kind = VSG_SECTION,
        .dflt_text = "needed by topology matrix",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology matrix: latencies by node pair, either latency or slit and scale.",
    },
    {
        .key = "interconnect.matrix.latency",
        .kind = VSG_TIME_MATRIX,
        .dflt_text = "none",
        VSG_RANGE(0, VSG_US(100)),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "One row per sending node, one time per receiving node, 0ns on the diagonal.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, matrix_latency_ps),
    },
    {
        .key = "interconnect.matrix.slit",
        .kind = VSG_COUNT_MATRIX,
        .dflt_text = "none",
        VSG_RANGE(0, 255),
        .basis = VSG_INPUT,
        .source = "ACPI: System Locality Information Table, one byte per pair, 10 within a node",
        .doc = "The firmware's distances. A link's one-way latency is (distance - distance of the "
               "row's node to itself) * scale.",
    },
    {
        .key = "interconnect.matrix.scale",
        .kind = VSG_TIME,
        .dflt_text = "required with slit",
        VSG_RANGE(0, VSG_US(10)),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "One-way latency of one unit of SLIT distance.",
    },
    {
        .key = "interconnect.dims",
        .kind = VSG_COUNT_LIST,
        .dflt_text = "two, as even as possible; one if machine.nodes is prime",
        VSG_RANGE(1, 4096),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology torus: nodes along each dimension, 1 to 6 of them; their product is "
               "machine.nodes. Node numbers grow along the first dimension first. Routes go "
               "dimension by dimension, the shorter way round.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.dims),
        .count_offset = offsetof(struct vsg_interconnect_config, shape.dims_count),
    },
    {
        .key = "interconnect.levels",
        .kind = VSG_COUNT,
        .dflt_text = "the length of down, else 2; 1 if machine.nodes is prime",
        VSG_RANGE(1, 6),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology fat-tree: levels of switches.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.levels),
    },
    {
        .key = "interconnect.down",
        .kind = VSG_COUNT_LIST,
        .dflt_text = "as even as possible",
        VSG_RANGE(1, 4096),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology fat-tree: what a switch has below it, by level from the nodes up; the "
               "product is machine.nodes. Routes are D-mod-K.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.down),
        .count_offset = offsetof(struct vsg_interconnect_config, shape.down_count),
    },
    {
        .key = "interconnect.up",
        .kind = VSG_COUNT_LIST,
        .dflt_text = "1, then down of the level below: full bisection",
        VSG_RANGE(1, 4096),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology fat-tree: switches above each node or switch, by level from the nodes up. "
               "Fewer than down of the level below: the tree is thinner at the top.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.up),
        .count_offset = offsetof(struct vsg_interconnect_config, shape.up_count),
    },
    {
        .key = "interconnect.count",
        .kind = VSG_COUNT_LIST,
        .dflt_text = "1 at every level",
        VSG_RANGE(1, 64),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology fat-tree: links to each switch above, by level from the nodes up.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.count),
        .count_offset = offsetof(struct vsg_interconnect_config, shape.count_count),
    },
    {
        .key = "interconnect.groups",
        .kind = VSG_COUNT,
        .dflt_text = "as even as possible with routers and nodes_per_router",
        VSG_RANGE(1, 4096),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology dragonfly: groups, joined by a link between each two; at most as many as "
               "a chassis has routers.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.groups),
    },
    {
        .key = "interconnect.chassis",
        .kind = VSG_COUNT,
        .dflt_text = "1",
        VSG_RANGE(1, 4096),
        .basis = VSG_INPUT,
        .source = input,
        .doc =
            "Topology dragonfly: chassis in a group; routers of the same number in two chassis of "
            "a group have a link. With several chassis at most 256 routers in all.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.chassis),
    },
    {
        .key = "interconnect.routers",
        .kind = VSG_COUNT,
        .dflt_text = "as even as possible with groups and nodes_per_router",
        VSG_RANGE(1, 4096),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology dragonfly: routers in a chassis, joined by a link between each two.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.routers),
    },
    {
        .key = "interconnect.nodes_per_router",
        .kind = VSG_COUNT,
        .dflt_text = "as even as possible with groups and routers",
        VSG_RANGE(1, 4096),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology dragonfly: nodes at a router; groups x chassis x routers x "
               "nodes_per_router is machine.nodes.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, shape.nodes_per_router),
    },
    {
        .key = "interconnect.platform",
        .kind = VSG_SECTION,
        .dflt_text = "needed by topology platform",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Topology platform: a platform of SimGrid, either file or xml, and which of its "
               "hosts the nodes are. Any routing goes, Floyd and Dijkstra too.",
    },
    {
        .key = "interconnect.platform.file",
        .kind = VSG_TEXT,
        .dflt_text = "none",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "The platform's XML file, at most 4 MiB; a path relative to the scenario file (from "
               "--set or standard input: to the current directory).",
    },
    {
        .key = "interconnect.platform.xml",
        .kind = VSG_TEXT,
        .dflt_text = "none",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "The platform itself, instead of a file; so it stands in resolved scenarios.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, platform.xml),
    },
    {
        .key = "interconnect.platform.nodes",
        .kind = VSG_TEXT_LIST,
        .dflt_text = "required in platform",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "The platform's host for each node, in the order of the nodes.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, platform.host),
        .count_offset = offsetof(struct vsg_interconnect_config, platform.host_count),
    },
    {
        .key = "interconnect.platform.scale",
        .kind = VSG_TIME,
        VSG_DEFAULT(VSG_S(1)),
        VSG_RANGE(1, VSG_S(1)),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "What one second of the platform stands for: 1s if it gives real latencies and "
               "bandwidths, 1ns if its seconds are nanoseconds.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, platform.second_ps),
    },
    {
        .key = "interconnect.contention",
        .kind = VSG_CHOICE,
        VSG_DEFAULT(VSG_CONTENTION_FIFO),
        VSG_CHOICES(vsg_contention_name),
        .basis = VSG_ASSUMED,
        .source = "assumed: links queue in order of arrival",
        .doc = "How messages share a link. none: bytes take no time. fifo: each direction of a "
               "link is "
               "a queue. fluid: bandwidth is shared (engine simgrid only).",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, contention),
    },
    {
        .key = "interconnect.mmio_weight",
        .kind = VSG_RATIO,
        VSG_DEFAULT(1000000),
        VSG_RANGE(0, 1000000000),
        .basis = VSG_ASSUMED,
        .source = "assumed: both ways cost the same; Linux f1a3fac4095c gives only their sum",
        .doc = "Latency of a store's way to the ITS, in multiples of the route's. 0 leaves no "
               "lookahead: the nodes then run as one process.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, mmio_weight_ppm),
    },
    {
        .key = "interconnect.message_weight",
        .kind = VSG_RATIO,
        VSG_DEFAULT(1000000),
        VSG_RANGE(0, 1000000000),
        .basis = VSG_ASSUMED,
        .source = "assumed: both ways cost the same; Linux f1a3fac4095c gives only their sum",
        .doc = "Latency of a message's way from the ITS to the redistributor, in multiples of the "
               "route's.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, message_weight_ppm),
    },
    {
        .key = "interconnect.store_bytes",
        .kind = VSG_BYTES,
        VSG_DEFAULT(8),
        VSG_RANGE(1, 65536),
        .basis = VSG_ARCHITECTURE,
        .source = "Arm IHI 0069: GITS_SGIR is a 64-bit register",
        .doc = "Bytes that a store puts on a link. With packet headers it is more.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, store_bytes),
    },
    {
        .key = "interconnect.message_bytes",
        .kind = VSG_BYTES,
        VSG_DEFAULT(16),
        VSG_RANGE(1, 65536),
        .basis = VSG_ASSUMED,
        .source = "assumed: vPE and vSGI numbers with a small header",
        .doc = "Bytes that a message from an ITS to a redistributor puts on a link; also a request "
               "for a "
               "line, an acknowledgement, and the answer of a closed loop.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, message_bytes),
    },
    {
        .key = "interconnect.line_bytes",
        .kind = VSG_BYTES,
        VSG_DEFAULT(64),
        VSG_RANGE(1, 65536),
        .basis = VSG_ARCHITECTURE,
        .source = "Arm ARM: CTR_EL0.DminLine; 64-byte lines on Neoverse and TaiShan cores",
        .doc = "Bytes that a line of memory puts on a link.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, line_bytes),
    },
    {
        .key = "interconnect.store_ack",
        .kind = VSG_CHOICE,
        VSG_DEFAULT(VSG_ACK_LOCAL),
        VSG_CHOICES(vsg_store_ack_name),
        .basis = VSG_ASSUMED,
        .source =
            "assumed: Device-nGnRE lets a bridge near the CPU acknowledge (Arm ARM, Early Write "
            "Acknowledgement)",
        .doc = "Where a store to GITS_SGIR is acknowledged, which the sender's next target waits "
               "for: near the CPU (local) or at the ITS (its), a round trip away.",
        VSG_FIELD(VSG_IN_INTERCONNECT, struct vsg_interconnect_config, store_ack),
    },
};

const struct vsg_param_group vsg_params_interconnect = {rows, sizeof rows / sizeof rows[0]};
