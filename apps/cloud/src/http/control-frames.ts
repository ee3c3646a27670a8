import { createUsedRate, type Rate } from '@vigia/runtime/used-rate'
import type { WebSocket } from 'ws'

/** An edge sends at most about one ping for each part of live video; a browser sends none. */
export const CONTROL_RATE: Rate = {
  recordsPerS: 128,
  burstRecords: 1_024,
  bytesPerS: 128 * 125,
  burstBytes: 1_024 * 125,
}

/**
 * Answers the pings of a client, and calls `onExcess` above CONTROL_RATE pings and pongs. Answered only while the send
 * buffer is empty: a client that pings without reading would fill the memory.
 */
export function limitControlFrames(socket: WebSocket, onExcess: () => void): void {
  const used = createUsedRate()
  const take = (data: Buffer): boolean => {
    if (socket.readyState !== socket.OPEN) return false
    const now = performance.now()
    used.charge(CONTROL_RATE, now, { records: 1, bytes: data.length })
    if (used.excessMs(CONTROL_RATE, now) === 0) return true
    onExcess()
    return false
  }
  socket.on('ping', (data) => {
    if (take(data) && socket.bufferedAmount === 0) socket.pong(data)
  })
  socket.on('pong', take)
}
