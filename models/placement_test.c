/* Goal: every vCPU gets the CPU that placement.h promises, or a message says why not and
 * what to do. Method: small machines whose answers can be read off, and on random ones what
 * must always hold. */
#include "models/placement.h"

#include "models/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VM_MAX = 8 };

/* A machine, its boot and some VMs that live as long as the test. */
struct bench {
    struct vsg_config c;
    struct vsg_boot boot;
    struct vsg_vm_config vm[VM_MAX];
    struct vsg_placement p;
    struct vsg_diag diag;
};

static void bench_machine(struct bench *b, uint32_t nodes, uint32_t cpus)
{
    struct vsg_machine_short s = {.nodes = nodes,
                                  .cpus_per_node = cpus,
                                  .its_per_node = 1,
                                  .v41 = true,
                                  .svpet = 1,
                                  .common_lpi_aff = 1,
                                  .vpe_table = true};
    memset(b, 0, sizeof *b);
    assert_int_equal(vsg_machine_expand(&s, &b->c.machine), VSG_OK);
    b->c.vm = b->vm;
}

static void add_vm(struct bench *b, const char *name, uint32_t vcpus,
                   struct vsg_placement_config placement)
{
    assert_true(b->c.vm_count < VM_MAX);
    b->vm[b->c.vm_count++] =
        (struct vsg_vm_config){.name = (char *)name, .vcpus = vcpus, .placement = placement};
}

static struct vsg_placement_config pins(uint32_t *cpu, uint32_t count)
{
    return (struct vsg_placement_config){.kind = VSG_PLACE_PINNED, .cpu = cpu, .cpu_count = count};
}

static struct vsg_placement_config on_node(uint32_t node)
{
    return (struct vsg_placement_config){.kind = VSG_PLACE_NODE, .node = node};
}

static struct vsg_placement_config packed(void)
{
    return (struct vsg_placement_config){.kind = VSG_PLACE_PACKED};
}

static struct vsg_placement_config spread(void)
{
    return (struct vsg_placement_config){.kind = VSG_PLACE_SPREAD};
}

static enum vsg_status place(struct bench *b)
{
    assert_int_equal(vsg_boot(&b->c.machine, &b->boot), VSG_OK);
    return vsg_place(&b->c, &b->boot, &b->p, &b->diag);
}

static void bench_clear(struct bench *b)
{
    vsg_placement_free(&b->p);
    vsg_boot_free(&b->boot);
    vsg_machine_free(&b->c.machine);
    vsg_diag_clear(&b->diag);
}

static void expect_cpus(const struct bench *b, const uint32_t *id, uint32_t count)
{
    assert_int_equal(b->p.vcpu_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct vsg_cpu_config *cpu = &b->c.machine.cpu[b->p.cpu[i]];
        assert_int_equal(cpu->id, id[i]);
        assert_int_equal(b->p.node[i], vsg_cpu_node(cpu));
    }
}
#define EXPECT_CPUS(b, ...)                                                                        \
    expect_cpus((b), (const uint32_t[]){__VA_ARGS__},                                              \
                (uint32_t)(sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)))

static void expect_words(struct bench *b, size_t item, const char *words)
{
    assert_true(item < b->diag.count);
    assert_int_equal(b->diag.item[item].severity, VSG_ERROR);
    if (!strstr(b->diag.item[item].text, words)) {
        print_error("'%s' is not in '%s'\n", words, b->diag.item[item].text);
        fail();
    }
}

/* ---- where vCPUs go ------------------------------------------------------------------------ */

static void each_kind_on_an_empty_machine(void **state)
{
    (void)state;
    struct bench b;
    uint32_t cpus[] = {5, 0, 3};

    bench_machine(&b, 3, 2); /* CPUs 0 1 | 2 3 | 4 5 */
    add_vm(&b, "p", 3, pins(cpus, 3));
    assert_int_equal(place(&b), VSG_OK);
    EXPECT_CPUS(&b, 5, 0, 3);
    bench_clear(&b);

    bench_machine(&b, 3, 2);
    add_vm(&b, "n", 2, on_node(1));
    assert_int_equal(place(&b), VSG_OK);
    EXPECT_CPUS(&b, 2, 3);
    bench_clear(&b);

    bench_machine(&b, 3, 2);
    add_vm(&b, "k", 5, packed());
    assert_int_equal(place(&b), VSG_OK);
    EXPECT_CPUS(&b, 0, 1, 2, 3, 4);
    bench_clear(&b);

    bench_machine(&b, 3, 2);
    add_vm(&b, "s", 5, spread());
    assert_int_equal(place(&b), VSG_OK);
    EXPECT_CPUS(&b, 0, 2, 4, 1, 3);
    bench_clear(&b);
}

