/* Man pages, written from the tables of verbs, options and parameters. */
#ifndef VSG_CLI_MAN_H
#define VSG_CLI_MAN_H

/* Writes the source of all man pages, for scdoc(1), into a directory, made where it is not
 * there: vsgisim.1.scd, vsgisim-VERB.1.scd and vsgisim-scenario.5.scd. Returns the exit code,
 * after saying on stderr what went wrong. */
int vsg_man_write(const char *directory);

#endif
