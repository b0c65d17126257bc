#include "engine/hist.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PPM UINT64_C(1000000)

enum { LIMIT_BIT = 50, TICKS = 5 };

_Static_assert(VSG_HIST_LIMIT_PS == UINT64_C(1) << LIMIT_BIT, "the limit is a power of two");

struct vsg_hist {
    uint64_t count, clipped; /* count includes clipped */
    size_t bucket_count;
    size_t used;   /* buckets from here on are empty; saves reading untouched pages */
    size_t base;   /* of a trimmed one: buckets before it are empty and not stored */
    size_t stored; /* buckets that are */
    unsigned sub_bits;
    uint64_t bucket[]; /* [stored] samples in bucket base + i */
};

/* Values below 2^(b+1) have a bucket each. Above, the highest b + 1 bits choose the
 * bucket: its relative width stays constant, so one bound holds at every scale. */
static size_t bucket_of(unsigned sub_bits, uint64_t v_ps)
{
    unsigned shift;
    if (v_ps >> sub_bits == 0)
        return (size_t)v_ps;
    shift = 63u - (unsigned)__builtin_clzll(v_ps) - sub_bits;
    return ((size_t)shift << sub_bits) + (size_t)(v_ps >> shift);
}

enum vsg_status vsg_hist_new(unsigned sub_bits, struct vsg_hist **out)
{
    struct vsg_hist *h;
    size_t n;

    assert(out);
    if (sub_bits < 1 || sub_bits > 14)
        return VSG_ERANGE;
    n = bucket_of(sub_bits, VSG_HIST_LIMIT_PS) + 1;
    h = calloc(1, sizeof *h + n * sizeof h->bucket[0]);
    if (!h)
        return VSG_ENOMEM;
    h->sub_bits = sub_bits;
    h->bucket_count = h->stored = n;
    *out = h;
    return VSG_OK;
}

void vsg_hist_free(struct vsg_hist *h)
{
    free(h);
}

static uint64_t bucket_at(const struct vsg_hist *h, size_t i)
{
    return i - h->base < h->stored ? h->bucket[i - h->base] : 0; /* before base it wraps */
}

enum vsg_status vsg_hist_trim(struct vsg_hist **h)
{
    const struct vsg_hist *old = *h;
    size_t base = 0;
    while (base < old->used && bucket_at(old, base) == 0)
        base++;
    size_t stored = old->used - base;
    struct vsg_hist *small = malloc(sizeof *small + stored * sizeof small->bucket[0]);
    if (!small)
        return VSG_ENOMEM;
    *small = *old;
    small->base = base;
    small->stored = stored;
    for (size_t i = 0; i < stored; i++)
        small->bucket[i] = bucket_at(old, base + i);
    vsg_hist_free(*h);
    *h = small;
    return VSG_OK;
}

static void add(struct vsg_hist *h, size_t i, uint64_t n)
{
    assert(h->stored == h->bucket_count); /* a trimmed one takes no more */
    h->bucket[i] += n;
    h->count += n;
    if (i >= h->used)
        h->used = i + 1;
}

void vsg_hist_record(struct vsg_hist *h, uint64_t latency_ps)
{
    if (latency_ps > VSG_HIST_LIMIT_PS)
        vsg_hist_add_clipped(h, 1);
    else
        add(h, bucket_of(h->sub_bits, latency_ps), 1);
}

enum vsg_status vsg_hist_add_bucket(struct vsg_hist *h, size_t i, uint64_t n)
{
    if (i >= h->bucket_count)
        return VSG_ERANGE;
    if (n)
        add(h, i, n);
    return VSG_OK;
}

void vsg_hist_add_clipped(struct vsg_hist *h, uint64_t n)
{
    h->clipped += n;
    h->count += n;
}

enum vsg_status vsg_hist_merge(struct vsg_hist *dst, const struct vsg_hist *src)
{
    if (dst->sub_bits != src->sub_bits)
        return VSG_EINVAL;
    assert(dst->stored == dst->bucket_count);
    for (size_t i = src->base; i < src->used; i++)
        dst->bucket[i] += src->bucket[i - src->base];
    dst->count += src->count;
    dst->clipped += src->clipped;
    if (src->used > dst->used)
        dst->used = src->used;
    return VSG_OK;
}

uint64_t vsg_hist_count(const struct vsg_hist *h)
{
    return h->count;
}

uint64_t vsg_hist_clipped(const struct vsg_hist *h)
{
    return h->clipped;
}

size_t vsg_hist_bucket_count(const struct vsg_hist *h)
{
    return h->bucket_count;
}

uint64_t vsg_hist_bucket(const struct vsg_hist *h, size_t i)
{
    assert(i < h->bucket_count);
    return bucket_at(h, i);
}

size_t vsg_hist_end(const struct vsg_hist *h)
{
    return h->used;
}

unsigned vsg_hist_sub_bits(const struct vsg_hist *h)
{
    return h->sub_bits;
}

uint64_t vsg_hist_bucket_top_ps(const struct vsg_hist *h, size_t i)
{
    size_t row = i >> h->sub_bits; /* 0 and 1 together hold the exact values */
    unsigned shift = row ? (unsigned)row - 1 : 0;
    uint64_t mantissa = (uint64_t)i - ((uint64_t)shift << h->sub_bits);
    uint64_t top_ps = ((mantissa + 1) << shift) - 1;

    assert(i < h->bucket_count);
    /* The last bucket holds the limit alone. */
    return top_ps < VSG_HIST_LIMIT_PS ? top_ps : VSG_HIST_LIMIT_PS;
}

/* Walks the ranks upwards, so that several quantiles in order cost one pass. */
struct walk {
    const struct vsg_hist *h;
    size_t bucket;
    uint64_t seen; /* samples in bucket[0 .. bucket) */
};

