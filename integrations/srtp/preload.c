/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For programs as they are: an srtp_init that calls libsrtp's own and then installs the types. With RUNNEL_SRTP=say in the
 * environment it says on standard error how many libsrtp took. */
#include <dlfcn.h>
#include <stdio.h>

#include "types.h"

#include "runnel_libsrtp.h"

RUNNEL_API srtp_err_status_t srtp_init(void)
{
    srtp_err_status_t (*init)(void);
    void *const found = dlsym(RTLD_NEXT, "srtp_init");
    if (found == NULL)
        return srtp_err_status_init_fail;
    memcpy(&init, &found, sizeof init); /* C has no conversion between the two kinds of pointers */
    const srtp_err_status_t status = init();
    if (status != srtp_err_status_ok)
        return status;
    const int taken = runnel_srtp_install();
    const char *const say = getenv("RUNNEL_SRTP");
    if (say != NULL && strcmp(say, "say") == 0)
        fprintf(stderr, "runnel: libsrtp took %d of 6 types\n", taken);
    return status;
}
