#include "study/yaml_tree.h"

#include <string.h>

/* The length of the UTF-8 character at s, or 0 when it is none: a wrong or cut
 * sequence, an overlong form, a surrogate, above U+10FFFF (RFC 3629). */
static size_t utf8_length(const unsigned char *s, size_t left)
{
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    bool beyond = s[0] == 0xf4 && s[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : n;
}

enum vsg_status vsg_yaml_check_text(const char *text, size_t size, struct vsg_diag *diag)
{
    const unsigned char *s = (const unsigned char *)text;
    struct vsg_pos pos = {.line = 1, .column = 1, .length = 1};

    if (size > VSG_YAML_BYTES_MAX) {
        vsg_diag_error(diag, "the file has %zu bytes; a scenario has at most %zu (16 MiB)", size,
                       VSG_YAML_BYTES_MAX);
        return VSG_ESCENARIO;
    }
    if (size >= 2 && ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff))) {
        vsg_diag_add(diag, VSG_ERROR, &pos,
                     "the file is UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
        return VSG_ESCENARIO;
    }
    size_t i = size >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size) {
        size_t n = utf8_length(s + i, size - i);
        if (n == 0) {
            vsg_diag_add(diag, VSG_ERROR, &pos,
                         "byte 0x%02x is not UTF-8; a scenario is UTF-8 text", s[i]);
            return VSG_ESCENARIO;
        }
        if (s[i] == 0) {
            vsg_diag_add(diag, VSG_ERROR, &pos,
                         "NUL byte: this is a binary file or UTF-16; a scenario is UTF-8 text");
            return VSG_ESCENARIO;
        }
        if ((s[i] < 0x20 && s[i] != '\t' && s[i] != '\n' && s[i] != '\r') || s[i] == 0x7f) {
            vsg_diag_add(diag, VSG_ERROR, &pos,
                         "control character 0x%02x; a scenario is plain UTF-8 text", s[i]);
            return VSG_ESCENARIO;
        }
        if (s[i] == '\n') {
            pos.line++;
            pos.column = 1;
        } else {
            pos.column++;
        }
        i += n;
    }
    return VSG_OK;
}
