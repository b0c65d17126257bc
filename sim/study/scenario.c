#include "study/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "models/machine/machine.h"
#include "study/scenario_parts.h"

static bool read_policies(struct vsg_reader *r, struct vsg_scenario *s)
{
    const struct vsg_param *p = vsg_param_child("", "policies");
    const struct vsg_yaml_node *node = vsg_yaml_get(r->root, "policies");
    const struct vsg_yaml_node *seen[VSG_POLICY_COUNT] = {NULL};
    char where[VSG_WHERE_TEXT];
    bool ok = true;

    if (!node) {
        s->policy[0] = VSG_POLICY_GLOBAL_FIRST;
        s->policy[1] = VSG_POLICY_LOCAL;
        s->policy_count = 2;
        return true;
    }
    if (!vsg_expect(r, node, VSG_YAML_LIST, p))
        return false;
    if (node->count == 0) {
        char names[128];
        vsg_wrong(r, node, "lists no policy; there are %s",
                  vsg_param_choices_text(p, names, sizeof names));
        return false;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        uint64_t policy;
        if (!vsg_read_choice(r, node->child[i], p, &policy)) {
            ok = false;
        } else if (seen[policy]) {
            vsg_wrong(r, node->child[i], "%s is here already%s", vsg_policy_name[policy],
                      vsg_where(seen[policy], where, sizeof where));
            ok = false;
        } else {
            seen[policy] = node->child[i];
            s->policy[s->policy_count++] = (enum vsg_policy)policy;
        }
    }
    return ok;
}

/* False when memory runs out. */
static bool default_texts(struct vsg_scenario *s)
{
    if (!s->config.name)
        s->config.name = strdup("scenario");
    if (!s->study.description)
        s->study.description = strdup("");
    return s->config.name && s->study.description;
}

static bool read_all(struct vsg_reader *r, struct vsg_scenario *s)
{
    struct vsg_bases b = {{NULL}};
    b.base[VSG_IN_CONFIG] = &s->config;
    b.base[VSG_IN_STUDY] = &s->study;
    vsg_read_defaults("", &b);

    bool ok = vsg_read_section(r, r->root, "", &b);
    if (!default_texts(s))
        r->out_of_memory = true;
    bool machine_ok = vsg_read_machine(r, s);
    ok &= machine_ok;
    ok &= vsg_read_interconnect(r, s, machine_ok);
    ok &= vsg_read_section(r, vsg_yaml_get(r->root, "costs"), "costs", &b);
    ok &= vsg_read_section(r, vsg_yaml_get(r->root, "run"), "run", &b);
    ok &= vsg_read_guests(r, s, machine_ok);
    ok &= read_policies(r, s);
    return ok && !r->out_of_memory;
}

enum vsg_status vsg_scenario_read(const struct vsg_yaml_node *root, struct vsg_scenario *out,
                                  struct vsg_diag *diag, struct vsg_diag *warnings)
{
    struct vsg_reader r = {.root = root, .diag = diag, .warnings = warnings};
    struct vsg_scenario s = {0};

    if (root->kind != VSG_YAML_MAP) {
        vsg_wrong(&r, root, "a scenario is a map of keys: format, machine, vms, workload ...");
        return VSG_ESCENARIO;
    }
    if (!read_all(&r, &s)) {
        vsg_scenario_free(&s);
        return r.out_of_memory ? VSG_ENOMEM : VSG_ESCENARIO;
    }
    vsg_warn_of_idle_keys(&r, &s);
    *out = s;
    return VSG_OK;
}

void vsg_scenario_free(struct vsg_scenario *s)
{
    vsg_config_free(&s->config);
    free(s->study.description);
    free((void *)(uintptr_t)s->machine_short.probe_order);
    *s = (struct vsg_scenario){0};
}
