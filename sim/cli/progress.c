#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)
#define FIRST_NS (SECOND_NS / 2)    /* short studies show no progress on a terminal */
#define TERMINAL_NS (SECOND_NS / 5) /* between two drawings */
#define PLAIN_NS (10 * SECOND_NS)   /* between two plain lines */

void vsg_progress_start(struct vsg_progress_line *l, const char *mode)
{
    *l = (struct vsg_progress_line){.terminal = isatty(STDERR_FILENO)};
    l->shown = mode && strcmp(mode, "auto") != 0 ? strcmp(mode, "always") == 0 : l->terminal;
    l->next_wall_ns = l->terminal ? FIRST_NS : PLAIN_NS;
}

/* 1234567 as 1,234,567. */
static void grouped(uint64_t n, char *out)
{
    char digit[24];
    int length = snprintf(digit, sizeof digit, "%" PRIu64, n);
    for (int i = 0; i < length; i++) {
        *out++ = digit[i];
        if (i + 1 < length && (length - i - 1) % 3 == 0)
            *out++ = ',';
    }
    *out = '\0';
}

/* A rate with two or three digits and its prefix: 41 M, 8.3 k. */
static void rate_text(uint64_t per_s, char *out, size_t size)
{
    static const char prefix[] = " kMG";
    uint64_t unit = 1;
    size_t i = 0;
    for (; per_s / unit >= 1000 && prefix[i + 1]; i++)
        unit *= 1000;
    if (i == 0)
        snprintf(out, size, "%" PRIu64 " ", per_s);
    else if (per_s / unit < 10)
        snprintf(out, size, "%" PRIu64 ".%" PRIu64 " %c ", per_s / unit, per_s % unit * 10 / unit,
                 prefix[i]);
    else
        snprintf(out, size, "%" PRIu64 " %c ", per_s / unit, prefix[i]);
}

static void time_text(uint64_t ns, char *out, size_t size)
{
    uint64_t s = ns / SECOND_NS;
    if (s >= 3600)
        snprintf(out, size, "%" PRIu64 " h %" PRIu64 " m", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(out, size, "%" PRIu64 " m %" PRIu64 " s", s / 60, s % 60);
    else
        snprintf(out, size, "%" PRIu64 " s", s);
}

/* "   41 M IPI/s" into text. */
static void speed_text(uint64_t count, uint64_t wall_ns, const char *unit, char *text, size_t size)
{
    char rate[32];
    /* 128 bits: IPIs times nanoseconds of a long study do not fit 64. */
    uint64_t per_s = wall_ns ? (uint64_t)((unsigned __int128)count * SECOND_NS / wall_ns) : 0;
    rate_text(per_s, rate, sizeof rate);
    snprintf(text, size, "   %s%s/s", rate, unit);
}

void vsg_progress_text(const struct vsg_progress *p, char *text, size_t size)
{
    uint32_t ended = p->done + p->failed;
    char now[32], all[32], failed[48] = "", ipis[64] = "", events[64] = "", left[64] = "";
    grouped(ended, now);
    grouped(p->total, all);
    if (p->failed)
        snprintf(failed, sizeof failed, "  %u failed", p->failed);
    if (ended > p->recalled) {
        speed_text(p->ipis, p->wall_ns, "IPI", ipis, sizeof ipis);
        speed_text(p->events, p->wall_ns, "events", events, sizeof events);
    }
    if (p->knows_left && ended < p->total) {
        char span[40];
        time_text(p->left_ns, span, sizeof span);
        snprintf(left, sizeof left, "   %s left", span);
    }
    snprintf(text, size, "[%*s/%s]%s%s%s%s", (int)strlen(all), now, all, failed, ipis, events,
             left);
}

void vsg_progress_show(struct vsg_progress_line *l, const struct vsg_progress *p)
{
    char text[200];
    bool last = p->done + p->failed == p->total;
    if (!l->shown || l->finished || (p->wall_ns < l->next_wall_ns && !last))
        return;
    l->finished = last;
    if (l->terminal && last)
        return; /* the results come next */
    l->next_wall_ns = p->wall_ns + (l->terminal ? TERMINAL_NS : PLAIN_NS);
    vsg_progress_text(p, text, sizeof text);
    fprintf(stderr, l->terminal ? "\r%s\33[K" : "%s\n", text);
    fflush(stderr);
    l->drawn = l->terminal;
}

void vsg_progress_clear(struct vsg_progress_line *l)
{
    if (l->drawn)
        fputs("\r\33[K", stderr);
    l->drawn = false;
}
