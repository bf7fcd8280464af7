// SPDX-License-Identifier: Apache-2.0 OR MIT
/* Preloaded into a program: counts what it does to files below one folder, and lets a chosen call fail, fall short or be
 * met by a signal. It can log all of it, so that the disk can be rebuilt as it may be after a power cut, and move the clock.
 *
 * The program steers it with the functions disk_…; what they set and count is shared with the processes that it forks. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

typedef enum { NOTHING, FAIL, FULL, SHORT, SIGNAL_BEFORE, SIGNAL_AFTER } disk_kind;

/* Kinds of calls, for the log and for the caller who asks which one it was. */
typedef enum { OPEN, CREATE, WRITE, TRUNCATE, SYNC, RENAME, LINK, UNLINK, MAKE_FOLDER, CHANGE_MODE } disk_call;

typedef struct {
    char folder[PATH_MAX];
    disk_kind kind;
    int value;
    long at;
    atomic_long count;
    atomic_int hit; /* the call that it was, 1 more; 0: none */
    int log;
    long long clock_shift;
    atomic_int turn;
} disk_state;

typedef struct {
    uint32_t call, path_bytes, other_bytes, data_bytes;
    uint64_t inode, offset;
} disk_record;

/* Settings of the fault injection. */
void disk_watch(const char *folder);
void disk_plan(int kind, long at, int value);
void disk_log(int fd);
void disk_clock(long long seconds);
long disk_count(void);
int disk_hit(void);

static disk_state *shared;

__attribute__((constructor)) static void begin(void)
{
    void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    shared = memory;
    shared->log = -1;
}

/* Watches files below this folder, a path without links, from here on. */
void disk_watch(const char *folder)
{
    snprintf(shared->folder, sizeof shared->folder, "%s", folder);
    shared->kind = NOTHING;
    atomic_store(&shared->count, 0);
    atomic_store(&shared->hit, 0);
    shared->log = -1;
    shared->clock_shift = 0;
    atomic_store(&shared->turn, 0); /* a process that was killed may have had it */
}

/* FAIL: call number `at`, from 1, gives the error `value`. FULL: so does every call from there on that would take room.
 * SHORT: it writes half, and FULL follows where value is not 0. SIGNAL_…: the program gets signal `value`. */
void disk_plan(int kind, long at, int value)
{
    shared->kind = (disk_kind)kind;
    shared->at = at;
    shared->value = value;
}

void disk_log(int fd)
{
    shared->log = fd;
}

void disk_clock(long long seconds)
{
    shared->clock_shift = seconds;
}

long disk_count(void)
{
    return atomic_load(&shared->count);
}

int disk_hit(void)
{
    return atomic_load(&shared->hit);
}

static int absolute(char *out, int folder, const char *path)
{
    char base[PATH_MAX];
    if (path[0] == '/')
        return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
    if (folder == AT_FDCWD) {
        if (getcwd(base, sizeof base) == NULL)
            return 0;
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t bytes = readlink(link, base, sizeof base - 1);
        if (bytes < 0)
            return 0;
        base[bytes] = 0;
    }
    const char *rest = strncmp(path, "./", 2) == 0 ? path + 2 : path;
    if (strcmp(rest, ".") == 0)
        return snprintf(out, PATH_MAX, "%s", base) < PATH_MAX;
    return snprintf(out, PATH_MAX, "%s/%s", base, rest) < PATH_MAX;
}

static int below(const char *path)
{
    if (shared == NULL) /* other libraries begin before this one */
        return 0;
    size_t bytes = strlen(shared->folder);
    return bytes != 0 && strncmp(path, shared->folder, bytes) == 0 && (path[bytes] == '/' || path[bytes] == 0);
}

