#include "study/scenario_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IPI_HW_SENDS = 65536 }; /* kvm-unit-tests arm/micro-bench.c */

/* ---- workloads --------------------------------------------------------------------------- */

static bool has_duration(const struct vsg_reader *r)
{
    return vsg_yaml_at(r->root, "run.duration") != NULL;
}

static bool missing(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *key)
{
    vsg_wrong(r, node, "key '%s' is missing: %s", key, vsg_param_child("workload", key)->doc);
    return false;
}

static bool read_steps(struct vsg_reader *r, const struct vsg_yaml_node *list,
                       struct vsg_workload_config *w)
{
    void *items = NULL;
    if (!vsg_read_list(r, list, "workload.steps[]", VSG_IN_STEP, sizeof *w->step, &items,
                       &w->step_count)) {
        free(items);
        w->step_count = 0;
        return false;
    }
    w->step = items;
    for (uint32_t i = 1; i < w->step_count; i++)
        if (w->step[i].at_ps <= w->step[i - 1].at_ps) {
            vsg_wrong(r, vsg_yaml_get(list->child[i], "at"),
                      "not after the step before; list steps in ascending order of time");
            return false;
        }
    return true;
}

/* Reads a workload and checks what needs no VM. */
static bool read_workload(struct vsg_reader *r, const struct vsg_yaml_node *node,
                          struct vsg_workload_config *w)
{
    struct vsg_bases b = {{NULL}};
    b.base[VSG_IN_WORKLOAD] = w;
    vsg_read_defaults("workload", &b);
    bool ok = vsg_read_section(r, node, "workload", &b);
    if (node->kind != VSG_YAML_MAP || !vsg_yaml_get(node, "kind") || !ok)
        return false;
    if (w->sends == 0 && (w->kind == VSG_WORKLOAD_IPI_HW || w->kind == VSG_WORKLOAD_PAIRS))
        w->sends = IPI_HW_SENDS;
    bool bursty = w->kind == VSG_WORKLOAD_BURSTY;
    if ((w->kind == VSG_WORKLOAD_POISSON || bursty) && w->rate_per_s == 0)
        ok = missing(r, node, "rate");
    if (bursty && w->on_ps == 0)
        ok = missing(r, node, "on");
    if (bursty && w->off_ps == 0)
        ok = missing(r, node, "off");
    if (w->kind == VSG_WORKLOAD_MATRIX && !vsg_yaml_get(node, "rates"))
        ok = missing(r, node, "rates");
    if (vsg_workload_is_open(w->kind) && w->sends == 0 && !has_duration(r)) {
        vsg_wrong(r, node, "%s needs an end: workload.sends or run.duration",
                  vsg_workload_name[w->kind]);
        ok = false;
    }
    ok &= read_steps(r, vsg_yaml_get(node, "steps"), w);
    if (w->kind == VSG_WORKLOAD_CLOSED && w->sends == 0)
        ok = missing(r, node, "sends");
    return ok;
}

/* The matrix of rates, once the number of vCPUs is known. */
static bool read_rates(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       struct vsg_vm_config *vm, const struct vsg_yaml_node *vcpus_node)
{
    struct vsg_workload_config *w = &vm->workload;
    const struct vsg_yaml_node *square = vsg_yaml_get(node, "rates");
    uint32_t n = vm->vcpus, count = n * n; /* n <= 512 */
    uint64_t total = 0, *rate = calloc(count, sizeof *rate);
    w->pair_rate_per_s = calloc(count, sizeof *w->pair_rate_per_s);
    w->pair_rate_count = count;
    if (!rate || !w->pair_rate_per_s) {
        free(rate);
        r->out_of_memory = true;
        return false;
    }
    bool ok = vsg_read_square(r, square, vsg_param_child("workload", "rates"), n, "vcpus",
                              vcpus_node, rate);
    for (uint32_t i = 0; ok && i < count; i++) {
        if (i % (n + 1) == 0 && rate[i] != 0) {
            vsg_wrong(r, square->child[i / n]->child[i % n],
                      "%s from vCPU %u to itself; a vCPU sends to others: 0/s",
                      square->child[i / n]->child[i % n]->text, i / n);
            ok = false;
        }
        w->pair_rate_per_s[i] = (uint32_t)rate[i];
        total += rate[i];
    }
    free(rate);
    if (ok && total == 0) {
        vsg_wrong(r, square, "every rate is 0: nobody sends");
        ok = false;
    }
    return ok;
}