/* The upper edge of the bucket of the sample of this rank, 1..count; ranks must not
 * fall. *covered: samples up to that edge. */
static uint64_t walk_to(struct walk *w, uint64_t rank, uint64_t *covered)
{
    for (; w->bucket < w->h->used; w->bucket++) {
        uint64_t here = bucket_at(w->h, w->bucket);
        if (w->seen + here >= rank) {
            *covered = w->seen + here;
            return vsg_hist_bucket_top_ps(w->h, w->bucket);
        }
        w->seen += here;
    }
    *covered = w->h->count; /* among the clipped ones */
    return VSG_HIST_LIMIT_PS;
}

enum vsg_status vsg_hist_quantile(const struct vsg_hist *h, uint32_t q_ppm, uint64_t *out_ps)
{
    struct walk w = {.h = h, .bucket = h->base};
    uint64_t rank, covered;

    if (q_ppm > PPM)
        return VSG_ERANGE;
    if (h->count == 0)
        return VSG_ENODATA;
    /* ceil(count * q) in two integer parts: 0.55 * 100 in doubles is not 55. */
    rank = h->count / PPM * q_ppm + (h->count % PPM * q_ppm + PPM - 1) / PPM;
    *out_ps = walk_to(&w, rank ? rank : 1, &covered);
    return VSG_OK;
}

/* Twice the middle of a bucket, since the middle may be half a ps. */
static uint64_t twice_middle_ps(const struct vsg_hist *h, size_t i)
{
    uint64_t top_ps = vsg_hist_bucket_top_ps(h, i);
    return i == 0 ? 0 : vsg_hist_bucket_top_ps(h, i - 1) + 1 + top_ps;
}

/* Mean and standard deviation in ns. The mean comes from an exact sum; the squares are added
 * in one fixed order. Clipped samples count at the limit. */
static void moments_ns(const struct vsg_hist *h, double *mean_ns, double *sd_ns)
{
    unsigned __int128 sum = (unsigned __int128)h->clipped * (2 * VSG_HIST_LIMIT_PS);
    double n = (double)h->count, mean, square = 0;

    for (size_t i = h->base; i < h->used; i++)
        if (bucket_at(h, i))
            sum += (unsigned __int128)bucket_at(h, i) * twice_middle_ps(h, i);
    mean = (double)sum / 2.0 / n;
    for (size_t i = h->base; i < h->used; i++)
        if (bucket_at(h, i)) {
            double d = (double)twice_middle_ps(h, i) / 2.0 - mean;
            square += d * d * (double)bucket_at(h, i);
        }
    if (h->clipped) {
        double d = (double)VSG_HIST_LIMIT_PS - mean;
        square += d * d * (double)h->clipped;
    }
    *mean_ns = mean / 1000.0;
    *sd_ns = sqrt(square / n) / 1000.0;
}

/* One line per tick, TICKS ticks in each half of the way that is left to 1: percentile
 * 1 - (10 - tick) / (10 * 2^half). Its rank is exact in integers. */
static void write_lines(FILE *f, const struct vsg_hist *h)
{
    struct walk w = {.h = h, .bucket = h->base};
    uint64_t covered, value_ps;
    double two_to_half = 1.0;

    for (unsigned half = 0;; half++, two_to_half *= 2.0)
        for (unsigned tick = 0; tick < TICKS; tick++) {
            unsigned __int128 above =
                ((unsigned __int128)h->count * (2 * TICKS - tick) / (2 * TICKS)) >> half;
            double inverse = 2 * TICKS * two_to_half / (2 * TICKS - tick);
            if (above == 0) {
                value_ps = walk_to(&w, h->count, &covered);
                fprintf(f, "%8" PRIu64 ".%03" PRIu64 " %14.12f %10" PRIu64 "\n", value_ps / 1000,
                        value_ps % 1000, 1.0, covered);
                return;
            }
            value_ps = walk_to(&w, above < h->count ? h->count - (uint64_t)above : 1, &covered);
            fprintf(f, "%8" PRIu64 ".%03" PRIu64 " %14.12f %10" PRIu64 " %14.2f\n", value_ps / 1000,
                    value_ps % 1000, 1.0 - 1.0 / inverse, covered, inverse);
        }
}

enum vsg_status vsg_hist_hgrm(const struct vsg_hist *h, char **text)
{
    char *buffer = NULL;
    size_t size = 0;
    double mean_ns, sd_ns;
    uint64_t max_ps;
    FILE *f;
    int failed;

    if (h->count == 0)
        return VSG_ENODATA;
    f = open_memstream(&buffer, &size);
    if (!f)
        return VSG_ENOMEM;
    moments_ns(h, &mean_ns, &sd_ns);
    max_ps = h->clipped ? VSG_HIST_LIMIT_PS : vsg_hist_bucket_top_ps(h, h->used - 1);
    fprintf(f, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
    write_lines(f, h);
    fprintf(f, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", mean_ns, sd_ns);
    fprintf(f, "#[Max     = %8" PRIu64 ".%03" PRIu64 ", Total count    = %12" PRIu64 "]\n",
            max_ps / 1000, max_ps % 1000, h->count);
    fprintf(f, "#[Buckets = %12u, SubBuckets     = %12u]\n", LIMIT_BIT - h->sub_bits + 1,
            1u << h->sub_bits);
    if (h->clipped)
        fprintf(f, "#[Clipped = %12" PRIu64 ", counted as the limit]\n", h->clipped);
    failed = ferror(f);
    if (fclose(f) != 0 || failed) { /* a memory stream fails for want of memory only */
        free(buffer);
        return VSG_ENOMEM;
    }
    *text = buffer;
    return VSG_OK;
}
