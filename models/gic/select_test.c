/* Goal: the ITS of every CPU is the one the kernel would pick. Method: 40 machines with
 * answers that agree with the kernel's own functions; random machines against a second,
 * slow implementation straight from the rules; and what must hold on every machine. */
#include "models/gic/select.h"

#include "models/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <jansson.h>

/* ---- the 40 machines ------------------------------------------------------------------- */

static uint32_t number(const json_t *o, const char *key)
{
    json_t *v = json_object_get(o, key);
    assert_true(json_is_integer(v));
    return (uint32_t)json_integer_value(v);
}

static bool truth(const json_t *o, const char *key, bool otherwise)
{
    json_t *v = json_object_get(o, key);
    return v ? json_is_true(v) : otherwise;
}

static uint32_t affinity(const json_t *o)
{
    unsigned a3, a2, a1, a0;
    const char *text = json_string_value(json_object_get(o, "mpidr"));
    assert_non_null(text);
    assert_int_equal(sscanf(text, "%u.%u.%u.%u", &a3, &a2, &a1, &a0), 4);
    return a3 << 24 | a2 << 16 | a1 << 8 | a0;
}

static void *zeroed(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    assert_non_null(p);
    return p;
}

static struct vsg_machine_config machine_of(const json_t *o)
{
    json_t *its = json_object_get(o, "its"), *cpus = json_object_get(o, "cpus");
    json_t *order = json_object_get(o, "boot_order"), *events = json_object_get(o, "events");
    struct vsg_machine_config m = {.its_count = (uint32_t)json_array_size(its),
                                   .cpu_count = (uint32_t)json_array_size(cpus),
                                   .boot_count = (uint32_t)json_array_size(order),
                                   .event_count = (uint32_t)json_array_size(events)};
    m.its = zeroed(m.its_count, sizeof *m.its);
    m.cpu = zeroed(m.cpu_count, sizeof *m.cpu);
    m.boot_order = zeroed(m.boot_count, sizeof *m.boot_order);
    m.event = zeroed(m.event_count, sizeof *m.event);
    for (uint32_t i = 0; i < m.its_count; i++) {
        json_t *t = json_array_get(its, i);
        m.its[i] = (struct vsg_its_config){.id = number(t, "id"),
                                           .typer_v41 = truth(t, "typer_v41", false),
                                           .svpet = (uint8_t)number(t, "svpet"),
                                           .mpidr = affinity(t),
                                           .vpe_table_valid = truth(t, "vpe_table_valid", false),
                                           .numa_node = (int32_t)number(t, "numa_node"),
                                           .at = -1};
    }
    for (uint32_t i = 0; i < m.cpu_count; i++) {
        json_t *c = json_array_get(cpus, i);
        m.cpu[i] = (struct vsg_cpu_config){.id = number(c, "id"),
                                           .mpidr = affinity(c),
                                           .common_lpi_aff = (uint8_t)number(c, "common_lpi_aff"),
                                           .numa_node = (int32_t)number(c, "numa_node"),
                                           .rvpeid = truth(c, "rvpeid", true),
                                           .lpi_ok = truth(c, "lpi_ok", true)};
    }
    for (uint32_t i = 0; i < m.boot_count; i++)
        m.boot_order[i] = (uint32_t)json_integer_value(json_array_get(order, i));
    for (uint32_t i = 0; i < m.event_count; i++) {
        json_t *e = json_array_get(events, i);
        const char *op = json_string_value(json_object_get(e, "op"));
        m.event[i].op = strcmp(op, "online") == 0 ? VSG_CPU_ONLINE : VSG_CPU_OFFLINE;
        m.event[i].cpu = number(e, "cpu");
    }
    return m;
}

static void expect_its(const struct vsg_machine_config *m, const json_t *want, uint32_t got)
{
    assert_non_null(want);
    if (json_is_null(want)) {
        assert_int_equal(got, VSG_NONE);
    } else {
        assert_true(got < m->its_count);
        assert_int_equal(json_integer_value(want), m->its[got].id);
    }
}

