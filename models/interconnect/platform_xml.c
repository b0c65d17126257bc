/* The interconnect as a platform of SimGrid, in XML. */
#include "models/interconnect/interconnect.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PS_PER_NS UINT64_C(1000)
#define BYTES_PER_NS UINT64_C(1000000000) /* of 1 byte per second */

/* Exact decimals, so that reading them back and rounding gives the very integers. The units
 * are SimGrid's second and byte per second, which stand for 1 ns and 1 byte per ns. */
static void put_latency(FILE *f, const char *attribute, uint64_t ps)
{
    fprintf(f, " %s=\"%" PRIu64 ".%03" PRIu64 "s\"", attribute, ps / PS_PER_NS, ps % PS_PER_NS);
}

static void put_bandwidth(FILE *f, const char *attribute, uint64_t bytes_per_s)
{
    if (bytes_per_s) /* 0 takes no time to fill; see VSG_ROUTES_UNLIMITED_BYTES_PER_S */
        fprintf(f, " %s=\"%" PRIu64 ".%09" PRIu64 "Bps\"", attribute, bytes_per_s / BYTES_PER_NS,
                bytes_per_s % BYTES_PER_NS);
    else
        fprintf(f, " %s=\"1e9Bps\"", attribute);
}

static void put_link(FILE *f, const char *name, uint64_t latency_ps, uint64_t bytes_per_s)
{
    fprintf(f, "  <link id=\"%s\"", name);
    put_latency(f, "latency", latency_ps);
    put_bandwidth(f, "bandwidth", bytes_per_s);
    fprintf(f, "/>\n");
}

static void put_hosts(FILE *f, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++)
        fprintf(f, "  <host id=\"node-%" PRIu32 "\" speed=\"1f\"/>\n", i);
}

/* A link per ordered pair: each direction is a link of its own, so that SimGrid does not
 * share one between both (full duplex). Hence also symmetrical="NO". */
static void put_mesh(FILE *f, const struct vsg_interconnect_config *c, uint32_t nodes)
{
    char name[32];

    put_hosts(f, nodes);
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = 0; b < nodes; b++) {
            if (a == b)
                continue;
            snprintf(name, sizeof name, "n%" PRIu32 "-%" PRIu32, a, b);
            put_link(f, name,
                     c->topology == VSG_TOPOLOGY_MATRIX
                         ? c->matrix_latency_ps[(size_t)a * nodes + b]
                         : c->link_latency_ps,
                     c->link_bytes_per_s);
        }
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = 0; b < nodes; b++)
            if (a != b)
                fprintf(f,
                        "  <route src=\"node-%" PRIu32 "\" dst=\"node-%" PRIu32
                        "\" symmetrical=\"NO\"><link_ctn id=\"n%" PRIu32 "-%" PRIu32
                        "\"/></route>\n",
                        a, b, a, b);
}

/* A cluster without a backbone is a star whose middle takes no time. */
static void put_star(FILE *f, const struct vsg_interconnect_config *c, uint32_t nodes)
{
    char name[32];

    put_hosts(f, nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        snprintf(name, sizeof name, "n%" PRIu32 "-up", i);
        put_link(f, name, c->link_latency_ps, c->link_bytes_per_s);
        snprintf(name, sizeof name, "n%" PRIu32 "-down", i);
        put_link(f, name, c->link_latency_ps, c->link_bytes_per_s);
    }
    for (uint32_t i = 0; i < nodes; i++)
        fprintf(f,
                "  <host_link id=\"node-%" PRIu32 "\" up=\"n%" PRIu32 "-up\" down=\"n%" PRIu32
                "-down\"/>\n",
                i, i, i);
}

static void put_numbers(FILE *f, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        fprintf(f, "%s%" PRIu32, i ? "," : "", list[i]);
}

