/* interconnect.platform: a platform of SimGrid that the user wrote. SimGrid itself reads it when
 * the routes are asked for; here it is only fetched. */
#include "study/scenario_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PLATFORM_BYTES_MAX = 4 << 20 };

bool vsg_find_platform(struct vsg_yaml_node *root, const char *folder, char **owned)
{
    struct vsg_yaml_node *file = vsg_yaml_at(root, "interconnect.platform.file");

    *owned = NULL;
    if (!file || file->kind != VSG_YAML_SCALAR || !folder || file->text[0] == '/' ||
        file->text[0] == '\0')
        return true;
    size_t room = strlen(folder) + strlen(file->text) + 2;
    char *path = malloc(room);
    if (!path)
        return false;
    size_t n = strlen(folder);
    snprintf(path, room, "%s%s%s", folder, n && folder[n - 1] != '/' ? "/" : "", file->text);
    file->text = path;
    *owned = path;
    return true;
}

/* The file's text, malloc'ed, or NULL and *why. */
static char *read_text(const char *path, const char **why)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        *why = strerror(errno);
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        *why = "it is not a plain file";
        return NULL;
    }
    FILE *f = fopen(path, "rb");
    if (!f) {
        *why = strerror(errno);
        return NULL;
    }
    char *text = malloc((size_t)PLATFORM_BYTES_MAX + 2);
    size_t n = text ? fread(text, 1, (size_t)PLATFORM_BYTES_MAX + 1, f) : 0;
    *why = !text                    ? "memory ran out"
           : ferror(f)              ? "it cannot be read"
           : n > PLATFORM_BYTES_MAX ? "it is larger than 4 MiB"
           : memchr(text, '\0', n)  ? "it holds NUL bytes; a platform is XML text"
                                    : NULL;
    fclose(f);
    if (*why) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

/* Resolved scenarios hold the text, so it must be what a scenario may hold. */
static bool is_text(const char *text)
{
    struct vsg_diag unseen = VSG_DIAG_INIT;
    bool ok = vsg_yaml_check_text(text, strlen(text), &unseen) == VSG_OK;
    vsg_diag_clear(&unseen);
    return ok;
}

static bool fetch(struct vsg_reader *r, const struct vsg_yaml_node *node,
                  struct vsg_platform_config *p)
{
    const struct vsg_yaml_node *file = vsg_yaml_get(node, "file"), *xml = vsg_yaml_get(node, "xml");
    const char *why;

    if (file && xml) {
        vsg_wrong_key(r, xml, "file and xml are two ways to give the platform; keep one");
        return false;
    }
    if (!file && !xml) {
        vsg_wrong(r, node, "key 'file' is missing: the platform's XML file");
        return false;
    }
    if (xml)
        return true; /* read with the section */
    if (!vsg_expect(r, file, VSG_YAML_SCALAR, vsg_param_child("interconnect.platform", "file")))
        return false;
    free(p->xml);
    p->xml = read_text(file->text, &why);
    if (p->xml && !is_text(p->xml)) {
        why = "it is not XML text in UTF-8 without control characters";
        free(p->xml);
        p->xml = NULL;
    }
    if (!p->xml)
        vsg_wrong(r, file, "'%s' cannot be used: %s", file->text, why);
    return p->xml != NULL;
}

void vsg_drop_platform(struct vsg_platform_config *p)
{
    uint64_t second_ps = p->second_ps; /* its default stays */

    free(p->xml);
    for (uint32_t i = 0; i < p->host_count; i++)
        free(p->host[i]);
    free(p->host);
    *p = (struct vsg_platform_config){.second_ps = second_ps};
}

bool vsg_read_platform(struct vsg_reader *r, const struct vsg_yaml_node *node,
                       struct vsg_platform_config *p, uint32_t nodes)
{
    const struct vsg_yaml_node *list = vsg_yaml_get(node, "nodes");
    char where[VSG_WHERE_TEXT];
    bool ok = fetch(r, node, p);

    if (!list) {
        vsg_wrong(r, node,
                  "key 'nodes' is missing: the names of the platform's hosts that are the "
                  "nodes, in their order");
        return false;
    }
    if (list->count != nodes) {
        vsg_wrong(r, list, "%u hosts; machine.nodes is %u%s, one host for each is needed",
                  list->count, nodes,
                  vsg_where(vsg_yaml_at(r->root, "machine.nodes"), where, sizeof where));
        ok = false;
    }
    for (uint32_t i = 0; i < p->host_count && i < list->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(p->host[i], p->host[k]) == 0) {
                vsg_wrong(r, list->child[i], "host '%.60s' is node %u already", p->host[i], k);
                ok = false;
                break;
            }
    return ok;
}
