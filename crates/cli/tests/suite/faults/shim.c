/* A disk that fails on request: loaded before the C library (LD_PRELOAD), it refuses writes to the database's files as
 * long as the file named by FEWEST_FAULTS is there. That file says how:
 *   ENOSPC [PERCENT]   writes say that the disk is full
 *   EIO [PERCENT]      writes fail
 *   SYNC [PERCENT]     writes succeed, but flushing them to the disk fails
 * PERCENT: how many of them, by chance; all, if it is not said. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { WRITE, SYNC };

/* The error to give for this call; 0: none. */
static int fault(int fd, enum kind kind) {
    static __thread unsigned seed = 1;
    char link[64], path[4096], wish[64] = "";
    int kept = errno, error = 0, percent = 100;
    const char *name = getenv("FEWEST_FAULTS");
    if (!name) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) goto done;
    path[length] = 0;
    if (!strstr(path, "fewest.sqlite3")) goto done;
    int control = open(name, O_RDONLY | O_CLOEXEC);
    if (control < 0) goto done;
    length = read(control, wish, sizeof wish - 1);
    close(control);
    if (length <= 0) goto done;
    char word[16] = "";
    sscanf(wish, "%15s %d", word, &percent);
    if (!strcmp(word, "ENOSPC") && kind == WRITE) error = ENOSPC;
    if (!strcmp(word, "EIO") && kind == WRITE) error = EIO;
    if (!strcmp(word, "SYNC") && kind == SYNC) error = EIO;
    if (error && (int)(rand_r(&seed) % 100) >= percent) error = 0;
done:
    errno = kept;
    return error;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REFUSE(fd, kind) do { int error = fault(fd, kind); if (error) { errno = error; return -1; } } while (0)

ssize_t write(int fd, const void *bytes, size_t count) {
    static __typeof__(&write) real;
    if (!real) real = REAL(write);
    REFUSE(fd, WRITE);
    return real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    static __typeof__(&pwrite) real;
    if (!real) real = REAL(pwrite);
    REFUSE(fd, WRITE);
    return real(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    static __typeof__(&pwrite64) real;
    if (!real) real = REAL(pwrite64);
    REFUSE(fd, WRITE);
    return real(fd, bytes, count, at);
}

int ftruncate(int fd, off_t length) {
    static __typeof__(&ftruncate) real;
    if (!real) real = REAL(ftruncate);
    REFUSE(fd, WRITE);
    return real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
    static __typeof__(&ftruncate64) real;
    if (!real) real = REAL(ftruncate64);
    REFUSE(fd, WRITE);
    return real(fd, length);
}

int fsync(int fd) {
    static __typeof__(&fsync) real;
    if (!real) real = REAL(fsync);
    REFUSE(fd, SYNC);
    return real(fd);
}

int fdatasync(int fd) {
    static __typeof__(&fdatasync) real;
    if (!real) real = REAL(fdatasync);
    REFUSE(fd, SYNC);
    return real(fd);
}
