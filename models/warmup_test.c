/* Goal: MSER-5 cuts where a transient ends. Method: series made up so that the right cut is plain.
 */
#include "models/warmup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { WIDTH = 1 << 10, BINS = 1500 }; /* ps per bin, once the last one has been used */

struct series {
    uint64_t (*latency)(uint64_t bin);
    unsigned per_bin;
};

static bool cut(const struct series *s, uint64_t *cut_ps)
{
    struct vsg_batches b;
    assert_int_equal(vsg_batches_init_bins(&b, 0), VSG_OK);
    for (uint64_t i = 0; i < BINS; i++)
        for (unsigned k = 0; k < s->per_bin; k++)
            vsg_batches_add(&b, i * WIDTH + (uint64_t)k * WIDTH / s->per_bin, s->latency(i));
    assert_int_equal(b.shift, 10);
    bool known = vsg_warmup_cut(&b, (uint64_t)BINS * WIDTH, cut_ps);
    vsg_batches_free(&b);
    return known;
}

/* Values that differ from group to group of 5 bins, as noise does, by +-10 ps. */
static uint64_t noise(uint64_t bin)
{
    return 1000 + (bin / 5 * 7919 % 21) - 10;
}

static uint64_t level(uint64_t bin)
{
    (void)bin;
    return 1000;
}

/* Twice the level until bin 200, then steady. */
static uint64_t step_down(uint64_t bin)
{
    return bin < 200 ? 2000 + noise(bin) : noise(bin);
}

/* From 0 up to the level, linearly over 300 bins: an empty machine fills. */
static uint64_t ramp_up(uint64_t bin)
{
    return bin < 300 ? noise(bin) * bin / 300 : noise(bin);
}

static uint64_t never_steady(uint64_t bin)
{
    return 10 * bin;
}

static void a_steady_series_is_not_cut(void **state)
{
    uint64_t cut_ps = 1;
    (void)state;
    assert_true(cut(&(struct series){level, 3}, &cut_ps));
    assert_int_equal(cut_ps, 0);
}

static void a_transient_is_cut_at_its_end(void **state)
{
    uint64_t cut_ps = 0;
    (void)state;
    assert_true(cut(&(struct series){step_down, 2}, &cut_ps));
    assert_in_range(cut_ps, 200 * WIDTH, 215 * WIDTH);
    assert_true(cut(&(struct series){ramp_up, 2}, &cut_ps));
    /* What is left of the ramp is less than the noise warrants: the last 1 % of it. */
    assert_in_range(cut_ps, 290 * WIDTH, 315 * WIDTH);
}

static void growth_is_cut_beyond_the_half(void **state)
{
    uint64_t cut_ps = 0;
    (void)state;
    assert_true(cut(&(struct series){never_steady, 2}, &cut_ps));
    assert_true(cut_ps > BINS / 2 * WIDTH);
    assert_true(cut_ps <= (BINS - 25) * WIDTH); /* five values of five bins are left */
}

/* One IPI in every tenth bin: a value takes 41 bins to have its 5 IPIs, and there are 36 of them.
 */
static void values_have_five_ipis_each(void **state)
{
    struct vsg_batches b;
    uint64_t cut_ps = 0;
    (void)state;
    assert_int_equal(vsg_batches_init_bins(&b, 0), VSG_OK);
    for (uint64_t i = 0; i < BINS; i += 10)
        vsg_batches_add(&b, i * WIDTH, i < 400 ? 9000 : 1000 + i % 3);
    assert_true(vsg_warmup_cut(&b, (uint64_t)BINS * WIDTH, &cut_ps));
    /* 9000 is the latency of bins 0, 10 ... 390. Values end with the bin that brings the fifth IPI
     * (40, 90, ...), so one begins at bin 391 and has no old IPI. */
    assert_int_equal(cut_ps, 391 * WIDTH);
    vsg_batches_free(&b);
}

static void too_few_ipis_say_nothing(void **state)
{
    struct vsg_batches b;
    uint64_t cut_ps = 77;
    (void)state;
    assert_int_equal(vsg_batches_init_bins(&b, 0), VSG_OK);
    for (uint64_t i = 0; i < 49; i++)
        vsg_batches_add(&b, i * 30 * WIDTH, 1000);
    assert_false(vsg_warmup_cut(&b, (uint64_t)BINS * WIDTH, &cut_ps));
    assert_int_equal(cut_ps, 77);
    vsg_batches_add(&b, 49 * 30 * WIDTH, 1000);
    assert_true(vsg_warmup_cut(&b, (uint64_t)BINS * WIDTH, &cut_ps));
    assert_int_equal(cut_ps, 0);
    vsg_batches_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_series_is_not_cut),
        cmocka_unit_test(a_transient_is_cut_at_its_end),
        cmocka_unit_test(growth_is_cut_beyond_the_half),
        cmocka_unit_test(values_have_five_ipis_each),
        cmocka_unit_test(too_few_ipis_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
