#include "study/params.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "study/scenario.h"
#include "study/suggest.h"

static const char input[] = "the user's question";

static const struct vsg_param top_rows[] = {
    {
        .key = "format",
        .kind = VSG_COUNT,
        .required = true,
        .dflt_text = "required",
        VSG_RANGE(1, 1),
        .basis = VSG_INPUT,
        .source = "this format's version",
        .doc = "Version of the scenario format: 1.",
        VSG_FIELD(VSG_IN_STUDY, struct vsg_study_keys, format),
    },
    {
        .key = "name",
        .kind = VSG_NAME,
        .dflt_text = "scenario",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Names the scenario in results.",
        VSG_FIELD(VSG_IN_CONFIG, struct vsg_config, name),
    },
    {
        .key = "description",
        .kind = VSG_TEXT,
        .dflt_text = "none",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "The question, in words.",
        VSG_FIELD(VSG_IN_STUDY, struct vsg_study_keys, description),
    },
};

static const struct vsg_param run_rows[] = {
    {
        .key = "policies",
        .kind = VSG_CHOICE_LIST,
        .dflt_text = "[global-first, local]",
        VSG_CHOICES(vsg_policy_name),
        .basis = VSG_PUBLISHED,
        .source =
            "Linux f1a3fac4095c: global-first is the kernel before it, local the kernel after; "
            "numa-v1 its first version; no kernel has the others",
        .doc = "Rules that pick the ITS, each simulated in turn; the first is the base of "
               "comparisons.",
    },
    {
        .key = "run",
        .kind = VSG_SECTION,
        .basis = VSG_INPUT,
        .source = input,
        .doc = "How it is simulated.",
    },
    {
        .key = "run.seed",
        .kind = VSG_COUNT,
        VSG_DEFAULT(1),
        VSG_RANGE(0, UINT64_MAX),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Seed of all random numbers.",
        VSG_FIELD(VSG_IN_CONFIG, struct vsg_config, seed),
    },
    {
        .key = "run.replications",
        .kind = VSG_COUNT,
        VSG_DEFAULT(1),
        VSG_RANGE(1, 100000),
        .basis = VSG_INPUT,
        .source = input,
        .doc =
            "Independent repetitions with other random numbers; from 5 on they give the intervals.",
        VSG_FIELD(VSG_IN_STUDY, struct vsg_study_keys, replications),
    },
    {
        .key = "run.precision",
        .kind = VSG_SHARE,
        .dflt_text = "none: run.replications are run",
        VSG_RANGE(100, 500000),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Each point has 10, 20, 40 ... replications, until half the 95 % interval of every "
               "policy's mean is at most this share of it.",
        VSG_FIELD(VSG_IN_STUDY, struct vsg_study_keys, precision_ppm),
    },
    {
        .key = "run.max_replications",
        .kind = VSG_COUNT,
        VSG_DEFAULT(640),
        VSG_RANGE(10, 100000),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Where run.precision gives up.",
        VSG_FIELD(VSG_IN_STUDY, struct vsg_study_keys, max_replications),
    },
    {
        .key = "run.warmup",
        .kind = VSG_WARMUP,
        .dflt_text = "auto",
        VSG_RANGE(0, VSG_S(1000)),
        .basis = VSG_PUBLISHED,
        .source =
            "MSER-5: White, Cobb and Spratt, Winter Simulation Conference 2000; assumed: a closed "
            "loop is in its cycle at once",
        .doc = "What is not counted: auto (open loads: until MSER-5 sees no transient in a pilot "
               "run, the "
               "latest of all policies; closed loops: nothing), a share (5%), a time (10us) or "
               "{sends: 100} of each sender.",
        VSG_FIELD(VSG_IN_CONFIG, struct vsg_config, warmup),
    },
    {
        .key = "run.duration",
        .kind = VSG_TIME,
        .dflt_text = "as long as workload.sends takes",
        VSG_RANGE(VSG_NS(1), VSG_S(1000)),
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Simulated time after which open loads (poisson) end.",
        VSG_FIELD(VSG_IN_CONFIG, struct vsg_config, duration_ps),
    },
    {
        .key = "run.tie",
        .kind = VSG_CHOICE,
        VSG_DEFAULT(VSG_TIE_HASH),
        VSG_CHOICES(vsg_tie_name),
        .basis = VSG_ASSUMED,
        .source = "assumed: a fixed hash favours no sender",
        .doc = "Order of what happens in the same picosecond: hash, lowest id first, or highest "
               "(reverse). Results that move with it hang on ties.",
        VSG_FIELD(VSG_IN_CONFIG, struct vsg_config, tie),
    },
    {
        .key = "sweep",
        .kind = VSG_AXES,
        .dflt_text = "none",
        .basis = VSG_INPUT,
        .source = input,
        .doc = "Axes: a key and the list of its values, or a range {from, to, steps, scale}; all "
               "combinations are run, the first axis changing slowest. Keys below zip advance "
               "together.",
    },
};

