/** Largest MQTT packet the broker takes, bytes. A broker brought by the customer must allow at least as much. */
export const MAX_PACKET_BYTES = 6 * 1024 * 1024

/** Largest message of the link (a batch, an answer, a live frame), bytes: a packet less its topic and header. */
export const MAX_RECORD_BYTES = MAX_PACKET_BYTES - 1024

/** Keep-alive of both ends, seconds: a dead connection is noticed after one and a half times this. */
export const KEEPALIVE_S = 15