static void expect_how(const struct vsg_machine_config *m, const json_t *want,
                       const struct vsg_selection *got)
{
    char text[32];
    vsg_how_text(m, got, text, sizeof text);
    assert_string_equal(text, json_string_value(json_object_get(want, "how")));
}

static void expect_online(const struct vsg_machine_config *m, const json_t *want,
                          const struct vsg_boot *b)
{
    size_t found = 0;
    for (uint32_t i = 0; i < m->cpu_count; i++) {
        bool listed = false;
        size_t k;
        json_t *id;
        json_array_foreach (want, k, id)
            listed = listed || (uint32_t)json_integer_value(id) == m->cpu[i].id;
        assert_int_equal(b->online[i], listed);
        found += listed;
    }
    assert_int_equal(found, json_array_size(want));
}

static void the_40_machines(void **state)
{
    (void)state;
    json_error_t error;
    json_t *all = json_load_file(VSG_TEST_DATA "/selection/vectors.json", 0, &error);
    assert_non_null(all);
    assert_int_equal(json_array_size(all), 40);
    for (size_t i = 0; i < json_array_size(all); i++) {
        json_t *o = json_array_get(all, i), *expect = json_object_get(o, "expect");
        print_message("machine %s\n", json_string_value(json_object_get(o, "name")));
        struct vsg_machine_config m = machine_of(o);
        struct vsg_boot b;
        assert_int_equal(vsg_boot(&m, &b), VSG_OK);
        assert_int_equal(json_object_size(expect), 5); /* no field of the answer is passed over */
        assert_int_equal(b.direct_vsgi, json_is_true(json_object_get(expect, "direct_vsgi")));
        expect_online(&m, json_object_get(expect, "online"), &b);
        json_t *global = json_object_get(expect, "global-first");
        json_t *local = json_object_get(expect, "local");
        json_t *numa = json_object_get(expect, "numa-v1");
        for (uint32_t c = 0; c < m.cpu_count; c++) {
            char id[16];
            snprintf(id, sizeof id, "%u", m.cpu[c].id);
            const struct vsg_selection *s = &b.selection[VSG_POLICY_LOCAL][c];
            json_t *want = json_object_get(local, id);
            expect_its(&m, json_object_get(want, "its"), s->its);
            expect_its(&m, json_object_get(want, "remembered"), s->remembered);
            expect_how(&m, want, s);
            s = &b.selection[VSG_POLICY_NUMA_V1][c];
            want = json_object_get(numa, id);
            expect_its(&m, json_object_get(want, "its"), s->its);
            expect_how(&m, want, s);
            s = &b.selection[VSG_POLICY_GLOBAL_FIRST][c];
            expect_its(&m, json_object_get(global, id), s->its);
        }
        for (uint32_t k = 0; k < m.its_count; k++)
            assert_int_equal(b.list_order[k], m.its_count - 1 - k);
        vsg_boot_free(&b);
        vsg_machine_free(&m);
    }
    json_decref(all);
}

/* ---- random machines ---------------------------------------------------------------------- */

static uint64_t seed_now;

static uint32_t below(uint32_t n) /* xorshift64*: test data only */
{
    seed_now ^= seed_now >> 12;
    seed_now ^= seed_now << 25;
    seed_now ^= seed_now >> 27;
    return (uint32_t)((seed_now * UINT64_C(2685821657736338717) >> 32) * n >> 32);
}

static void shuffle(uint32_t *list, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = below(i), t = list[i - 1];
        list[i - 1] = list[j];
        list[j] = t;
    }
}

/* Small affinity bytes and few kinds, so that groups, mismatches and ties are common. */
static struct vsg_machine_config random_machine(uint64_t seed)
{
    seed_now = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    struct vsg_machine_config m = {.nodes = 4, .its_count = below(6), .cpu_count = 1 + below(24)};
    bool odd = below(8) == 0; /* most machines do have direct vSGIs */
    m.its = zeroed(m.its_count, sizeof *m.its);
    m.cpu = zeroed(m.cpu_count, sizeof *m.cpu);
    m.boot_order = zeroed(m.cpu_count, sizeof *m.boot_order);
    m.event_count = below(12);
    m.event = zeroed(m.event_count, sizeof *m.event);

