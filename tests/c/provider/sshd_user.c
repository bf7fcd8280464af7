/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Loaded before the C library into a server of ssh that is not installed: root's sshd wants a user "sshd", which its
 * installation makes, for the part of it that has no rights. "nobody" serves as well. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pwd.h>
#include <string.h>

struct passwd *getpwnam(const char *name)
{
    struct passwd *(*own)(const char *);
    *(void **)&own = dlsym(RTLD_NEXT, "getpwnam");
    return own(strcmp(name, "sshd") == 0 ? "nobody" : name);
}
