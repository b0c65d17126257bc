#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/layout.h"
#include "cli/topology.h"
#include "models/interconnect/shape.h"
#include "models/machine/machine.h"
#include "study/file.h"

/* The machine as a picture: nodes with their ITSs, links, and for each policy a band per node
 * that shows which ITS its CPUs send through. Colours are those of Okabe and Ito, which people
 * with any colour vision tell apart; every coloured thing also carries its ITS's name. */

enum {
    MARGIN = 20,
    BAND_H = 15,
    BOX_W = 132,
    BOX_HEAD = 32, /* title and CPUs */
    CHIP_W = 29,
    CHIPS = 4, /* ITSs shown in a box; the others are counted */
    SEGMENTS = 4,
    MESH_DRAWN_MAX = 12, /* nodes of a mesh whose links are drawn */
    LABELLED_MAX = 6,    /* nodes between which each link can carry its latency */
    TEXT = 200
};

struct picture {
    FILE *f;
    const struct vsg_topology_view *v;
    const struct vsg_world *w;
    const struct vsg_interconnect_config *c;
    struct vsg_layout layout;
    bool undrawn; /* some links, which would only hide the rest */
    bool stubs;   /* some go round to the other side */
    bool alike;   /* all links have one latency */
};

static const char *const colour[] = {"#E69F00", "#56B4E9", "#009E73", "#F0E442",
                                     "#0072B2", "#D55E00", "#CC79A7", "#999999"};
static const bool dark[] = {false, false, true, false, true, true, false, false};
enum { COLOURS = sizeof colour / sizeof colour[0] };

/* ---- pieces -----------------------------------------------------------------------------------
 */

static void escaped(FILE *f, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '&' || *text == '>')
            fputs(*text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;", f);
        else
            fputc(*text, f);
}

