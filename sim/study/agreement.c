#include "study/agreement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/text.h"

/* ---- every integer ------------------------------------------------------------------------ */

struct difference {
    char *text;
    size_t size;
    bool found;
    char where[64]; /* "its[0]." */
};

static void at(struct difference *d, const char *what, uint32_t index)
{
    snprintf(d->where, sizeof d->where, "%s[%u].", what, index);
}

static void check(struct difference *d, const char *name, vsg_u128 a, vsg_u128 b)
{
    if (d->found || a == b)
        return;
    d->found = true;
    if ((a | b) >> 64)
        snprintf(d->text, d->size, "%s%s: apart by %s%llu", d->where, name, a > b ? "-" : "",
                 (unsigned long long)(a > b ? a - b : b - a));
    else
        snprintf(d->text, d->size, "%s%s: %llu against %llu", d->where, name, (unsigned long long)a,
                 (unsigned long long)b);
}

static void check_name(struct difference *d, const char *name, const char *a, const char *b)
{
    if (d->found || strcmp(a, b) == 0)
        return;
    d->found = true;
    snprintf(d->text, d->size, "%s%s: %s against %s", d->where, name, a, b);
}

static void check_hist(struct difference *d, const struct vsg_hist *a, const struct vsg_hist *b)
{
    check(d, "histogram", a != NULL, b != NULL);
    if (!a || !b || d->found)
        return;
    check(d, "histogram.sub_bits", vsg_hist_sub_bits(a), vsg_hist_sub_bits(b));
    check(d, "histogram.clipped", vsg_hist_clipped(a), vsg_hist_clipped(b));
    size_t count_a = vsg_hist_bucket_count(a), count_b = vsg_hist_bucket_count(b);
    for (size_t i = 0; !d->found && (i < count_a || i < count_b); i++)
        check(d, "histogram.bucket", i < count_a ? vsg_hist_bucket(a, i) : 0,
              i < count_b ? vsg_hist_bucket(b, i) : 0);
}

static void check_tally(struct difference *d, const struct vsg_tally *a, const struct vsg_tally *b)
{
    check(d, "count", a->count, b->count);
    check(d, "min_ps", a->min_ps, b->min_ps);
    check(d, "max_ps", a->max_ps, b->max_ps);
    check(d, "sum_ps", a->sum_ps, b->sum_ps);
    check(d, "square_ps2", a->square_ps2, b->square_ps2);
    check_hist(d, a->hist, b->hist);
}

static void check_stats(struct difference *d, const struct vsg_server_stats *a,
                        const struct vsg_server_stats *b)
{
    check(d, "served", a->served, b->served);
    check(d, "busy_ps", a->busy_ps, b->busy_ps);
    check(d, "wait_sum_ps", a->wait_sum_ps, b->wait_sum_ps);
    check(d, "wait_max_ps", a->wait_max_ps, b->wait_max_ps);
    check(d, "queue_max", a->queue_max, b->queue_max);
}

static void check_lists(struct difference *d, const struct vsg_run_result *a,
                        const struct vsg_run_result *b)
{
    for (uint32_t i = 0; !d->found && i < a->node_count * a->node_count; i++) {
        at(d, "pair", i);
        check_tally(d, &a->pair[i], &b->pair[i]);
    }
    for (uint32_t i = 0; !d->found && i < a->vm_count; i++) {
        at(d, "vm", i);
        check_name(d, "name", a->vm_name[i], b->vm_name[i]);
        check_tally(d, &a->vm[i], &b->vm[i]);
    }
    for (uint32_t i = 0; !d->found && i < a->its_count; i++) {
        at(d, "its", i);
        check(d, "id", a->its[i].id, b->its[i].id);
        check(d, "node", a->its[i].node, b->its[i].node);
        check_stats(d, &a->its[i].stats, &b->its[i].stats);
    }
    for (uint32_t i = 0; !d->found && i < a->link_count; i++) {
        at(d, "link", i);
        check_name(d, "name", a->link[i].name, b->link[i].name);
        check(d, "from", a->link[i].from, b->link[i].from);
        check(d, "to", a->link[i].to, b->link[i].to);
        check_stats(d, &a->link[i].stats, &b->link[i].stats);
    }
    for (uint32_t i = 0; !d->found && i < a->batch_count; i++) {
        at(d, "batch", i);
        check(d, "count", a->batch[i].count, b->batch[i].count);
        check(d, "sum_ps", a->batch[i].sum_ps, b->batch[i].sum_ps);
        for (int q = 0; q < VSG_BATCH_QUANTILES; q++)
            check(d, "quantile_ps", a->batch[i].quantile_ps[q], b->batch[i].quantile_ps[q]);
    }
    for (uint32_t i = 0; !d->found && i < a->offered_count; i++) {
        at(d, "offered", i);
        check_name(d, "server", a->offered[i].server, b->offered[i].server);
        check(d, "load_ppm", a->offered[i].load_ppm, b->offered[i].load_ppm);
    }
}