static const struct vsg_param_group top = {top_rows, sizeof top_rows / sizeof top_rows[0]};
static const struct vsg_param_group run = {run_rows, sizeof run_rows / sizeof run_rows[0]};

static const struct vsg_param_group *const groups[] = {
    &top, &vsg_params_machine, &vsg_params_interconnect, &vsg_params_costs, &vsg_params_guest,
    &run};
enum { GROUPS = sizeof groups / sizeof groups[0] };

size_t vsg_param_count(void)
{
    size_t n = 0;
    for (size_t g = 0; g < GROUPS; g++)
        n += groups[g]->count;
    return n;
}

const struct vsg_param *vsg_param_at(size_t i)
{
    size_t g = 0;
    assert(i < vsg_param_count());
    for (; i >= groups[g]->count; g++)
        i -= groups[g]->count;
    return &groups[g]->row[i];
}

bool vsg_param_is_child(const struct vsg_param *p, const char *section, const char **name)
{
    size_t n = strlen(section);
    const char *rest = p->key;
    if (n > 0) {
        if (strncmp(p->key, section, n) != 0 || p->key[n] != '.')
            return false;
        rest += n + 1;
    }
    if (strchr(rest, '.'))
        return false;
    *name = rest;
    return true;
}

const struct vsg_param *vsg_param_child(const char *section, const char *name)
{
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < groups[g]->count; i++) {
            const char *last;
            const struct vsg_param *p = &groups[g]->row[i];
            if (vsg_param_is_child(p, section, &last) && strcmp(last, name) == 0)
                return p;
        }
    return NULL;
}

/* Rewrites a key as users write it into the form of the rows: indices and VM names
 * become "[]", and a VM's workload the workload. */
static void canonical_key(const char *key, char *out, size_t size)
{
    size_t n = 0;
    bool vm_name = strncmp(key, "vms.", 4) == 0;

    if (vm_name) {
        n = (size_t)snprintf(out, size, "vms[]");
        key += 4 + strcspn(key + 4, ".");
    }
    while (*key && n + 3 < size) {
        if (*key == '[') {
            out[n++] = '[';
            key += strcspn(key, "]");
            continue;
        }
        out[n++] = *key++;
    }
    out[n] = 0;
    static const char vm_workload[] = "vms[].workload.";
    if (strncmp(out, vm_workload, sizeof vm_workload - 1) == 0)
        memmove(out, out + 6, n - 5);
}

const struct vsg_param *vsg_param_find(const char *key)
{
    char wanted[128];
    canonical_key(key, wanted, sizeof wanted);
    for (size_t i = 0; i < vsg_param_count(); i++)
        if (strcmp(vsg_param_at(i)->key, wanted) == 0)
            return vsg_param_at(i);
    return NULL;
}

const char *vsg_param_suggest(const char *key)
{
    char wanted[128];
    struct vsg_suggestion best;
    canonical_key(key, wanted, sizeof wanted);
    vsg_suggest_begin(&best, wanted);
    for (size_t i = 0; i < vsg_param_count(); i++)
        vsg_suggest_try(&best, vsg_param_at(i)->key);
    return best.found;
}

/* ---- fields ---------------------------------------------------------------------- */