    uint32_t id[24], aff[48];
    for (uint32_t i = 0; i < 24; i++)
        id[i] = i * 3;
    for (uint32_t i = 0; i < 48; i++)
        aff[i] = (i % 3) << 24 | (i / 3 % 2) << 16 | (i / 6 % 2) << 8 | i / 12;
    shuffle(id, 24);
    shuffle(aff, 48);
    for (uint32_t i = 0; i < m.its_count; i++)
        m.its[i] = (struct vsg_its_config){.id = 100 - i,
                                           .typer_v41 = below(5) != 0,
                                           .svpet = (uint8_t)below(4),
                                           .mpidr = aff[below(48)],
                                           .vpe_table_valid = below(5) != 0,
                                           .numa_node = (int32_t)below(4) - 1,
                                           .at = -1};
    for (uint32_t i = 0; i < m.cpu_count; i++) {
        m.cpu[i] = (struct vsg_cpu_config){.id = id[i],
                                           .mpidr = aff[i],
                                           .common_lpi_aff = (uint8_t)below(4),
                                           .numa_node = (int32_t)below(4) - 1,
                                           .rvpeid = !odd || below(8) != 0,
                                           .lpi_ok = below(10) != 0};
        m.boot_order[i] = id[i];
    }
    shuffle(m.boot_order, m.cpu_count);
    m.boot_count = below(m.cpu_count + 1);
    for (uint32_t i = 0; i < m.event_count; i++) {
        m.event[i].op = below(2) ? VSG_CPU_ONLINE : VSG_CPU_OFFLINE;
        m.event[i].cpu = m.cpu[below(m.cpu_count)].id;
    }
    return m;
}

/* The rules of tests/data/selection/README.md once more, by plain search. */
struct slow {
    bool started[24], table[24];
    uint32_t remembered[24];
};

static uint32_t masked(uint32_t mpidr, unsigned bytes)
{
    uint32_t kept = 0;
    for (unsigned i = 0; i < bytes; i++)
        kept |= mpidr & UINT32_C(0xff) << (24 - 8 * i);
    return kept;
}

static void slow_start(struct slow *s, const struct vsg_machine_config *m, uint32_t id)
{
    uint32_t cpu = 0, donor = VSG_NONE;
    while (m->cpu[cpu].id != id)
        cpu++;
    if (s->started[cpu])
        return;
    uint32_t mine = masked(m->cpu[cpu].mpidr, m->cpu[cpu].common_lpi_aff);
    s->remembered[cpu] = VSG_NONE;
    for (uint32_t i = 0; i < m->cpu_count; i++)
        if (s->started[i] && masked(m->cpu[i].mpidr, m->cpu[i].common_lpi_aff) == mine &&
            (donor == VSG_NONE || m->cpu[i].id < m->cpu[donor].id))
            donor = i;
    s->started[cpu] = true;
    if (!m->cpu[cpu].lpi_ok)
        return;
    s->table[cpu] = true;
    if (donor != VSG_NONE && s->table[donor]) {
        s->remembered[cpu] = s->remembered[donor];
        return;
    }
    for (uint32_t i = m->its_count; i-- > 0;) {
        const struct vsg_its_config *its = &m->its[i];
        if (its->typer_v41 && its->svpet && its->vpe_table_valid &&
            masked(its->mpidr, its->svpet) == mine) {
            s->remembered[cpu] = i;
            return;
        }
    }
}

/* Of the node's v4.1 ITSs the first of the list; without one the first-probed of all. */
static uint32_t slow_numa(const struct vsg_machine_config *m, uint32_t cpu)
{
    uint32_t first_probed = VSG_NONE;
    for (uint32_t i = m->its_count; i-- > 0;) {
        if (!m->its[i].typer_v41)
            continue;
        if (m->its[i].numa_node >= 0 && (uint32_t)m->its[i].numa_node == vsg_cpu_node(&m->cpu[cpu]))
            return i;
        first_probed = i;
    }
    return first_probed;
}

