/** Datagrams that wait for an earlier one: the order of a local network is wrong by a few packets only. */
export const MAX_HELD = 64
/** Time after which a missing packet counts as lost, ms. */
const HOLD_MS = 100
/** A packet that is late by fewer numbers was counted as lost, or is a copy. Farther back the sender has restarted. */
const LATE = 256
/** Numbers before the first packet to arrive that may follow it. */
const BEFORE_FIRST = 8
/** Number of packets after which the use of sequence numbers is decided. */
const WINDOW = 64
const MIN_RTP = 12

export interface Reorder {
  /** `atMs`: arrival by `performance.now()`. */
  push(packet: Buffer, atMs: number): void
}

/**
 * Passes RTP packets on in the order of their sequence numbers (RFC 3550 5.1). A gap is passed on after HOLD_MS or
 * MAX_HELD packets. Copies and packets behind a passed gap are dropped. When more than half of 64 packets would be
 * dropped, the firmware does not number its packets, and all pass.
 */
export function createReorder(pass: (packet: Buffer) => void): Reorder {
  const held = new Map<number, Buffer>()
  let heldSinceMs = 0
  let expected: number | null = null
  let ssrc: number | null = null
  let judged = 0
  let dropped = 0
  let isNumbered = true

  function next(packet: Buffer, sequence: number): void {
    pass(packet)
    expected = (sequence + 1) & 0xffff
  }

  function passFollowing(): void {
    for (let packet = take(); packet !== null; packet = take()) pass(packet)
  }

  function take(): Buffer | null {
    if (expected === null) return null
    const packet = held.get(expected)
    if (packet === undefined) return null
    held.delete(expected)
    expected = (expected + 1) & 0xffff
    return packet
  }

  /** The gap before the nearest held packet counts as lost. */
  function skipGap(atMs: number): void {
    let nearest: number | null = null
    for (const sequence of held.keys()) if (nearest === null || aheadOf(sequence) < aheadOf(nearest)) nearest = sequence
    if (nearest === null) return
    expected = nearest
    passFollowing()
    heldSinceMs = atMs
  }

  const aheadOf = (sequence: number): number => (sequence - (expected ?? sequence)) & 0xffff

  function drain(atMs: number): void {
    while (held.size > 0) skipGap(atMs)
  }

  function judge(isDropped: boolean): void {
    judged += 1
    if (isDropped) dropped += 1
    if (judged < WINDOW) return
    isNumbered = dropped <= WINDOW / 2
    judged = 0
    dropped = 0
  }

  return {
    push(packet, atMs) {
      if (packet.length < MIN_RTP || !isNumbered) return pass(packet)
      const source = packet.readUInt32BE(8)
      if (source !== ssrc) {
        drain(atMs)
        ssrc = source
        expected = null
      }
      const sequence = packet.readUInt16BE(2)
      expected ??= (sequence - BEFORE_FIRST) & 0xffff
      const ahead = aheadOf(sequence)
      const behind = 0x1_0000 - ahead
      const isLate = ahead >= 0x8000 && behind <= LATE
      judge(isLate || held.has(sequence))
      if (isLate || held.has(sequence)) return
      if (ahead >= 0x8000) {
        drain(atMs)
        return next(packet, sequence)
      }
      if (ahead > 0) {
        if (held.size === 0) heldSinceMs = atMs
        held.set(sequence, packet)
      } else next(packet, sequence)
      const before = held.size
      passFollowing()
      if (held.size < before) heldSinceMs = atMs
      while (held.size > MAX_HELD || (held.size > 0 && atMs - heldSinceMs >= HOLD_MS)) skipGap(atMs)
    },
  }
}
