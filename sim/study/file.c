#include "study/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum vsg_status failed(const char *path, int error, struct vsg_diag *diag)
{
    vsg_diag_error(diag, "%s: %s", path, strerror(error));
    return VSG_EIO;
}

/* Returns 0 or the errno of what went wrong. */
static int write_whole(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        text += n;
        size -= (size_t)n;
    }
    return 0;
}

static int sync_file(int fd)
{
    /* A full or broken disk may only show here. Pipes and some file systems cannot sync. */
    return fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS ? errno : 0;
}

static int write_temporary(const char *path, const char *text, size_t size, bool sync)
{
    unlink(path); /* of a program that was killed; O_EXCL: never through a link */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = write_whole(fd, text, size);
    if (error == 0 && sync)
        error = sync_file(fd);
    if (close(fd) != 0 && error == 0 && errno != EINTR)
        error = errno;
    if (error != 0)
        unlink(path);
    return error;
}

enum vsg_status vsg_file_replace(const char *path, const char *text, size_t size,
                                 struct vsg_diag *diag)
{
    char temporary[PATH_MAX];
    int length = snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (length < 0 || (size_t)length >= sizeof temporary)
        return failed(path, ENAMETOOLONG, diag);
    int error = write_temporary(temporary, text, size, true);
    if (error == 0 && rename(temporary, path) != 0) {
        error = errno;
        unlink(temporary);
    }
    return error == 0 ? VSG_OK : failed(path, error, diag);
}

enum vsg_status vsg_file_write(const char *path, const void *bytes, size_t size,
                               struct vsg_diag *diag)
{
    int error = write_temporary(path, bytes, size, false);
    return error == 0 ? VSG_OK : failed(path, error, diag);
}

/* Reads up to the end. The size that a file system tells is only a first guess. */
static enum vsg_status read_whole(int fd, const char *path, unsigned char **bytes, size_t *size,
                                  struct vsg_diag *diag)
{
    struct stat st;
    size_t room = fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size + 2 : 4096, used = 0;
    unsigned char *all = malloc(room);
    for (;;) {
        unsigned char *grown = used + 1 < room ? all : realloc(all, room *= 2);
        if (!grown) {
            free(all);
            return VSG_ENOMEM;
        }
        all = grown;
        ssize_t n = read(fd, all + used, room - used - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(all);
            return failed(path, errno, diag);
        }
        if (n == 0)
            break;
        used += (size_t)n;
    }
    all[used] = 0;
    *bytes = all;
    *size = used;
    return VSG_OK;
}

enum vsg_status vsg_file_read(const char *path, unsigned char **bytes, size_t *size,
                              struct vsg_diag *diag)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? VSG_ENODATA : failed(path, errno, diag);
    enum vsg_status status = read_whole(fd, path, bytes, size, diag);
    close(fd);
    return status;
}

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

enum vsg_status vsg_file_make_directory(const char *path, struct vsg_diag *diag)
{
    char part[PATH_MAX];
    size_t size = strlen(path);
    if (size >= sizeof part)
        return failed(path, ENAMETOOLONG, diag);
    for (size_t i = 1; i <= size; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) == 0 || errno == EEXIST)
            continue;
        int error = errno;
        if (!is_directory(part)) /* "." or a parent that we may not write: there is one */
            return failed(part, error, diag);
    }
    return is_directory(path) ? VSG_OK : failed(path, ENOTDIR, diag);
}

enum vsg_status vsg_file_remove(const char *path, struct vsg_diag *diag)
{
    if (unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR)
        return VSG_OK;
    return failed(path, errno, diag);
}
