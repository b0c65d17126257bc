/* What yaml_tree.c and yaml_build.c share: making nodes in the tree's memory. */
#ifndef VSG_STUDY_YAML_BUILD_H
#define VSG_STUDY_YAML_BUILD_H

#include "study/yaml_tree.h"

struct vsg_yaml *vsg_yaml_new(void); /* empty; NULL when memory runs out */
void vsg_yaml_set_root(struct vsg_yaml *y, struct vsg_yaml_node *root);

/* Zeroed memory that lives as long as the tree, or NULL. */
void *vsg_yaml_alloc(struct vsg_yaml *y, size_t bytes);
char *vsg_yaml_strndup(struct vsg_yaml *y, const char *text, size_t size);

/* Appends a child to a list or map. Fails with VSG_ENOMEM. */
enum vsg_status vsg_yaml_append(struct vsg_yaml *y, struct vsg_yaml_node *parent,
                                struct vsg_yaml_node *child);

#endif
