/* A scenario file as a tree of nodes that know where they stand in the text.
 *
 * Reads one YAML document and refuses what libyaml lets through but a scenario
 * has no use for, or what would be read differently by another YAML reader:
 * an empty file, a second document, duplicate keys, `<<` merges, tags, cyclic or
 * exploding aliases, nesting deeper than VSG_YAML_DEPTH_MAX, NUL bytes, UTF-16,
 * binary. Aliases of finished nodes are copied in place.
 *
 * Positions count lines and columns from 1; a column is a character of the
 * line, as editors count. Nodes live as long as their tree. Not thread-safe. */
#ifndef VSG_STUDY_YAML_TREE_H
#define VSG_STUDY_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/diag.h"
#include "engine/status.h"

#define VSG_YAML_BYTES_MAX ((size_t)16 << 20) /* size of a scenario file */
#define VSG_YAML_DEPTH_MAX 64                 /* lists and maps inside each other */
#define VSG_YAML_COPIES_MAX 100000            /* nodes that all aliases together may add */
#define VSG_YAML_ANCHORS_MAX 1000
#define VSG_YAML_ERRORS_MAX 1000 /* told of one file; a note says that there are more */

enum vsg_yaml_kind { VSG_YAML_SCALAR, VSG_YAML_LIST, VSG_YAML_MAP };

struct vsg_yaml_node {
    enum vsg_yaml_kind kind;
    bool quoted;                  /* a scalar in quotes, or a block scalar */
    struct vsg_pos pos;           /* of the value; line 0: from --set, or made up */
    struct vsg_pos key_pos;       /* of the key in front of it; line 0: none */
    const char *setting;          /* "KEY=VALUE" of the --set it comes from, else NULL */
    const char *key;              /* in a map: its key; in a list: NULL */
    const char *text;             /* of a scalar, never NULL; no NUL bytes inside */
    struct vsg_yaml_node *parent; /* NULL: the root */
    struct vsg_yaml_node **child; /* [count] of a list or map, in file order */
    uint32_t count, room;
    uint32_t index; /* among the parent's children */
};

struct vsg_yaml; /* opaque: owns all nodes */

/* Reads text[0..size). Everything wrong goes to diag. After a duplicate key, a
 * merge or a tag reading goes on without it, so that all errors can be told at
 * once: the caller must look into diag even when there is a tree. After an error
 * in the grammar itself there is none. On success *out is the caller's, to free
 * with vsg_yaml_free(). Fails with VSG_ESCENARIO or VSG_ENOMEM. */
enum vsg_status vsg_yaml_parse(const char *text, size_t size, struct vsg_yaml **out,
                               struct vsg_diag *diag);
void vsg_yaml_free(struct vsg_yaml *y); /* NULL is allowed */

/* The document's top node. Never NULL. */
struct vsg_yaml_node *vsg_yaml_root(const struct vsg_yaml *y);

/* Reads one more value, that of a --set, into the same tree's memory. setting
 * ("KEY=VALUE") must outlive the tree: every node of the value points to it, and
 * errors begin with it. Fails as vsg_yaml_parse() does. */
enum vsg_status vsg_yaml_parse_value(struct vsg_yaml *y, const char *text, const char *setting,
                                     struct vsg_yaml_node **out, struct vsg_diag *diag);

/* The child of a map with this key, or NULL; also NULL when node is NULL or no map. */
struct vsg_yaml_node *vsg_yaml_get(const struct vsg_yaml_node *node, const char *key);

/* Follows several keys in maps, separated by dots: "run.seed". NULL: not there. */
struct vsg_yaml_node *vsg_yaml_at(const struct vsg_yaml_node *node, const char *path);

/* A new empty map under `key` of a map (which must not have it). setting as above.
 * NULL when memory runs out. */
struct vsg_yaml_node *vsg_yaml_add_map(struct vsg_yaml *y, struct vsg_yaml_node *map,
                                       const char *key, const char *setting);

/* Makes value the child of a map under `key`, in the place of what was there or
 * at the end. value gets a new parent, and is no longer a child of the old one
 * as far as its path goes. Fails with VSG_ENOMEM. */
enum vsg_status vsg_yaml_put(struct vsg_yaml *y, struct vsg_yaml_node *map, const char *key,
                             struct vsg_yaml_node *value);

/* Writes the path of a node as messages show it: vms[0].placement.node. The root
 * is "". Cuts what does not fit into size bytes. Returns buffer. */
char *vsg_yaml_path(const struct vsg_yaml_node *node, char *buffer, size_t size);

/* Adds an item about a node's value (or its key, where at_key) to a diag: with its
 * position, or behind the --set that the node comes from. */
__attribute__((format(printf, 5, 6))) void vsg_yaml_say(struct vsg_diag *diag,
                                                        enum vsg_severity severity,
                                                        const struct vsg_yaml_node *node,
                                                        bool at_key, const char *format, ...);

/* True when a diag has all the errors that are told; then adds that there are more. */
bool vsg_yaml_enough(struct vsg_diag *diag);

/* Checks that text is UTF-8 without control characters. Part of vsg_yaml_parse(). */
enum vsg_status vsg_yaml_check_text(const char *text, size_t size, struct vsg_diag *diag);

#endif
