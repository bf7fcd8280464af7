/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-srtp trace WAY PROFILE SEED PACKETS | session PROFILE rtp|rtcp SSRC START KEY SALT AUTHENTICATION PACKET |
 *             derive PROFILE rtp|rtcp MASTER KEY SALT AUTHENTICATION | secrets | errors | list
 *   trace    writes what random packets become: of many lengths, with contributing sources and extensions, sequence numbers
 *            that roll over, come again, skip and go back; SRTCP between them; and, through a channel that loses, repeats,
 *            reorders and damages, what the other side makes of them. WAY: stock, types (libsrtp with our types), native,
 *            batch. Of each: a byte for the side, the result, where it is libsrtp its status, the length, the bytes
 *   session  a packet under given session keys, protected, in hexadecimal; and it comes back
 *   derive   a context from a master key protects as one from the given session keys, and none is left on the stack
 *   secrets  all profiles in both directions, in a batch too, with keys and payload marked secret (see ../secrets.h); the
 *            tool that watches says what branches or addresses depend on them. 78 if none watches
 *   errors   what calls without sense, too little room, the ends of the indices, forged packets and others do
 *   list     the profiles: name, bytes of master key and salt, of tags, and of a context
 * Status 0; 1 if something is wrong, 2 for a wrong command line. */
#include "srtp.h"

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "trace") == 0 && argc == 6) {
        trace(argv[2], argv[3], strtoull(argv[4], NULL, 0), strtoul(argv[5], NULL, 0));
    } else if (strcmp(what, "session") == 0 && argc == 10) {
        session(argv + 2);
    } else if (strcmp(what, "derive") == 0 && argc == 8) {
        derive(argv + 2);
    } else if (strcmp(what, "errors") == 0 && argc == 2) {
        errors();
#ifdef RUNNEL_TEST_SECRETS
    } else if (strcmp(what, "secrets") == 0 && argc == 2) {
        return secrets();
#endif
    } else if (strcmp(what, "list") == 0 && argc == 2) {
        for (size_t i = 0; i < runnel_srtp_profile_count(); i++) {
            const runnel_srtp_profile *p = runnel_srtp_profile_at(i);
            printf("%s %u %u %u %u %zu\n", p->name, p->key_bytes, p->salt_bytes, p->rtp_tag, p->rtcp_tag,
                   runnel_srtp_bytes(p));
        }
    } else {
        return 2;
    }
    return 0;
}
