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
        .dflt_text = "matrix where interconnect.matrix is given; else full, star above 128 nodes",
        VSG_CHOICES(vsg_topology_name),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "How the nodes are joined. full: one link per ordered pair of nodes. star: an up "
               "and a down link per node, so a "
               "crossing is two links. matrix: one link per ordered pair, each with its latency.",
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