bool vsg_run_result_differs(const struct vsg_run_result *a, const struct vsg_run_result *b,
                            char *text, size_t size)
{
    struct difference d = {.text = text, .size = size};
    text[0] = '\0';
    snprintf(d.where, sizeof d.where, "latency.");
    check_tally(&d, &a->latency, &b->latency);
    d.where[0] = '\0';
    check(&d, "fingerprint", a->fingerprint, b->fingerprint);
    for (int i = 0; i < VSG_STAGE_COUNT && !d.found; i++) {
        snprintf(d.where, sizeof d.where, "stage.");
        check(&d, vsg_stage_name[i], a->stage_sum_ps[i], b->stage_sum_ps[i]);
    }
    if (!d.found)
        d.where[0] = '\0';
    check(&d, "return_sum_ps", a->return_sum_ps, b->return_sum_ps);
    check(&d, "window_start_ps", a->window_start_ps, b->window_start_ps);
    check(&d, "window_end_ps", a->window_end_ps, b->window_end_ps);
    check(&d, "events", a->events, b->events);
    check(&d, "ties", a->ties, b->ties);
    check(&d, "sent", a->sent, b->sent);
    check(&d, "completed", a->completed, b->completed);
    check(&d, "sender_busy_ps", a->sender_busy_ps, b->sender_busy_ps);
    check(&d, "sender_count", a->sender_count, b->sender_count);
    check(&d, "open", a->open, b->open);
    check(&d, "backlog_half", a->backlog_half, b->backlog_half);
    check(&d, "backlog_end", a->backlog_end, b->backlog_end);
    check(&d, "not_steady", a->not_steady, b->not_steady);
    check(&d, "batch_ps", a->batch_ps, b->batch_ps);
    check(&d, "batch_count", a->batch_count, b->batch_count);
    check(&d, "node_count", a->node_count, b->node_count);
    check(&d, "vm_count", a->vm_count, b->vm_count);
    check(&d, "its_count", a->its_count, b->its_count);
    check(&d, "link_count", a->link_count, b->link_count);
    check(&d, "offered_count", a->offered_count, b->offered_count);
    if (!d.found)
        check_lists(&d, a, b);
    return d.found;
}

/* ---- a study --------------------------------------------------------------------------------- */

enum vsg_status vsg_agreement_compare(const struct vsg_study *study, struct vsg_outcome *out,
                                      uint32_t *differs)
{
    struct vsg_agreement *a = &out->agreement;
    struct vsg_text reason = {0};
    uint32_t alone = 0, incomplete = 0;
    char difference[160];
    *a = (struct vsg_agreement){.asked = true, .equal = true};
    for (uint32_t i = 0; i < out->run_count; i++) {
        const struct vsg_run *x = &out->run[i], *y = x + 1;
        if (i + 1 == out->run_count || y->index != x->index) {
            alone++;
            continue;
        }
        i++;
        if (x->state != VSG_RUN_DONE || y->state != VSG_RUN_DONE) {
            incomplete++;
            continue;
        }
        a->runs++;
        a->ipis += x->result.latency.count;
        if (vsg_run_result_differs(&x->result, &y->result, difference, sizeof difference) &&
            a->equal) {
            a->equal = false;
            a->run = x->index;
            *differs = i - 1;
            vsg_text_add(&reason, "run %u (%s): %s", x->index,
                         vsg_policy_name[study->policy[x->policy]], difference);
        }
    }
    a->known = a->runs > 0;
    a->equal = a->equal && a->known;
    if (alone > 0)
        vsg_text_add(&reason,
                     "%s%u runs with contention: fluid, which parallel does not offer: only "
                     "distributions could be compared",
                     reason.length > 0 ? "; " : "", alone);
    if (incomplete > 0)
        vsg_text_add(&reason, "%s%u pairs of runs not compared: one of the two did not finish",
                     reason.length > 0 ? "; " : "", incomplete);
    return reason.length > 0 || reason.failed ? vsg_text_take(&reason, &a->reason) : VSG_OK;
}

static int by_intent(const struct vsg_sample *a, const struct vsg_sample *b)
{
    if (a->intent_ps != b->intent_ps)
        return a->intent_ps < b->intent_ps ? -1 : 1;
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    return a->n < b->n ? -1 : a->n > b->n;
}

static int by_sender(const struct vsg_sample *a, const struct vsg_sample *b)
{
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    return a->n < b->n ? -1 : a->n > b->n;
}

static bool same_ipi(const struct vsg_sample *a, const struct vsg_sample *b)
{
    return a->target == b->target && a->its == b->its && a->intent_ps == b->intent_ps &&
           a->latency_ps == b->latency_ps &&
           memcmp(a->stage_ps, b->stage_ps, sizeof a->stage_ps) == 0;
}

void vsg_agreement_first(struct vsg_agreement *a, const struct vsg_run *parallel,
                         const struct vsg_run *simgrid)
{
    static const struct vsg_sample none;
    const struct vsg_run_result *r[2] = {&parallel->result, &simgrid->result};
    const struct vsg_sample *first = NULL;
    size_t i[2] = {0, 0};
    while (i[0] < r[0]->sample_count || i[1] < r[1]->sample_count) {
        bool has[2] = {i[0] < r[0]->sample_count, i[1] < r[1]->sample_count};
        const struct vsg_sample *s[2] = {has[0] ? &r[0]->sample[i[0]] : &none,
                                         has[1] ? &r[1]->sample[i[1]] : &none};
        int order = !has[0] ? 1 : !has[1] ? -1 : by_sender(s[0], s[1]);
        has[0] = order <= 0;
        has[1] = order >= 0;
        i[0] += has[0];
        i[1] += has[1];
        if (has[0] && has[1] && same_ipi(s[0], s[1]))
            continue;
        const struct vsg_sample *here = has[0] ? s[0] : s[1];
        if (has[0] && has[1] && by_intent(s[1], s[0]) < 0)
            here = s[1];
        if (first && by_intent(here, first) >= 0)
            continue;
        first = here;
        a->has_first = true;
        a->run = parallel->index;
        a->sender = here->sender;
        a->n = here->n;
        a->intent_ps = here->intent_ps;
        a->latency_ps[0] = has[0] ? s[0]->latency_ps : 0;
        a->latency_ps[1] = has[1] ? s[1]->latency_ps : 0;
    }
}