static void text_at(struct picture *p, int x, int y, const char *class, const char *text)
{
    fprintf(p->f, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    escaped(p->f, text);
    fputs("</text>\n", p->f);
}

static void rect(struct picture *p, int x, int y, int w, int h, const char *fill)
{
    fprintf(p->f,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#333\"/>\n", x,
            y, w, h, fill);
}

static void line(struct picture *p, int x1, int y1, int x2, int y2, const char *class)
{
    fprintf(p->f, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"%s\"/>\n", x1, y1, x2, y2,
            class);
}

/* A coloured piece that names an ITS; none: grey. */
static void its_piece(struct picture *p, int x, int y, int w, uint32_t its, const char *text)
{
    bool none = its == VSG_NONE;
    rect(p, x, y, w, BAND_H, none ? "#eee" : colour[its % COLOURS]);
    text_at(p, x + w / 2, y + BAND_H - 4, !none && dark[its % COLOURS] ? "c w" : "c", text);
}

static void ns_text(uint64_t ps, char *text, size_t size)
{
    if (ps % 1000)
        snprintf(text, size, "%" PRIu64 ".%03" PRIu64 " ns", ps / 1000, ps % 1000);
    else
        snprintf(text, size, "%" PRIu64 " ns", ps / 1000);
}

/* ---- links -------------------------------------------------------------------------------------
 */

/* Both directions between two places are one line. */
static bool has_link(const struct vsg_world *w, uint32_t a, uint32_t b, uint32_t before)
{
    for (uint32_t i = 0; i < before; i++)
        if ((w->link[i].from == a && w->link[i].to == b) ||
            (w->link[i].from == b && w->link[i].to == a))
            return true;
    return false;
}

/* Neighbours in the grid are joined by a line; others of a row or column (the two ends of a ring)
 * by a stub at each. False for what lies across. */
static bool grid_link(struct picture *p, uint32_t a, uint32_t b)
{
    const struct vsg_layout *l = &p->layout;
    int dx = l->x[b] - l->x[a], dy = l->y[b] - l->y[a];
    int near_x = l->box_w + 40, near_y = l->box_h + 40, half_w = l->box_w / 2,
        half_h = l->box_h / 2;
    if (a / (l->rows * l->columns) != b / (l->rows * l->columns))
        return false;
    if ((dy == 0 && abs(dx) < near_x) || (dx == 0 && abs(dy) < near_y)) {
        line(p, l->x[a], l->y[a], l->x[b], l->y[b], "k");
        return true;
    }
    if (dx != 0 && dy != 0)
        return false;
    int sx = dx ? (dx > 0 ? -1 : 1) : 0, sy = dy ? (dy > 0 ? -1 : 1) : 0;
    line(p, l->x[a], l->y[a], l->x[a] + sx * (half_w + 13), l->y[a] + sy * (half_h + 13), "k d");
    line(p, l->x[b], l->y[b], l->x[b] - sx * (half_w + 13), l->y[b] - sy * (half_h + 13), "k d");
    p->stubs = true;
    return true;
}

static bool between_groups(const struct picture *p, uint32_t a, uint32_t b)
{
    uint32_t routers = p->c->shape.chassis * p->c->shape.routers, first = p->w->node_count;
    return routers && a >= first && b >= first && (a - first) / routers != (b - first) / routers;
}

static bool column_link(struct picture *p, uint32_t a, uint32_t b)
{
    const struct vsg_layout *l = &p->layout;
    if (a == b)
        return false;
    if (a < p->w->node_count && l->above[a] == b) { /* down, along the column, into the box */
        int left = l->x[a] - l->box_w / 2;
        fprintf(p->f, "<path d=\"M%d %d V%d H%d V%d H%d\" class=\"k\"/>\n", l->x[b], l->y[b],
                l->y[b] + 26, left - 9, l->y[a], left);
        return true;
    }
    if (b < p->w->node_count && l->above[b] == a)
        return column_link(p, b, a);
    if (l->level[a] == l->level[b] && l->level[a] > 0 && l->y[a] == l->y[b]) {
        int x1 = l->x[a] < l->x[b] ? l->x[a] : l->x[b], x2 = l->x[a] < l->x[b] ? l->x[b] : l->x[a];
        int top = l->y[a] - vsg_layout_arc(x2 - x1) * 4 / 3;
        fprintf(p->f, "<path d=\"M%d %d C%d %d %d %d %d %d\" class=\"%s\"/>\n", x1, l->y[a] - 8, x1,
                top, x2, top, x2, l->y[a] - 8, between_groups(p, a, b) ? "k g" : "k");
        return true;
    }
    line(p, l->x[a], l->y[a], l->x[b], l->y[b], between_groups(p, a, b) ? "k g" : "k");
    return true;
}

static bool draw_link(struct picture *p, uint32_t a, uint32_t b)
{
    const struct vsg_layout *l = &p->layout;
    bool mesh = p->c->topology == VSG_TOPOLOGY_FULL || p->c->topology == VSG_TOPOLOGY_MATRIX;
    if (mesh && p->w->node_count > MESH_DRAWN_MAX)
        return false;
    switch (l->kind) {
    case VSG_LAYOUT_CIRCLE:
        line(p, l->x[a], l->y[a], l->x[b], l->y[b], "k");
        return true;
    case VSG_LAYOUT_GRID:
        return grid_link(p, a, b);
    case VSG_LAYOUT_COLUMNS:
        return column_link(p, a, b);
    }
    return false;
}

static void draw_links(struct picture *p)
{
    for (uint32_t i = 0; i < p->w->link_count; i++) {
        uint32_t a = p->w->link[i].from, b = p->w->link[i].to;
        bool drawn = !has_link(p->w, a, b, i) ? draw_link(p, a, b) : true;
        p->undrawn |= !drawn;
    }
}

/* Where latencies differ and there are few links, each direction says its own, near its start. */
static void label_links(struct picture *p)
{
    const struct vsg_layout *l = &p->layout;
    if (p->alike || p->w->node_count > LABELLED_MAX || l->kind != VSG_LAYOUT_CIRCLE)
        return;
    for (uint32_t i = 0; i < p->w->link_count; i++) {
        const struct vsg_link_def *k = &p->w->link[i];
        char ns[32];
        int dx = l->x[k->to] - l->x[k->from], dy = l->y[k->to] - l->y[k->from];
        /* to one side of the line by direction, beyond the box it comes from */
        int x = l->x[k->from] + dx * 2 / 5, y = l->y[k->from] + dy * 2 / 5;
        y += dy == 0 ? (dx > 0 ? -6 : 16) : 4;
        x += dx == 0 ? (dy > 0 ? -30 : 30) : 0;
        ns_text(k->latency_ps, ns, sizeof ns);
        fprintf(p->f, "<text x=\"%d\" y=\"%d\" class=\"c h\">%s</text>\n", x, y, ns);
    }
}

/* ---- switches and nodes
 * -------------------------------------------------------------------------- */

static void draw_switches(struct picture *p)
{
    const struct vsg_layout *l = &p->layout;
    for (uint32_t s = p->w->node_count; s < p->w->place_count; s++) {
        char name[16];
        snprintf(name, sizeof name, "s%u", s - p->w->node_count);
        fprintf(p->f,
                "<rect x=\"%d\" y=\"%d\" width=\"34\" height=\"18\" rx=\"9\" fill=\"#fff\" "
                "stroke=\"#333\"/>\n",
                l->x[s] - 17, l->y[s] - 9);
        text_at(p, l->x[s], l->y[s] + 4, "c", name);
    }
}

/* "0-7, 64-71" of the node's CPUs, cut with "..." where it is long. */
static void cpus_text(const struct vsg_topology_view *v, uint32_t node, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "CPUs ");
    uint32_t first = 0, last = 0, runs = 0;
    bool open = false;
    for (uint32_t i = 0; i <= v->machine->cpu_count && used + 24 < size; i++) {
        bool here = i < v->machine->cpu_count && vsg_cpu_node(&v->machine->cpu[i]) == node;
        uint32_t id = here ? v->machine->cpu[i].id : 0;
        if (here && open && id == last + 1) {
            last = id;
            continue;
        }
        if (open && runs == 2) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        if (open) {
            used += (size_t)snprintf(text + used, size - used, runs++ ? ", %u" : "%u", first);
            if (last > first)
                used += (size_t)snprintf(text + used, size - used, "-%u", last);
        }
        open = here;
        first = last = id;
    }
    if (runs == 0)
        snprintf(text, size, "no CPU");
}