static void random_machines_agree_with_the_plain_search(void **state)
{
    (void)state;
    unsigned remembered = 0, fallback = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct vsg_machine_config m = random_machine(seed);
        struct vsg_boot b;
        struct slow s = {0};
        assert_int_equal(vsg_boot(&m, &b), VSG_OK);
        for (uint32_t i = 0; i < m.boot_count; i++)
            slow_start(&s, &m, m.boot_order[i]);
        for (uint32_t i = 0; i < m.event_count; i++)
            if (m.event[i].op == VSG_CPU_ONLINE)
                slow_start(&s, &m, m.event[i].cpu);
        uint32_t head = VSG_NONE;
        for (uint32_t i = 0; i < m.its_count; i++)
            if (m.its[i].typer_v41)
                head = i;
        for (uint32_t c = 0; c < m.cpu_count; c++) {
            const struct vsg_selection *l = &b.selection[VSG_POLICY_LOCAL][c];
            const struct vsg_selection *g = &b.selection[VSG_POLICY_GLOBAL_FIRST][c];
            assert_int_equal(b.started[c], s.started[c]);
            assert_true(b.started[c] || !b.online[c]);
            bool has = s.started[c] && b.direct_vsgi;
            uint32_t want = has ? s.remembered[c] : VSG_NONE;
            assert_int_equal(l->remembered, want);
            assert_int_equal(l->its, !has ? VSG_NONE : want != VSG_NONE ? want : head);
            assert_int_equal(g->its, has ? head : VSG_NONE);
            assert_int_equal(b.selection[VSG_POLICY_NUMA_V1][c].its,
                             has ? slow_numa(&m, c) : VSG_NONE);
            remembered += want != VSG_NONE;
            fallback += has && want == VSG_NONE;
        }
        vsg_boot_free(&b);
        vsg_machine_free(&m);
    }
    assert_true(remembered > 1000 && fallback > 1000); /* else the machines show nothing */
}

static void what_holds_on_every_machine(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        struct vsg_machine_config m = random_machine(seed);
        struct vsg_boot b;
        assert_int_equal(vsg_boot(&m, &b), VSG_OK);
        bool all_rvpeid = true, any_v41 = false;
        for (uint32_t c = 0; c < m.cpu_count; c++)
            all_rvpeid = all_rvpeid && m.cpu[c].rvpeid;
        for (uint32_t i = 0; i < m.its_count; i++)
            any_v41 = any_v41 || m.its[i].typer_v41;
        assert_int_equal(b.direct_vsgi, all_rvpeid && any_v41);
        for (uint32_t c = 0; c < m.cpu_count; c++)
            for (int p = 0; p < VSG_POLICY_KERNEL_COUNT; p++) {
                const struct vsg_selection *s = &b.selection[p][c];
                assert_int_equal(s->its != VSG_NONE, b.started[c] && b.direct_vsgi);
                if (s->its != VSG_NONE)
                    assert_true(m.its[s->its].typer_v41);
                if (s->how == VSG_HOW_SAME_NODE)
                    assert_int_equal(m.its[s->its].numa_node, vsg_cpu_node(&m.cpu[c]));
                if (s->how == VSG_HOW_INHERITED)
                    assert_true(b.started[s->from] && s->from != c);
            }
        vsg_boot_free(&b);
        vsg_machine_free(&m);
    }
}

