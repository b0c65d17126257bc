/* Man pages as scdoc(5) source: text, and the scenario reference in that form.
 * Threads  No state. */
#ifndef VSG_STUDY_SCDOC_H
#define VSG_STUDY_SCDOC_H

#include <stddef.h>
#include <stdio.h>

/* Writes size bytes of text, without line breaks of its own: what scdoc would take for markup
 * is escaped, and Markdown's `code`, **bold** (both bold here) and *emphasis* (underlined) are
 * translated. A mark that is not closed stays as it is. Errors show in the stream. */
void vsg_scdoc_text(FILE *out, const char *text, size_t size);

/* The scenario reference (vsg_reference_markdown) as the sections of a man page, from GRAMMAR
 * on: the same words, tables as indented paragraphs. malloc'ed, the caller's; NULL when memory
 * runs out. */
char *vsg_scdoc_reference(void);

#endif