/* One of SimGrid's own topologies. SPLITDUPLEX: each direction of a link is a link. */
static void put_cluster(FILE *f, const struct vsg_interconnect_config *c, uint32_t nodes)
{
    const struct vsg_shape *s = &c->shape;

    fprintf(f,
            " <cluster id=\"machine\" prefix=\"node-\" suffix=\"\" radical=\"0-%" PRIu32
            "\" speed=\"1f\"",
            nodes - 1);
    put_latency(f, "lat", c->link_latency_ps);
    put_bandwidth(f, "bw", c->link_bytes_per_s);
    fprintf(f, " sharing_policy=\"SPLITDUPLEX\" topology=\"");
    if (c->topology == VSG_TOPOLOGY_FAT_TREE) {
        fprintf(f, "FAT_TREE\" topo_parameters=\"%" PRIu32 ";", s->levels);
        put_numbers(f, s->down, s->down_count);
        fputc(';', f);
        put_numbers(f, s->up, s->up_count);
        fputc(';', f);
        put_numbers(f, s->count, s->count_count);
    } else if (c->topology == VSG_TOPOLOGY_DRAGONFLY) {
        fprintf(f,
                "DRAGONFLY\" topo_parameters=\"%" PRIu32 ",1;%" PRIu32 ",1;%" PRIu32 ",1;%" PRIu32,
                s->groups, s->chassis, s->routers, s->nodes_per_router);
    } else {
        fprintf(f, "TORUS\" topo_parameters=\"");
        if (c->topology == VSG_TOPOLOGY_RING) /* a torus of one dimension */
            put_numbers(f, &nodes, 1);
        else
            put_numbers(f, s->dims, s->dims_count);
    }
    fprintf(f, "\"/>\n");
}

/* ---- a dragonfly of several chassis
 * --------------------------------------------------------------
 *
 * SimGrid 3.32 has it, but on the way from router to router it forgets the chassis, so that links
 * do not hang together. Here each router and its nodes are a zone, and the ways between routers are
 * written out as SimGrid means them: to the router that leads to the other group, first within the
 * chassis, then across to the first chassis; over; then to the router, first within the chassis,
 * then across. */

struct router {
    uint32_t group, chassis, at; /* at: in its chassis */
};

static struct router router_of(const struct vsg_shape *s, uint32_t number)
{
    return (struct router){number / s->routers / s->chassis, number / s->routers % s->chassis,
                           number % s->routers};
}

static uint32_t number_of(const struct vsg_shape *s, struct router r)
{
    return (r.group * s->chassis + r.chassis) * s->routers + r.at;
}

/* One link of a way; *here moves on. */
static void put_step(FILE *f, const struct vsg_shape *s, struct router *here, struct router to)
{
    uint32_t a = number_of(s, *here), b = number_of(s, to);
    fprintf(f, "<link_ctn id=\"r%" PRIu32 "-%" PRIu32 "_%s\"/>", a < b ? a : b, a < b ? b : a,
            a < b ? "UP" : "DOWN");
    *here = to;
}

static void put_steps_inside(FILE *f, const struct vsg_shape *s, struct router *here, uint32_t at,
                             uint32_t chassis)
{
    if (here->at != at)
        put_step(f, s, here, (struct router){here->group, here->chassis, at});
    if (here->chassis != chassis)
        put_step(f, s, here, (struct router){here->group, chassis, at});
}

static void put_router_route(FILE *f, const struct vsg_shape *s, uint32_t a, uint32_t b)
{
    struct router here = router_of(s, a), to = router_of(s, b);
    fprintf(f,
            "  <zoneRoute src=\"router-%" PRIu32 "\" dst=\"router-%" PRIu32 "\" gw_src=\"g%" PRIu32
            "\" gw_dst=\"g%" PRIu32 "\" symmetrical=\"NO\">",
            a, b, a, b);
    if (here.group != to.group) {
        put_steps_inside(f, s, &here, to.group, 0);
        put_step(f, s, &here, (struct router){to.group, 0, here.group});
    }
    put_steps_inside(f, s, &here, to.at, to.chassis);
    fprintf(f, "</zoneRoute>\n");
}

/* Routers of one chassis are joined each to each, those of one number in a group's chassis too,
 * and every two groups once. */
static bool are_joined(struct router a, struct router b)
{
    if (a.group != b.group)
        return a.chassis == 0 && b.chassis == 0 && a.at == b.group && b.at == a.group;
    return a.chassis == b.chassis || a.at == b.at;
}