/* Neither the order of the list of CPUs nor the ITSs' ids say anything. */
static void order_of_description_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct vsg_machine_config m = random_machine(seed), other = random_machine(seed);
        struct vsg_boot a, b;
        uint32_t from[24];
        for (uint32_t i = 0; i < m.cpu_count; i++)
            from[i] = i;
        shuffle(from, m.cpu_count);
        for (uint32_t i = 0; i < m.cpu_count; i++)
            other.cpu[i] = m.cpu[from[i]];
        for (uint32_t i = 0; i < m.its_count; i++)
            other.its[i].id = 7 * i + 1;
        assert_int_equal(vsg_boot(&m, &a), VSG_OK);
        assert_int_equal(vsg_boot(&other, &b), VSG_OK);
        for (uint32_t i = 0; i < m.cpu_count; i++)
            for (int p = 0; p < VSG_POLICY_KERNEL_COUNT; p++) {
                const struct vsg_selection *x = &a.selection[p][from[i]], *y = &b.selection[p][i];
                assert_int_equal(x->its, y->its);
                assert_int_equal(x->remembered, y->remembered);
                assert_int_equal(x->how, y->how);
                if (x->how == VSG_HOW_INHERITED)
                    assert_int_equal(m.cpu[x->from].id, other.cpu[y->from].id);
            }
        vsg_boot_free(&a);
        vsg_boot_free(&b);
        vsg_machine_free(&m);
        vsg_machine_free(&other);
    }
}

/* ---- the edges ------------------------------------------------------------------------------ */

static void unknown_cpus_are_refused(void **state)
{
    (void)state;
    struct vsg_machine_short s = {.nodes = 1, .cpus_per_node = 2, .its_per_node = 1, .v41 = true};
    struct vsg_machine_config m;
    struct vsg_cpu_event event = {VSG_CPU_ONLINE, 2};
    struct vsg_boot b;
    assert_int_equal(vsg_machine_expand(&s, &m), VSG_OK);
    m.boot_order[1] = 7;
    assert_int_equal(vsg_boot(&m, &b), VSG_EINVAL);
    m.boot_order[1] = 1;
    m.event = &event;
    m.event_count = 1;
    assert_int_equal(vsg_boot(&m, &b), VSG_EINVAL);
    m.event = NULL;
    vsg_machine_free(&m);
}

static void an_empty_machine_boots(void **state)
{
    (void)state;
    struct vsg_machine_config m = {0};
    struct vsg_boot b;
    assert_int_equal(vsg_boot(&m, &b), VSG_OK);
    assert_false(b.direct_vsgi);
    vsg_boot_free(&b);
}

/* 65,536 CPUs and 128 ITSs, described and started in random order: a search per CPU would
 * be 4 * 10^9 steps. The bound leaves room for sanitizers and a busy machine; the usual
 * time is some 10 ms. */
static void a_large_machine_boots_quickly(void **state)
{
    (void)state;
    struct vsg_machine_short s = {.nodes = 128,
                                  .cpus_per_node = 512,
                                  .its_per_node = 1,
                                  .v41 = true,
                                  .svpet = 1,
                                  .common_lpi_aff = 1,
                                  .vpe_table = true};
    struct vsg_machine_config m;
    struct vsg_boot b;
    struct timespec start, end;
    assert_int_equal(vsg_machine_expand(&s, &m), VSG_OK);
    seed_now = 1;
    shuffle(m.boot_order, m.boot_count);
    for (uint32_t i = m.cpu_count; i > 1; i--) {
        uint32_t j = below(i);
        struct vsg_cpu_config t = m.cpu[i - 1];
        m.cpu[i - 1] = m.cpu[j];
        m.cpu[j] = t;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    assert_int_equal(vsg_boot(&m, &b), VSG_OK);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double ms =
        (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
    print_message("65,536 CPUs, 128 ITSs: %.1f ms\n", ms);
    assert_true(ms < 1000);
    for (uint32_t c = 0; c < m.cpu_count; c++) {
        assert_int_equal(b.selection[VSG_POLICY_LOCAL][c].its, m.cpu[c].id / 512);
        assert_int_equal(b.selection[VSG_POLICY_NUMA_V1][c].its, m.cpu[c].id / 512);
        assert_int_equal(b.selection[VSG_POLICY_GLOBAL_FIRST][c].its, 127);
    }
    vsg_boot_free(&b);
    vsg_machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_40_machines),
        cmocka_unit_test(random_machines_agree_with_the_plain_search),
        cmocka_unit_test(what_holds_on_every_machine),
        cmocka_unit_test(order_of_description_does_not_matter),
        cmocka_unit_test(unknown_cpus_are_refused),
        cmocka_unit_test(an_empty_machine_boots),
        cmocka_unit_test(a_large_machine_boots_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