static void pinned_first_then_file_order(void **state)
{
    (void)state;
    struct bench b;
    uint32_t cpus[] = {0, 4};
    bench_machine(&b, 3, 3); /* CPUs 0 1 2 | 3 4 5 | 6 7 8 */
    add_vm(&b, "packed", 3, packed());
    add_vm(&b, "spread", 3, spread());
    add_vm(&b, "pinned", 2, pins(cpus, 2));
    add_vm(&b, "node", 1, on_node(2));
    assert_int_equal(place(&b), VSG_OK);
    /* packed: 1 2 3 (0 is pinned); spread: node 0 is full, 5, 6, then 7; node 2: 8 */
    EXPECT_CPUS(&b, 1, 2, 3, 5, 6, 7, 0, 4, 8);
    assert_int_equal(b.p.vm_count, 4);
    const uint32_t first[] = {0, 3, 6, 8, 9};
    assert_memory_equal(b.p.first, first, sizeof first);
    bench_clear(&b);
}

static void lowest_is_by_id_not_by_position(void **state)
{
    (void)state;
    struct bench b;
    bench_machine(&b, 2, 2);
    for (uint32_t i = 0; i < 4; i++) { /* ids 9 7 on node 0, 5 3 on node 1 */
        b.c.machine.cpu[i].id = 9 - 2 * i;
        b.c.machine.boot_order[i] = 9 - 2 * i;
    }
    add_vm(&b, "k", 4, packed());
    assert_int_equal(place(&b), VSG_OK);
    EXPECT_CPUS(&b, 7, 9, 3, 5);
    bench_clear(&b);
}

