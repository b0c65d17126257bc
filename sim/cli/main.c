/* vsgisim: reads the command line, calls the verb, and sees that stdout was written. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exits.h"
#include "cli/verbs.h"

enum vsg_exit vsg_exit_of(enum vsg_status status)
{
    switch (status) {
    case VSG_OK:
        return VSG_EXIT_OK;
    case VSG_ESCENARIO:
        return VSG_EXIT_SCENARIO;
    case VSG_EEXIST:
        return VSG_EXIT_IN_THE_WAY;
    case VSG_EMODEL:
        return VSG_EXIT_INTERNAL;
    default:
        return VSG_EXIT_FAILED;
    }
}

/* A file opened while 0, 1 or 2 is closed would get that number, and results would land in
 * it. A placeholder that cannot be used the right way makes every use fail with EBADF. */
static void keep_standard_numbers(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* Results that did not arrive are a failure, whatever went well before. */
static int finish_stdout(int code)
{
    if (!ferror(stdout) && fflush(stdout) == 0)
        return code;
    clearerr(stdout); /* one more try, since the reason of the first failure is lost */
    int reason = putchar('\n') == EOF || fflush(stdout) != 0 ? errno : EIO;
    if (reason == EPIPE)
        return VSG_EXIT_SIGNAL + SIGPIPE; /* ignored by our parent: as quiet as if it were not */
    fprintf(stderr, "vsgisim: standard output: %s\n", strerror(reason));
    return code == VSG_EXIT_OK || code == VSG_EXIT_APART ? VSG_EXIT_FAILED : code;
}

int main(int argc, char **argv)
{
    struct vsg_command command;
    keep_standard_numbers();
    int code = vsg_command_parse(argc, argv, &command);
    if (code == VSG_EXIT_OK) {
        if (command.value[VSG_OPT_HELP] && command.verb != VSG_VERB_HELP)
            vsg_help_verb(command.verb);
        else
            code = vsg_verb_row[command.verb].main(&command);
        code = finish_stdout(code);
    }
    vsg_command_free(&command);
    return code;
}
