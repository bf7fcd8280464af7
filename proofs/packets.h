/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A packet's parts lie within it, and what is refused is as it was: only the job is written. */

/*@ predicate stream(runnel_srtp *s) = \valid_read(s) && \valid_read(s->profile) && s->index < 0x1000000000000 &&
      (s->kind == RUNNEL_RTP || s->kind == RUNNEL_RTCP) &&
      s->profile->rtp_tag <= 16 && s->profile->rtcp_tag <= 16; */

/*@ requires stream(s) && \valid(index) && \valid_read(p + (0 .. bytes - 1));
    requires bytes >= (s->kind == RUNNEL_RTCP ? 8 + (decrypt != 0 ? 4 + s->profile->rtcp_tag : 0) : 12);
    ensures \result == RUNNEL_OK && s->kind == RUNNEL_RTP ==> !came(s, *index);
    ensures \result == RUNNEL_OK && s->kind == RUNNEL_RTCP ==> *index < 0x80000000;
    ensures \result == RUNNEL_OK && s->kind == RUNNEL_RTCP && decrypt != 0 ==> !came(s, *index);
    assigns *index; */
static int find_index(const runnel_srtp *s, const uint8_t *p, size_t bytes, int decrypt, uint64_t *index);

/*@ requires \valid(j) && \valid_read(packet) && \valid_read(packet->stream);
    requires packet->stream->profile != \null ==> stream(packet->stream);
    requires packet->bytes <= 0x1000000000000 && \valid_read(packet->data + (0 .. packet->bytes - 1));
    requires \separated(j, packet) && \separated(j, packet->stream) && \separated(j, packet->stream->profile) &&
      \separated(j, packet->data + (0 .. packet->bytes - 1));
    ensures \result == RUNNEL_OK ==> 8 <= j->header && j->payload <= 0x100000;
    ensures \result == RUNNEL_OK && decrypt == 0 ==> j->header + j->payload == packet->bytes &&
      packet->bytes + (packet->stream->kind == RUNNEL_RTCP ? packet->stream->profile->rtcp_tag + 4 :
                                                            packet->stream->profile->rtp_tag) <= packet->room;
    ensures \result == RUNNEL_OK && decrypt != 0 ==> j->header + j->payload +
        (packet->stream->kind == RUNNEL_RTCP ? packet->stream->profile->rtcp_tag + 4 : packet->stream->profile->rtp_tag)
      == packet->bytes;
    assigns *j; */
static int prepare(job *j, runnel_srtp_packet *packet, int decrypt);