static void put_directions(FILE *f, const struct vsg_interconnect_config *c, const char *stem)
{
    char name[48];
    snprintf(name, sizeof name, "%s_UP", stem);
    put_link(f, name, c->link_latency_ps, c->link_bytes_per_s);
    snprintf(name, sizeof name, "%s_DOWN", stem);
    put_link(f, name, c->link_latency_ps, c->link_bytes_per_s);
}

static void put_router(FILE *f, const struct vsg_interconnect_config *c, uint32_t router)
{
    const struct vsg_shape *s = &c->shape;
    uint32_t first = router * s->nodes_per_router;
    char stem[24];

    fprintf(f, "  <zone id=\"router-%" PRIu32 "\" routing=\"Cluster\">\n", router);
    for (uint32_t i = first; i < first + s->nodes_per_router; i++)
        fprintf(f, "  <host id=\"node-%" PRIu32 "\" speed=\"1f\"/>\n", i);
    for (uint32_t i = first; i < first + s->nodes_per_router; i++) {
        snprintf(stem, sizeof stem, "n%" PRIu32, i);
        put_directions(f, c, stem);
    }
    for (uint32_t i = first; i < first + s->nodes_per_router; i++)
        fprintf(f,
                "  <host_link id=\"node-%" PRIu32 "\" up=\"n%" PRIu32 "_UP\" down=\"n%" PRIu32
                "_DOWN\"/>\n",
                i, i, i);
    fprintf(f, "  <router id=\"g%" PRIu32 "\"/>\n  </zone>\n", router);
}

static void put_dragonfly(FILE *f, const struct vsg_interconnect_config *c)
{
    const struct vsg_shape *s = &c->shape;
    uint32_t routers = s->groups * s->chassis * s->routers;
    char stem[32];

    fprintf(f, " <zone id=\"machine\" routing=\"Full\">\n");
    for (uint32_t a = 0; a < routers; a++)
        put_router(f, c, a);
    for (uint32_t a = 0; a < routers; a++)
        for (uint32_t b = a + 1; b < routers; b++) {
            if (!are_joined(router_of(s, a), router_of(s, b)))
                continue;
            snprintf(stem, sizeof stem, "r%" PRIu32 "-%" PRIu32, a, b);
            put_directions(f, c, stem);
        }
    for (uint32_t a = 0; a < routers; a++)
        for (uint32_t b = 0; b < routers; b++)
            if (a != b)
                put_router_route(f, s, a, b);
    fprintf(f, " </zone>\n");
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

static void put_zone(FILE *f, const struct vsg_interconnect_config *c, uint32_t nodes)
{
    bool star = c->topology == VSG_TOPOLOGY_STAR;

    fprintf(f, " <zone id=\"machine\" routing=\"%s\">\n", star ? "Cluster" : "Full");
    if (star)
        put_star(f, c, nodes);
    else
        put_mesh(f, c, nodes);
    fprintf(f, " </zone>\n");
}

enum vsg_status vsg_platform_xml(const struct vsg_interconnect_config *c, uint32_t nodes,
                                 char **xml)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f;
    int failed;

    if (c->topology == VSG_TOPOLOGY_PLATFORM) {
        *xml = strdup(c->platform.xml);
        return *xml ? VSG_OK : VSG_ENOMEM;
    }
    f = open_memstream(&text, &size);
    if (!f)
        return VSG_ENOMEM;
    fprintf(f, "<?xml version=\"1.0\"?>\n"
               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n");
    if (c->topology == VSG_TOPOLOGY_FULL || c->topology == VSG_TOPOLOGY_MATRIX ||
        c->topology == VSG_TOPOLOGY_STAR)
        put_zone(f, c, nodes);
    else if (c->topology == VSG_TOPOLOGY_DRAGONFLY && c->shape.chassis > 1)
        put_dragonfly(f, c);
    else
        put_cluster(f, c, nodes);
    fprintf(f, "</platform>\n");
    failed = ferror(f);
    if (fclose(f) || failed) {
        free(text);
        return VSG_ENOMEM;
    }
    *xml = text;
    return VSG_OK;
}
