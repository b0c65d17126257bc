#include "cli/signals.h"

#include <stddef.h>

volatile sig_atomic_t vsg_signal_came;
volatile sig_atomic_t vsg_signal_tell;

static void remember(int number)
{
    vsg_signal_came = number;
}

static void tell(int number)
{
    (void)number;
    vsg_signal_tell = 1;
}

void vsg_signal_tell_catch(void)
{
    struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
}

void vsg_signals_catch(void)
{
    /* SA_RESETHAND: the second signal finds the default action. No SA_RESTART: waits end. */
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND}, old;
    const int wanted[] = {SIGINT, SIGTERM};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        /* A shell starts background jobs with SIGINT ignored: that stays so. */
        if (sigaction(wanted[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        sigaction(wanted[i], &action, NULL);
    }
}