static void draw_chips(struct picture *p, uint32_t node, int x, int y)
{
    const struct vsg_machine_config *m = p->v->machine;
    uint32_t shown = 0, count = 0;
    char name[32];
    for (uint32_t i = 0; i < m->its_count; i++)
        count += vsg_its_node(&m->its[i]) == (int32_t)node;
    for (uint32_t i = 0; i < m->its_count && shown < CHIPS; i++) {
        if (vsg_its_node(&m->its[i]) != (int32_t)node)
            continue;
        snprintf(name, sizeof name, "its%u", m->its[i].id);
        if (shown == CHIPS - 1 && count > CHIPS) {
            snprintf(name, sizeof name, "+%u", count - shown);
            text_at(p, x + (int)shown * (CHIP_W + 2) + CHIP_W / 2, y + BAND_H - 4, "c", name);
        } else {
            its_piece(p, x + (int)shown * (CHIP_W + 2), y, CHIP_W, i, name);
        }
        shown++;
    }
    if (count == 0)
        text_at(p, x + 4, y + BAND_H - 4, "s", "no ITS");
}

/* Runs of the node's CPUs that use one ITS: its first CPU, and how many CPUs. */
struct segment {
    uint32_t its, cpus;
};

static uint32_t find_segments(const struct vsg_topology_view *v, enum vsg_policy policy,
                              uint32_t node, struct segment s[SEGMENTS], uint32_t *cpus)
{
    uint32_t count = 0;
    *cpus = 0;
    for (uint32_t i = 0; i < v->machine->cpu_count; i++) {
        uint32_t its = v->boot.selection[policy][i].its;
        if (vsg_cpu_node(&v->machine->cpu[i]) != node)
            continue;
        ++*cpus;
        if (count && s[(count > SEGMENTS ? SEGMENTS : count) - 1].its == its) {
            s[(count > SEGMENTS ? SEGMENTS : count) - 1].cpus++;
            continue;
        }
        if (count++ < SEGMENTS)
            s[count - 1] = (struct segment){its, 1};
    }
    return count;
}

