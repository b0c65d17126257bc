/* Reading a scenario's values as the parameter table describes them.
 *
 * All errors are collected; what could not be read keeps its default, and the
 * functions say so by returning false, so that a caller leaves out checks that
 * would only repeat the error. */
#ifndef VSG_STUDY_READER_H
#define VSG_STUDY_READER_H

#include "study/params.h"
#include "study/scenario.h"
#include "study/yaml_tree.h"

struct vsg_reader {
    const struct vsg_yaml_node *root;
    struct vsg_diag *diag, *warnings;
    bool out_of_memory; /* sticky */
};

/* Where the rows' fields are: base[VSG_IN_VM] points to the VM in hand. */
struct vsg_bases {
    void *base[VSG_PARAM_BASES];
};

/* Adds an error about a value or, vsg_wrong_key, about the key itself, with the
 * node's path in front. */
__attribute__((format(printf, 3, 4))) void
vsg_wrong(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *format, ...);
__attribute__((format(printf, 3, 4))) void
vsg_wrong_key(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *format, ...);

/* " (line 3)" for a node in the file, " (--set)" for one from there, "" for NULL (a default). */
const char *vsg_where(const struct vsg_yaml_node *node, char *buffer, size_t size);
#define VSG_WHERE_TEXT 32

/* Writes the defaults of all rows inside a section, subsections included, that have
 * a field in one of the bases. */
void vsg_read_defaults(const char *section, const struct vsg_bases *b);

/* Reads the keys of a map (NULL: none are given) into the fields: numbers, names,
 * lists, and subsections; leaves lists of maps, matrices and rows without a field to
 * the caller. Refuses unknown keys, missing required ones, and keys that belong to
 * another `kind`. False when anything was wrong. */
bool vsg_read_section(struct vsg_reader *r, const struct vsg_yaml_node *node, const char *section,
                      const struct vsg_bases *b);

/* Reads one value of any kind with a field. */
bool vsg_read_value(struct vsg_reader *r, const struct vsg_yaml_node *node,
                    const struct vsg_param *p, void *field);

/* Reads a time or a distribution of times. The field's old points are freed. */
bool vsg_read_dist(struct vsg_reader *r, const struct vsg_yaml_node *node,
                   const struct vsg_param *p, struct vsg_dist *field);

/* Texts that nodes of a tree point to; freed after the tree. */
struct vsg_paths {
    char **path;
    size_t count;
};

/* Makes the files of empirical distributions, in the tree below a node, relative to a folder (NULL:
 * they stay). False when memory runs out; *paths is the caller's in any case. */
bool vsg_find_measured(struct vsg_yaml_node *node, const char *folder, struct vsg_paths *paths);
void vsg_paths_free(struct vsg_paths *paths);

/* Reads a number of the row's kind and range. */
bool vsg_read_number(struct vsg_reader *r, const struct vsg_yaml_node *node,
                     const struct vsg_param *p, uint64_t *value);

/* Reads one of the row's choices. */
bool vsg_read_choice(struct vsg_reader *r, const struct vsg_yaml_node *node,
                     const struct vsg_param *p, uint64_t *value);

/* Checks that a node is a list or map; says what belongs there if not. */
bool vsg_expect(struct vsg_reader *r, const struct vsg_yaml_node *node, enum vsg_yaml_kind kind,
                const struct vsg_param *p);

/* Reads a list of maps (NULL: none) into *out[*count], malloc'ed, each of `size` bytes, with the
 * rows of section. The caller owns *out also when something was wrong. */
bool vsg_read_list(struct vsg_reader *r, const struct vsg_yaml_node *list, const char *section,
                   enum vsg_param_base base, size_t size, void **out, uint32_t *count);

/* Reads an n x n matrix of the row's numbers into value[n * n]; n is what the key n_key, given
 * at n_node (NULL: by default), says. */
bool vsg_read_square(struct vsg_reader *r, const struct vsg_yaml_node *node,
                     const struct vsg_param *p, uint32_t n, const char *n_key,
                     const struct vsg_yaml_node *n_node, uint64_t *value);

#endif