static void only_running_cpus_are_used(void **state)
{
    (void)state;
    struct bench b;
    bench_machine(&b, 2, 3); /* 0 1 2 | 3 4 5; 5 is not started, 1 goes offline */
    b.c.machine.boot_count = 5;
    b.c.machine.event = calloc(1, sizeof *b.c.machine.event);
    assert_non_null(b.c.machine.event);
    b.c.machine.event[0] = (struct vsg_cpu_event){VSG_CPU_OFFLINE, 1};
    b.c.machine.event_count = 1;
    b.c.machine.cpu[3].numa_node = -1; /* counts as node 0 */
    add_vm(&b, "k", 4, packed());
    assert_int_equal(place(&b), VSG_OK);
    EXPECT_CPUS(&b, 0, 2, 3, 4);
    assert_int_equal(b.p.node[2], 0);
    bench_clear(&b);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void bad_pins_are_all_reported(void **state)
{
    (void)state;
    struct bench b;
    uint32_t cpus[] = {0, 99, 5, 1, 2}, same[] = {2};
    bench_machine(&b, 2, 4);
    b.c.machine.boot_order[5] = 0; /* 5 is left out */
    b.c.machine.event = calloc(1, sizeof *b.c.machine.event);
    assert_non_null(b.c.machine.event);
    b.c.machine.event[0] = (struct vsg_cpu_event){VSG_CPU_OFFLINE, 1};
    b.c.machine.event_count = 1;
    add_vm(&b, "a", 5, pins(cpus, 5));
    add_vm(&b, "b", 1, pins(same, 1));
    assert_int_equal(place(&b), VSG_ENOTSUP);
    assert_int_equal(b.diag.count, 4);
    expect_words(&b, 0, "VM 'a', vCPU 1: CPU 99 does not exist");
    expect_words(&b, 1, "VM 'a', vCPU 2: CPU 5 is never started");
    expect_words(&b, 2, "VM 'a', vCPU 3: CPU 1 is offline");
    expect_words(&b, 3, "VM 'b', vCPU 0: CPU 2 has vCPU 4 of VM 'a' already");
    expect_words(&b, 3, "CPU 3 is free");
    bench_clear(&b);
}

static void too_many_vcpus(void **state)
{
    (void)state;
    struct bench b;
    bench_machine(&b, 2, 4);
    add_vm(&b, "first", 3, packed());
    add_vm(&b, "wide", 4, on_node(0));
    assert_int_equal(place(&b), VSG_ENOTSUP);
    assert_int_equal(b.diag.count, 1);
    expect_words(&b, 0,
                 "VM 'wide': no CPU for vCPU 1: 4 vCPUs are to run on node 0, which has 4 running "
                 "CPUs, 1 of them free");
    bench_clear(&b);

    bench_machine(&b, 2, 4); /* exactly full is fine, one more is not */
    add_vm(&b, "all", 8, spread());
    assert_int_equal(place(&b), VSG_OK);
    bench_clear(&b);
    bench_machine(&b, 2, 4);
    add_vm(&b, "all", 9, spread());
    assert_int_equal(place(&b), VSG_ENOTSUP);
    expect_words(&b, 0, "9 vCPUs in all (the largest, VM 'all', has 9), and 8 of");
    bench_clear(&b);

    bench_machine(&b, 2, 4); /* 2 * (2^32 - 1) vCPUs must not wrap around */
    add_vm(&b, "x", UINT32_MAX, packed());
    add_vm(&b, "y", UINT32_MAX, packed());
    assert_int_equal(place(&b), VSG_ENOTSUP);
    expect_words(&b, 0, "8589934590 vCPUs");
    bench_clear(&b);

    bench_machine(&b, 2, 4); /* a node without a running CPU */
    b.c.machine.boot_count = 4;
    add_vm(&b, "n", 1, on_node(1));
    assert_int_equal(place(&b), VSG_ENOTSUP);
    expect_words(&b, 0, "node 1, which has 0 running CPUs");
    bench_clear(&b);
}

static void without_direct_vsgi(void **state)
{
    (void)state;
    struct bench b;
    bench_machine(&b, 2, 2);
    b.c.machine.cpu[3].rvpeid = false;
    add_vm(&b, "a", 1, packed());
    assert_int_equal(place(&b), VSG_ENOTSUP);
    expect_words(&b, 0, "redistributor of CPU 3 is not GICv4.1");
    bench_clear(&b);

    bench_machine(&b, 2, 2);
    b.c.machine.its[0].typer_v41 = b.c.machine.its[1].typer_v41 = false;
    add_vm(&b, "a", 1, packed());
    assert_int_equal(place(&b), VSG_ENOTSUP);
    expect_words(&b, 0, "none of its 2 ITSs is GICv4.1");
    assert_int_equal(vsg_place(&b.c, &b.boot, &b.p, NULL), VSG_ENOTSUP);
    bench_clear(&b);
}

/* ---- random scenarios
 * ---------------------------------------------------------------------------- */

static void no_cpu_twice_and_none_that_does_not_run(void **state)
{
    (void)state;
    uint32_t x = 1, placed = 0;
    for (unsigned round = 0; round < 3000; round++) {
        struct bench b;
        uint32_t draw[16];
        for (int i = 0; i < 16; i++) {
            x = x * 1664525 + 1013904223; /* test data only */
            draw[i] = x >> 8;
        }
        bench_machine(&b, 1 + draw[0] % 4, 1 + draw[1] % 8);
        uint32_t cpus = b.c.machine.cpu_count;
        b.c.machine.boot_count = cpus - draw[2] % 2;
        uint32_t pinned[2] = {draw[3] % cpus, draw[4] % cpus};
        for (uint32_t vm = 0; vm < 1 + draw[5] % 3; vm++) {
            uint32_t vcpus = 1 + draw[6 + vm] % 6;
            if (draw[9 + vm] % 4 == 0)
                add_vm(&b, "pinned", 2, pins(pinned, 2));
            else
                add_vm(&b, "other", vcpus,
                       (struct vsg_placement_config){.kind = VSG_PLACE_NODE + draw[9 + vm] % 4 - 1,
                                                     .node = draw[12] % 4});
        }
        if (place(&b) == VSG_OK) {
            bool *taken = calloc(cpus, sizeof *taken);
            assert_non_null(taken);
            for (uint32_t i = 0; i < b.p.vcpu_count; i++) {
                uint32_t cpu = b.p.cpu[i];
                assert_true(cpu < cpus && !taken[cpu]);
                assert_true(b.boot.started[cpu] && b.boot.online[cpu]);
                taken[cpu] = true;
            }
            for (uint32_t vm = 0; vm < b.c.vm_count; vm++)
                for (uint32_t i = b.p.first[vm]; i < b.p.first[vm + 1]; i++)
                    if (b.vm[vm].placement.kind == VSG_PLACE_NODE)
                        assert_int_equal(b.p.node[i], b.vm[vm].placement.node);
            free(taken);
            placed++;
        } else {
            assert_true(b.diag.count > 0);
        }
        bench_clear(&b);
    }
    assert_in_range(placed, 500, 2500); /* both outcomes are common, else this shows little */
}

/* 65,536 VMs of one vCPU fill 65,536 CPUs; a search of all CPUs for each would take minutes. */
static void many_vms(void **state)
{
    (void)state;
    struct bench b;
    bench_machine(&b, 128, 512);
    b.c.vm_count = 65536;
    b.c.vm = calloc(b.c.vm_count, sizeof *b.c.vm);
    assert_non_null(b.c.vm);
    for (uint32_t vm = 0; vm < b.c.vm_count; vm++)
        b.c.vm[vm] = (struct vsg_vm_config){.name = "a", .vcpus = 1, .placement = packed()};
    assert_int_equal(place(&b), VSG_OK);
    for (uint32_t i = 0; i < b.c.vm_count; i++)
        assert_int_equal(b.p.cpu[i], i);
    free(b.c.vm);
    bench_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_on_an_empty_machine),
        cmocka_unit_test(pinned_first_then_file_order),
        cmocka_unit_test(lowest_is_by_id_not_by_position),
        cmocka_unit_test(only_running_cpus_are_used),
        cmocka_unit_test(bad_pins_are_all_reported),
        cmocka_unit_test(too_many_vcpus),
        cmocka_unit_test(without_direct_vsgi),
        cmocka_unit_test(no_cpu_twice_and_none_that_does_not_run),
        cmocka_unit_test(many_vms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