void vsg_param_store(const struct vsg_param *p, void *field, uint64_t value)
{
    if (p->width == 8) {
        memcpy(field, &value, 8);
    } else if (p->width == 4) {
        uint32_t v = (uint32_t)value;
        assert(v == value);
        memcpy(field, &v, 4);
    } else {
        assert(p->width == 1 && value <= UINT8_MAX);
        *(uint8_t *)field = (uint8_t)value;
    }
}

uint64_t vsg_param_load(const struct vsg_param *p, const void *field)
{
    if (p->width == 8) {
        uint64_t v;
        memcpy(&v, field, 8);
        return v;
    }
    if (p->width == 4) {
        uint32_t v;
        memcpy(&v, field, 4);
        return v;
    }
    assert(p->width == 1);
    return *(const uint8_t *)field;
}

/* ---- texts -------------------------------------------------------------------------- */

enum vsg_quantity vsg_param_quantity(const struct vsg_param *p)
{
    switch (p->kind) {
    case VSG_TIME:
    case VSG_DIST:
    case VSG_WARMUP:
    case VSG_TIME_MATRIX:
        return VSG_Q_TIME;
    case VSG_BYTES:
        return VSG_Q_BYTES;
    case VSG_BANDWIDTH:
        return VSG_Q_BANDWIDTH;
    case VSG_RATE:
    case VSG_RATE_MATRIX:
        return VSG_Q_RATE;
    case VSG_RATIO:
        return VSG_Q_RATIO;
    case VSG_SHARE:
        return VSG_Q_SHARE;
    default:
        return VSG_Q_COUNT;
    }
}

const char *vsg_param_unit_text(const struct vsg_param *p)
{
    return vsg_quantity_units(vsg_param_quantity(p));
}

const char *vsg_param_kind_text(const struct vsg_param *p)
{
    static const char *const text[VSG_PARAM_KINDS] = {
        [VSG_TIME] = "a time",
        [VSG_BYTES] = "a size",
        [VSG_BANDWIDTH] = "a bandwidth",
        [VSG_RATE] = "a rate",
        [VSG_RATIO] = "a number",
        [VSG_SHARE] = "a share",
        [VSG_COUNT] = "a whole number",
        [VSG_BOOL] = "true or false",
        [VSG_CHOICE] = "a name",
        [VSG_INDEX] = "a whole number or -1",
        [VSG_AFFINITY] = "an affinity such as 0.0.1.0",
        [VSG_NAME] = "a name",
        [VSG_TEXT] = "a text",
        [VSG_DIST] = "a time or a distribution",
        [VSG_WARMUP] = "auto, a share, a time or {sends: N}",
        [VSG_COUNT_LIST] = "a list of whole numbers",
        [VSG_TEXT_LIST] = "a list of texts",
        [VSG_CHOICE_LIST] = "a list of names",
        [VSG_TIME_MATRIX] = "a list of lists of times",
        [VSG_COUNT_MATRIX] = "a list of lists of whole numbers",
        [VSG_RATE_MATRIX] = "a list of lists of rates",
        [VSG_SECTION] = "a map of keys",
        [VSG_SECTION_LIST] = "a list of maps",
        [VSG_AXES] = "a map from keys to lists of values",
    };
    return text[p->kind];
}

const char *vsg_basis_text(enum vsg_basis basis)
{
    static const char *const text[] = {[VSG_PUBLISHED] = "published",
                                       [VSG_ARCHITECTURE] = "architecture",
                                       [VSG_ASSUMED] = "assumed",
                                       [VSG_INPUT] = "input"};
    return text[basis];
}

char *vsg_param_default_text(const struct vsg_param *p, char *buffer, size_t size)
{
    const char *fixed = p->dflt_text ? p->dflt_text : "";
    if (p->dflt_text || !p->has_default)
        snprintf(buffer, size, "%s", fixed);
    else if (p->kind == VSG_BOOL)
        snprintf(buffer, size, "%s", p->dflt ? "true" : "false");
    else if (p->kind == VSG_CHOICE)
        snprintf(buffer, size, "%s", p->choice[p->dflt]);
    else
        vsg_quantity_format(vsg_param_quantity(p), p->dflt, buffer, size);
    return buffer;
}