static void draw_band(struct picture *p, enum vsg_policy policy, uint32_t node, int x, int y)
{
    struct segment s[SEGMENTS];
    int width = p->layout.box_w - 8, left = x;
    uint32_t cpus, count;
    char text[64];

    if (vsg_policy_chooses(policy)) {
        snprintf(text, sizeof text, "%s: per send", vsg_policy_name[policy]);
        its_piece(p, x, y, width, VSG_NONE, text);
        return;
    }
    count = find_segments(p->v, policy, node, s, &cpus);
    if (count == 0 || count > SEGMENTS) {
        snprintf(text, sizeof text, "%s: %s", vsg_policy_name[policy],
                 count ? "several" : "no CPU");
        its_piece(p, x, y, width, VSG_NONE, text);
        return;
    }
    for (uint32_t i = 0, done = 0; i < count; i++) {
        done += s[i].cpus;
        int right = x + (int)((uint64_t)(uint32_t)width * done / cpus);
        size_t n = 0;
        if (count == 1)
            n = (size_t)snprintf(text, sizeof text, "%s: ", vsg_policy_name[policy]);
        if (s[i].its == VSG_NONE)
            snprintf(text + n, sizeof text - n, "none");
        else
            snprintf(text + n, sizeof text - n, "its%u", p->v->machine->its[s[i].its].id);
        its_piece(p, left, y, right - left, s[i].its, text);
        left = right;
    }
}

static void draw_node(struct picture *p, uint32_t node)
{
    const struct vsg_layout *l = &p->layout;
    int x = l->x[node] - l->box_w / 2, y = l->y[node] - l->box_h / 2;
    char text[TEXT];

    rect(p, x, y, l->box_w, l->box_h, "#fff");
    snprintf(text, sizeof text, "node %u", node);
    text_at(p, x + 5, y + 13, "b", text);
    cpus_text(p->v, node, text, 40);
    text_at(p, x + 5, y + 26, "s", text);
    draw_chips(p, node, x + 4, y + BOX_HEAD);
    for (uint32_t i = 0; i < p->v->study->policy_count; i++)
        draw_band(p, p->v->study->policy[i], node, x + 4,
                  y + BOX_HEAD + (int)(i + 1) * (BAND_H + 3) + 3);
}

/* ---- what the picture says in words
 * ---------------------------------------------------------------- */

static void links_text(const struct picture *p, char *text, size_t size)
{
    uint64_t least = UINT64_MAX, most = 0;
    char low[32], high[32];
    uint32_t queues = 0;
    for (uint32_t i = 0; i < p->w->link_count; i++) {
        uint64_t ps = p->w->link[i].latency_ps;
        least = ps < least ? ps : least;
        most = ps > most ? ps : most;
        queues += vsg_link_queue(p->w, i) == i;
    }
    if (queues == 0) {
        snprintf(text, size, "no links: traffic inside a node never uses the interconnect");
        return;
    }
    ns_text(least, low, sizeof low);
    ns_text(most, high, sizeof high);
    snprintf(text, size, "%u links%s, each %s%s%s one way; both directions are one line", queues,
             p->w->link_queue ? " (both directions share the half-duplex ones)" : "", low,
             least == most ? "" : " to ", least == most ? "" : high);
}

static uint32_t say(struct picture *p, uint32_t row, const char *class, const char *text)
{
    text_at(p, MARGIN, MARGIN + 14 + (int)row * 18, class, text);
    return row + 1;
}

enum { HEAD_H = 86 };