/* Tells whether fd is a file below the folder, and its kind. */
static int watched(int fd, char *path)
{
    struct stat status;
    int error = errno;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t bytes = readlink(link, path, PATH_MAX - 1);
    int found = 0;
    if (bytes > 0) {
        path[bytes] = 0;
        found = below(path) && fstat(fd, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
    }
    errno = error;
    return found;
}

static uint64_t inode_of(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

static void lock(void)
{
    while (atomic_exchange(&shared->turn, 1))
        sched_yield();
}

static void unlock(void)
{
    atomic_store(&shared->turn, 0);
}

/* One record, in the order of the calls: between lock() and unlock(). */
static void note(disk_call call, const char *path, const char *other, uint64_t inode, uint64_t offset,
                 const struct iovec *data, int pieces, size_t bytes)
{
    if (shared->log < 0)
        return;
    disk_record record = {call, (uint32_t)strlen(path), (uint32_t)strlen(other), (uint32_t)bytes, inode, offset};
    uint8_t *text = malloc(sizeof record + record.path_bytes + record.other_bytes + bytes);
    if (text == NULL)
        abort();
    uint8_t *at = text;
    memcpy(at, &record, sizeof record);
    at += sizeof record;
    memcpy(at, path, record.path_bytes);
    at += record.path_bytes;
    memcpy(at, other, record.other_bytes);
    at += record.other_bytes;
    for (int i = 0; i < pieces && bytes != 0; i++) {
        size_t n = data[i].iov_len < bytes ? data[i].iov_len : bytes;
        memcpy(at, data[i].iov_base, n);
        at += n;
        bytes -= n;
    }
    for (const uint8_t *from = text; from < at;) {
        long done = syscall(SYS_write, shared->log, from, (size_t)(at - from));
        if (done <= 0)
            abort();
        from += done;
    }
    free(text);
}

static int takes_room(disk_call call)
{
    return call != OPEN && call != SYNC && call != UNLINK && call != CHANGE_MODE;
}

typedef enum { PASS, PASS_AND_SIGNAL, HALF, NOT_AT_ALL } disk_verdict;

/* Counts a call and says what becomes of it; errno is set where nothing does. */
static disk_verdict decide(disk_call call)
{
    long number = atomic_fetch_add(&shared->count, 1) + 1;
    disk_kind kind = shared->kind;
    if (kind == NOTHING || number < shared->at)
        return PASS;
    if (number == shared->at)
        atomic_store(&shared->hit, (int)call + 1);
    if (kind == SHORT && number == shared->at && call == WRITE)
        return HALF;
    if ((kind == FAIL && number == shared->at) ||
        ((kind == FULL || (kind == SHORT && shared->value != 0)) && takes_room(call))) {
        errno = shared->value;
        return NOT_AT_ALL;
    }
    if (kind == SIGNAL_BEFORE && number == shared->at)
        raise(shared->value);
    return kind == SIGNAL_AFTER && number == shared->at ? PASS_AND_SIGNAL : PASS;
}

static void after(disk_verdict verdict)
{
    if (verdict == PASS_AND_SIGNAL) {
        int error = errno;
        raise(shared->value);
        errno = error;
    }
}

static int opened(int folder, const char *path, int flags, mode_t mode)
{
    char full[PATH_MAX];
    if (!absolute(full, folder, path) || !below(full))
        return (int)syscall(SYS_openat, folder, path, flags, mode);
    struct stat status;
    int error = errno;
    int creates = (flags & O_CREAT) != 0 && stat(full, &status) != 0;
    errno = error;
    disk_verdict verdict = decide(creates ? CREATE : OPEN);
    if (verdict == NOT_AT_ALL)
        return -1;
    lock();
    int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && creates)
        note(CREATE, full, "", inode_of(fd), 0, NULL, 0, 0);
    else if (fd >= 0 && (flags & O_TRUNC))
        note(TRUNCATE, full, "", inode_of(fd), 0, NULL, 0, 0);
    unlock();
    after(verdict);
    return fd;
}

#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                           \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }

int open(const char *path, int flags, ...)
{
    MODE_OF(flags)
    return opened(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags)
    return opened(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags)
    return opened(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags)
    return opened(folder, path, flags, mode);
}

int creat64(const char *path, mode_t mode)
{
    return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* offset -1: where the descriptor stands. */
static ssize_t written(int fd, const struct iovec *data, int pieces, off_t offset)
{
    char path[PATH_MAX];
    if (!watched(fd, path))
        return offset < 0 ? syscall(SYS_writev, fd, data, pieces) : syscall(SYS_pwritev, fd, data, pieces, offset, 0L);
    disk_verdict verdict = decide(WRITE);
    if (verdict == NOT_AT_ALL)
        return -1;
    struct iovec half = {0};
    if (verdict == HALF) {
        half = data[0];
        half.iov_len = half.iov_len > 1 ? half.iov_len / 2 : half.iov_len;
        data = &half;
        pieces = 1;
    }
    lock();
    off_t at = offset;
    if (offset < 0) {
        struct stat status;
        long flags = syscall(SYS_fcntl, fd, F_GETFL);
        at = (flags & O_APPEND) && fstat(fd, &status) == 0 ? status.st_size : lseek(fd, 0, SEEK_CUR);
    }
    ssize_t done =
        offset < 0 ? syscall(SYS_writev, fd, data, pieces) : syscall(SYS_pwritev, fd, data, pieces, offset, 0L);
    if (done > 0)
        note(WRITE, path, "", inode_of(fd), (uint64_t)at, data, pieces, (size_t)done);
    unlock();
    after(verdict);
    return done;
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    struct iovec piece = {(void *)(uintptr_t)data, bytes};
    return written(fd, &piece, 1, -1);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t offset)
{
    struct iovec piece = {(void *)(uintptr_t)data, bytes};
    return written(fd, &piece, 1, offset);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
    return pwrite64(fd, data, bytes, offset);
}

ssize_t writev(int fd, const struct iovec *data, int pieces)
{
    return written(fd, data, pieces, -1);
}

ssize_t pwritev(int fd, const struct iovec *data, int pieces, off_t offset)
{
    return written(fd, data, pieces, offset);
}

ssize_t pwritev64(int fd, const struct iovec *data, int pieces, off_t offset)
{
    return written(fd, data, pieces, offset);
}

ssize_t pwritev2(int fd, const struct iovec *data, int pieces, off_t offset, int flags)
{
    return flags ? syscall(SYS_pwritev2, fd, data, pieces, offset, 0L, flags) : written(fd, data, pieces, offset);
}

ssize_t pwritev64v2(int fd, const struct iovec *data, int pieces, off_t offset, int flags)
{
    return pwritev2(fd, data, pieces, offset, flags);
}

static int changed(int fd, disk_call call, long number, long value, long value2)
{
    char path[PATH_MAX];
    if (!watched(fd, path))
        return (int)syscall(number, fd, value, value2);
    disk_verdict verdict = decide(call);
    if (verdict == NOT_AT_ALL)
        return -1;
    lock();
    int done = (int)syscall(number, fd, value, value2);
    if (done == 0 && call != CHANGE_MODE)
        note(call, path, "", inode_of(fd), call == TRUNCATE ? (uint64_t)value : 0, NULL, 0, 0);
    unlock();
    after(verdict);
    return done;
}

int ftruncate64(int fd, off_t bytes)
{
    return changed(fd, TRUNCATE, SYS_ftruncate, bytes, 0);
}

int ftruncate(int fd, off_t bytes)
{
    return ftruncate64(fd, bytes);
}

int fsync(int fd)
{
    return changed(fd, SYNC, SYS_fsync, 0, 0);
}

int fdatasync(int fd)
{
    return changed(fd, SYNC, SYS_fdatasync, 0, 0);
}

int fchmod(int fd, mode_t mode)
{
    return changed(fd, CHANGE_MODE, SYS_fchmod, (long)mode, 0);
}

int fchown(int fd, uid_t owner, gid_t group)
{
    return changed(fd, CHANGE_MODE, SYS_fchown, (long)owner, (long)group);
}

/* A call that gives or takes a name. */
static int named(disk_call call, int folder, const char *path, int folder2, const char *other, long number, long value)
{
    char full[PATH_MAX], full2[PATH_MAX] = "";
    int ours = absolute(full, folder, path) && below(full);
    if (other != NULL && absolute(full2, folder2, other))
        ours |= below(full2);
    disk_verdict verdict = ours ? decide(call) : PASS;
    if (verdict == NOT_AT_ALL)
        return -1;
    if (ours)
        lock();
    int done = other == NULL ? (int)syscall(number, folder, path, value)
                             : (int)syscall(number, folder, path, folder2, other, value);
    if (ours) {
        struct stat status = {0};
        int error = errno;
        if (done == 0 && call == LINK && stat(full2, &status) != 0)
            abort();
        if (done == 0)
            note(call, full, full2, status.st_ino, 0, NULL, 0, 0);
        unlock();
        errno = error;
        after(verdict);
    }
    return done;
}

int rename(const char *path, const char *other)
{
    return named(RENAME, AT_FDCWD, path, AT_FDCWD, other, SYS_renameat2, 0);
}

int renameat(int folder, const char *path, int folder2, const char *other)
{
    return named(RENAME, folder, path, folder2, other, SYS_renameat2, 0);
}

int link(const char *path, const char *other)
{
    return named(LINK, AT_FDCWD, path, AT_FDCWD, other, SYS_linkat, 0);
}

int linkat(int folder, const char *path, int folder2, const char *other, int flags)
{
    return named(LINK, folder, path, folder2, other, SYS_linkat, flags);
}

int unlink(const char *path)
{
    return named(UNLINK, AT_FDCWD, path, 0, NULL, SYS_unlinkat, 0);
}

int unlinkat(int folder, const char *path, int flags)
{
    return named(UNLINK, folder, path, 0, NULL, SYS_unlinkat, flags);
}

int mkdir(const char *path, mode_t mode)
{
    return named(MAKE_FOLDER, AT_FDCWD, path, 0, NULL, SYS_mkdirat, (long)mode);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    return named(MAKE_FOLDER, folder, path, 0, NULL, SYS_mkdirat, (long)mode);
}

/* The clock on the wall. */

int clock_gettime(clockid_t clock, struct timespec *now)
{
    long done = syscall(SYS_clock_gettime, clock, now);
    if (done == 0 && clock == CLOCK_REALTIME && shared != NULL)
        now->tv_sec += (time_t)shared->clock_shift;
    return (int)done;
}

time_t time(time_t *out)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact = {0};
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}