char *vsg_param_range_text(const struct vsg_param *p, char *buffer, size_t size)
{
    char low[VSG_QUANTITY_TEXT], high[VSG_QUANTITY_TEXT];
    buffer[0] = 0;
    if (p->max == 0)
        return buffer;
    vsg_quantity_format(vsg_param_quantity(p), p->min, low, sizeof low);
    vsg_quantity_format(vsg_param_quantity(p), p->max, high, sizeof high);
    snprintf(buffer, size, "%s to %s", p->kind == VSG_INDEX ? "-1" : low, high);
    return buffer;
}

char *vsg_param_choices_text(const struct vsg_param *p, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = 0;
    for (uint32_t i = 0; i < p->choice_count && used < size; i++) {
        int n = snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", p->choice[i]);
        used += n > 0 ? (size_t)n : 0;
    }
    return buffer;
}

static void dist_text(const struct vsg_dist *d, char *buffer, size_t size)
{
    char a[VSG_QUANTITY_TEXT], b[VSG_QUANTITY_TEXT];
    vsg_quantity_format(VSG_Q_TIME, d->mean_ps, a, sizeof a);
    switch (d->kind) {
    case VSG_DIST_CONSTANT:
        snprintf(buffer, size, "%s", a);
        break;
    case VSG_DIST_UNIFORM:
        vsg_quantity_format(VSG_Q_TIME, d->low_ps, a, sizeof a);
        vsg_quantity_format(VSG_Q_TIME, d->high_ps, b, sizeof b);
        snprintf(buffer, size, "{uniform: {low: %s, high: %s}}", a, b);
        break;
    case VSG_DIST_EXPONENTIAL:
        snprintf(buffer, size, "{exponential: {mean: %s}}", a);
        break;
    case VSG_DIST_LOGNORMAL:
        vsg_quantity_format(VSG_Q_RATIO, d->cv_ppm, b, sizeof b);
        snprintf(buffer, size, "{lognormal: {mean: %s, cv: %s}}", a, b);
        break;
    case VSG_DIST_GAMMA:
        vsg_quantity_format(VSG_Q_RATIO, d->cv_ppm, b, sizeof b);
        snprintf(buffer, size, "{gamma: {mean: %s, cv: %s}}", a, b);
        break;
    case VSG_DIST_VALUES:
    case VSG_DIST_QUANTILES:
        snprintf(buffer, size, "{empirical: %u %s, mean %s}", d->point_count,
                 d->kind == VSG_DIST_VALUES ? "values" : "quantiles", a);
        break;
    }
}

static void warmup_text(const struct vsg_warmup_config *w, char *buffer, size_t size)
{
    switch (w->kind) {
    case VSG_WARMUP_AUTO:
        snprintf(buffer, size, "auto");
        break;
    case VSG_WARMUP_SHARE:
        vsg_quantity_format(VSG_Q_SHARE, w->share_ppm, buffer, size);
        break;
    case VSG_WARMUP_TIME:
        vsg_quantity_format(VSG_Q_TIME, w->time_ps, buffer, size);
        break;
    case VSG_WARMUP_SENDS:
        snprintf(buffer, size, "{sends: %llu}", (unsigned long long)w->count);
        break;
    }
}

char *vsg_param_value_text(const struct vsg_param *p, const void *field, char *buffer, size_t size)
{
    uint32_t affinity;
    int32_t index;

    switch (p->kind) {
    case VSG_DIST:
        dist_text(field, buffer, size);
        break;
    case VSG_WARMUP:
        warmup_text(field, buffer, size);
        break;
    case VSG_BOOL:
        snprintf(buffer, size, "%s", *(const bool *)field ? "true" : "false");
        break;
    case VSG_CHOICE:
        snprintf(buffer, size, "%s", p->choice[vsg_param_load(p, field)]);
        break;
    case VSG_INDEX:
        memcpy(&index, field, sizeof index);
        snprintf(buffer, size, "%d", index);
        break;
    case VSG_AFFINITY:
        memcpy(&affinity, field, sizeof affinity);
        snprintf(buffer, size, "%u.%u.%u.%u", affinity >> 24, affinity >> 16 & 255,
                 affinity >> 8 & 255, affinity & 255);
        break;
    default:
        vsg_quantity_format(vsg_param_quantity(p), vsg_param_load(p, field), buffer, size);
    }
    return buffer;
}
