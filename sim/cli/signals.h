/* SIGINT and SIGTERM ask a study to end: workers stop, finished runs stay valid. A second one
 * ends the program at once. */
#ifndef VSG_CLI_SIGNALS_H
#define VSG_CLI_SIGNALS_H

#include <signal.h>

/* 0, then the number of the signal that came. */
extern volatile sig_atomic_t vsg_signal_came;

/* SIGUSR1 asks for the progress once: set by it, cleared by who shows it. */
extern volatile sig_atomic_t vsg_signal_tell;

/* Catches SIGUSR1 alone. */
void vsg_signal_tell_catch(void);

/* Installs the other handlers. SIGPIPE keeps its default action: a closed pipe ends quietly. */
void vsg_signals_catch(void);

#endif