static void draw_head(struct picture *p)
{
    const struct vsg_machine_config *m = p->v->machine;
    char text[3 * TEXT], shape[TEXT];
    uint32_t row = 0;

    vsg_shape_text(p->c, shape, sizeof shape);
    snprintf(text, sizeof text, "%s: %u node%s, %u CPUs, %u ITS%s; topology %s%s%s%s",
             p->v->study->name, m->nodes, m->nodes == 1 ? "" : "s", m->cpu_count, m->its_count,
             m->its_count == 1 ? "" : "s", vsg_topology_name[p->c->topology], *shape ? " (" : "",
             shape, *shape ? ")" : "");
    row = say(p, row, "t", text);
    links_text(p, text, sizeof text);
    row = say(p, row, "n", text);
    row =
        say(p, row, "n",
            "in a node: its ITSs, then for each policy a band: colour and name tell which ITS its "
            "CPUs send through");
    text[0] = '\0';
    if (p->undrawn)
        snprintf(text, sizeof text, "not drawn: links %s",
                 p->w->link_queue         ? "inside s0, which stands for all between the nodes"
                 : p->c->shape.dims_count ? "between the same places of two planes"
                                          : "from every node to every other");
    if (p->stubs)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%sdashed: goes round to the other end of the row or column", *text ? "; " : "");
    if (p->c->shape.groups > 1)
        snprintf(text, sizeof text, "blue: a link between two groups");
    say(p, row, "n", text);
}

static const char style[] =
    "<style>text{font:11px sans-serif;fill:#111}.t{font-size:15px;font-weight:bold}"
    ".n{font-size:12px}.b{font-weight:bold}.s{font-size:10px}"
    ".c{font-size:10px;text-anchor:middle}.w{fill:#fff}"
    ".h{stroke:#fff;stroke-width:4px;paint-order:stroke}"
    ".k{stroke:#777;stroke-width:1.5;fill:none}.d{stroke-dasharray:3 "
    "2}.g{stroke:#0072B2;stroke-width:2}</style>\n";

static bool same_latencies(const struct vsg_world *w)
{
    for (uint32_t i = 1; i < w->link_count; i++)
        if (w->link[i].latency_ps != w->link[0].latency_ps)
            return false;
    return true;
}

static enum vsg_status draw(struct picture *p)
{
    struct vsg_layout *l = &p->layout;
    char *body = NULL;
    size_t size = 0;
    FILE *file = p->f;

    /* The words above tell what was drawn, so they come last and stand first. */
    p->f = open_memstream(&body, &size);
    if (!p->f)
        return VSG_ENOMEM;
    draw_links(p);
    draw_switches(p);
    for (uint32_t i = 0; i < p->w->node_count; i++)
        draw_node(p, i);
    label_links(p);
    bool failed = ferror(p->f) != 0;
    failed |= fclose(p->f) != 0;
    p->f = file;
    int width = l->width + 2 * MARGIN < 760 ? 760 : l->width + 2 * MARGIN;
    int height = l->height + HEAD_H + 2 * MARGIN;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height, style);
    draw_head(p);
    fprintf(file, "<g transform=\"translate(%d %d)\">\n", (width - l->width) / 2, MARGIN + HEAD_H);
    if (!failed)
        fwrite(body, 1, size, file);
    fputs("</g>\n</svg>\n", file);
    free(body);
    return failed ? VSG_ENOMEM : VSG_OK;
}

enum vsg_status vsg_topology_svg(const struct vsg_topology_view *v, const char *path,
                                 struct vsg_diag *diag)
{
    char *text = NULL;
    size_t size = 0;
    struct picture p = {
        .v = v,
        .w = &v->world,
        .c = &v->study->point[0].config.interconnect,
        .layout = {.box_w = BOX_W,
                   .box_h = BOX_HEAD + (int)(v->study->policy_count + 1) * (BAND_H + 3) + 4},
        .alike = same_latencies(&v->world)};
    enum vsg_status status = vsg_layout_make(p.c, p.w, &p.layout);
    if (status != VSG_OK)
        return status;
    p.f = open_memstream(&text, &size);
    status = p.f ? draw(&p) : VSG_ENOMEM;
    if (p.f && fclose(p.f) != 0)
        status = VSG_ENOMEM;
    if (status == VSG_OK)
        status = vsg_file_replace(path, text, size, diag);
    free(text);
    vsg_layout_free(&p.layout);
    return status;
}