static void say_vcpu_twice(void *user, uint32_t first, uint32_t second)
{
    bool *found = user;
    (void)first;
    (void)second;
    *found = true;
}

/* Checks a list of vCPU indices against the VM; listed[i] says which are in it. */
static bool check_vcpus(struct vsg_reader *r, const struct vsg_yaml_node *list,
                        const uint32_t *value, uint32_t count, const struct vsg_vm_config *vm)
{
    bool twice = false, ok = true;
    if (!list)
        return true;
    if (count == 0) {
        vsg_wrong(r, list, "lists no vCPU; remove the key for all of them");
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (value[i] >= vm->vcpus) {
            vsg_wrong(r, list->child[i], "vCPU %u does not exist; VM %s has %u, so 0 to %u",
                      value[i], vm->name, vm->vcpus, vm->vcpus - 1);
            ok = false;
        }
    if (vsg_find_twice(value, count, say_vcpu_twice, &twice) != VSG_OK)
        r->out_of_memory = true;
    if (twice) {
        vsg_wrong(r, list, "names a vCPU twice");
        ok = false;
    }
    return ok;
}

/* Checks a workload, read from `node`, against the VM that runs it. */
static bool check_workload(struct vsg_reader *r, const struct vsg_yaml_node *node,
                           const struct vsg_vm_config *vm, const struct vsg_yaml_node *vm_node)
{
    const struct vsg_workload_config *w = &vm->workload;
    const struct vsg_yaml_node *vcpus = vsg_yaml_get(vm_node, "vcpus");

    if (vm->vcpus < 2) {
        vsg_wrong(r, vcpus, "workload %s needs at least 2 vCPUs", vsg_workload_name[w->kind]);
        return false;
    }
    if (w->kind == VSG_WORKLOAD_PAIRS && vm->vcpus % 2 != 0) {
        vsg_wrong(r, vcpus, "workload pairs needs an even number of vCPUs, not %u", vm->vcpus);
        return false;
    }
    const struct vsg_yaml_node *targets = vsg_yaml_get(node, "targets");
    bool ok = check_vcpus(r, targets, w->target, w->target_count, vm);
    ok &= check_vcpus(r, vsg_yaml_get(node, "senders"), w->sender, w->sender_count, vm);
    if (!ok || w->target_count != 1)
        return ok;
    bool sends = !w->sender;
    for (uint32_t i = 0; w->sender && i < w->sender_count; i++)
        sends |= w->sender[i] == w->target[0];
    if (sends)
        vsg_wrong(r, targets,
                  "vCPU %u is the only target and also a sender of VM %s, and would have nobody to "
                  "send to; name the senders without it",
                  w->target[0], vm->name);
    return !sends;
}

/* ---- VMs ---------------------------------------------------------------------------------------
 */

static uint32_t *copy_list(struct vsg_reader *r, const uint32_t *list, uint32_t count)
{
    if (!list)
        return NULL;
    uint32_t *copy = calloc((size_t)count + 1, sizeof *copy);
    if (copy)
        memcpy(copy, list, count * sizeof *copy);
    else
        r->out_of_memory = true;
    return copy;
}

/* A copy that owns its lists; vCPU k of the copy takes the pinned CPU first_cpu + k. */
static void copy_vm(struct vsg_reader *r, const struct vsg_vm_config *from, const char *name,
                    uint32_t first_cpu, struct vsg_vm_config *to)
{
    *to = *from;
    to->name = strdup(name);
    r->out_of_memory |= !to->name;
    if (from->placement.cpu) {
        to->placement.cpu = copy_list(r, from->placement.cpu + first_cpu, from->vcpus);
        to->placement.cpu_count = from->vcpus;
    }
    r->out_of_memory |= vsg_workload_copy(&from->workload, &to->workload) != VSG_OK;
}

static void free_vm(struct vsg_vm_config *vm)
{
    free(vm->name);
    free(vm->placement.cpu);
    vsg_workload_free(&vm->workload);
}

/* Appends `count` VMs like vm to the config: NAME, or NAME-0, NAME-1 and so on. */
static bool append_vms(struct vsg_reader *r, struct vsg_config *c, const struct vsg_vm_config *vm,
                       uint32_t count)
{
    struct vsg_vm_config *grown = realloc(c->vm, ((size_t)c->vm_count + count) * sizeof *c->vm);
    if (!grown) {
        r->out_of_memory = true;
        return false;
    }
    c->vm = grown;
    for (uint32_t i = 0; i < count; i++) {
        char name[96];
        if (count == 1)
            snprintf(name, sizeof name, "%s", vm->name);
        else
            snprintf(name, sizeof name, "%s-%u", vm->name, i);
        copy_vm(r, vm, name, i * vm->vcpus, &c->vm[c->vm_count++]);
    }
    return !r->out_of_memory;
}

struct guests {
    struct vsg_reader *r;
    struct vsg_scenario *s;
    const struct vsg_places *places; /* NULL: the machine is not known */
    const struct vsg_yaml_node *workload_node;
    struct vsg_workload_config workload; /* of the top */
    bool workload_ok;
    uint64_t taken;                      /* vCPUs so far */
    const struct vsg_yaml_node **origin; /* [vm_count] the entry of the file each VM is from */
};

/* Reads the keys of one entry of vms into vm and count. */
static bool read_keys(struct guests *g, const struct vsg_yaml_node *node, struct vsg_vm_config *vm,
                      uint64_t *count)
{
    struct vsg_reader *r = g->r;
    struct vsg_bases b = {{NULL}};
    const struct vsg_yaml_node *own = vsg_yaml_get(node, "workload");
    const struct vsg_yaml_node *count_node = vsg_yaml_get(node, "count");

    b.base[VSG_IN_VM] = vm;
    vsg_read_defaults("vms[]", &b);
    bool ok = vsg_read_section(r, node, "vms[]", &b);
    if (node->kind != VSG_YAML_MAP)
        return false;
    if (count_node)
        ok &= vsg_read_number(r, count_node, vsg_param_child("vms[]", "count"), count);
    if (own)
        return read_workload(r, own, &vm->workload) && ok;
    if (!g->workload_node) {
        vsg_wrong(r, node, "no workload: add one here or at the top");
        return false;
    }
    r->out_of_memory |= vsg_workload_copy(&g->workload, &vm->workload) != VSG_OK;
    return ok && g->workload_ok;
}

static bool check_pin_list(struct vsg_reader *r, const struct vsg_yaml_node *node,
                           const struct vsg_vm_config *vm, uint64_t count)
{
    const struct vsg_yaml_node *place = vsg_yaml_get(node, "placement");
    const struct vsg_yaml_node *list = vsg_yaml_get(place, "cpus");
    if (vm->placement.kind != VSG_PLACE_PINNED)
        return true;
    if (!list)
        vsg_wrong(r, place, "key 'cpus' is missing: placement pinned lists a CPU for each vCPU");
    else if (vm->placement.cpu_count != count * vm->vcpus)
        vsg_wrong(r, list, "%u CPUs for %llu vCPUs; list one for each", vm->placement.cpu_count,
                  (unsigned long long)count * vm->vcpus);
    else
        return true;
    return false;
}

static bool read_vm(struct guests *g, const struct vsg_yaml_node *node)
{
    struct vsg_config *c = &g->s->config;
    struct vsg_vm_config vm = {.memory_node = -1};
    uint64_t count = 1;
    const struct vsg_yaml_node *own = vsg_yaml_get(node, "workload");

    bool ok = read_keys(g, node, &vm, &count);
    if (ok && vm.workload.kind == VSG_WORKLOAD_MATRIX)
        ok = read_rates(g->r, own ? own : g->workload_node, &vm, vsg_yaml_get(node, "vcpus"));
    if (ok)
        ok = check_workload(g->r, own ? own : g->workload_node, &vm, node) &&
             check_pin_list(g->r, node, &vm, count);
    if (g->places && node->kind == VSG_YAML_MAP) /* also where other keys are wrong */
        ok &= vsg_places_check_nodes(g->r, node, &vm, c->machine.nodes);
    g->taken += count * vm.vcpus;
    if (ok && g->places && g->taken > g->places->started) {
        vsg_wrong(
            g->r, vsg_yaml_get(node, "vcpus"),
            "with this VM there are %llu vCPUs, but %u started CPUs; every vCPU needs a CPU of "
            "its own",
            (unsigned long long)g->taken, g->places->started);
        ok = false;
    }
    if (ok && g->places) { /* so few VMs that each has a CPU: allocate them now */
        uint32_t first = c->vm_count;
        size_t bytes = (first + count) * sizeof *g->origin;
        const struct vsg_yaml_node **grown = realloc(g->origin, bytes);
        g->origin = grown ? grown : g->origin;
        g->r->out_of_memory |= !grown;
        ok = grown && append_vms(g->r, c, &vm, (uint32_t)count);
        for (uint32_t i = first; i < c->vm_count; i++)
            g->origin[i] = node;
    }
    free_vm(&vm);
    return ok;
}

struct named {
    const char *name;
    const struct vsg_yaml_node *origin;
    uint32_t index;
};

static int by_name(const void *pa, const void *pb)
{
    const struct named *a = pa, *b = pb;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static bool check_names(struct guests *g)
{
    const struct vsg_config *c = &g->s->config;
    struct named *sorted = calloc((size_t)c->vm_count + 1, sizeof *sorted);
    char where[VSG_WHERE_TEXT];
    bool ok = true;

    if (!sorted) {
        g->r->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < c->vm_count; i++)
        sorted[i] = (struct named){c->vm[i].name, g->origin[i], i};
    qsort(sorted, c->vm_count, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < c->vm_count; i++)
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0) {
            vsg_wrong(g->r, vsg_yaml_get(sorted[i].origin, "name"),
                      "a VM named %s is here already%s", sorted[i].name,
                      vsg_where(vsg_yaml_get(sorted[i - 1].origin, "name"), where, sizeof where));
            ok = false;
        }
    free(sorted);
    return ok;
}

/* run.duration ends open loads; without one it says nothing. */
static bool check_duration(struct vsg_reader *r, const struct vsg_config *c)
{
    const struct vsg_yaml_node *node = vsg_yaml_at(r->root, "run.duration");
    if (!node)
        return true;
    for (uint32_t i = 0; i < c->vm_count; i++)
        if (vsg_workload_is_open(c->vm[i].workload.kind))
            return true;
    vsg_wrong_key(r, node,
                  "ends open loads (poisson, bursty, matrix); %s ends after workload.sends",
                  vsg_workload_name[c->vm[0].workload.kind]);
    return false;
}

bool vsg_read_guests(struct vsg_reader *r, struct vsg_scenario *s, bool machine_ok)
{
    const struct vsg_yaml_node *vms = vsg_yaml_get(r->root, "vms");
    struct vsg_places places = {0};
    struct guests g = {.r = r, .s = s, .workload_node = vsg_yaml_get(r->root, "workload")};
    bool ok = true;

    if (g.workload_node) {
        g.workload_ok = read_workload(r, g.workload_node, &g.workload);
        ok = g.workload_ok;
    }
    s->has_guests = vms != NULL;
    if (!vms)
        goto out;
    if (!vsg_expect(r, vms, VSG_YAML_LIST, vsg_param_child("", "vms"))) {
        ok = false;
        goto out;
    }
    if (vms->count == 0) {
        vsg_wrong(r, vms, "lists no VM; remove the key for a machine without guests");
        ok = false;
    }
    if (machine_ok) {
        if (!vsg_places_find(r, &s->config.machine, &places)) {
            ok = false;
            goto out;
        }
        g.places = &places;
    }
    for (uint32_t i = 0; i < vms->count && !r->out_of_memory; i++)
        ok &= read_vm(&g, vms->child[i]);
    if (ok && machine_ok && !r->out_of_memory) {
        ok = check_names(&g);
        ok &= check_duration(r, &s->config);
        ok &= vsg_places_check(r, &s->config, g.origin, &places);
    }
out:
    vsg_places_free(&places);
    vsg_workload_free(&g.workload);
    free(g.origin);
    return ok;
}
