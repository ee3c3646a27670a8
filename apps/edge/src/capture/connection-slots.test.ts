import { expect, it } from 'vitest'
import { createConnectionSlots, createProbeSlots, hostOf } from './connection-slots.ts'

function channel() {
  const sent: string[] = []
  const slots = createConnectionSlots({
    request: (ticket, host, use) => sent.push(`request ${ticket} ${host} ${use}`),
    opened: (ticket) => sent.push(`opened ${ticket}`),
    release: (ticket) => sent.push(`release ${ticket}`),
  })
  const acquire = (signal: AbortSignal) => slots.acquire({ host: '10.0.0.5', use: 'live', signal })
  return { slots, sent, acquire }
}

it('waits for the grant, reports the open connection and releases it once', async () => {
  const { slots, sent, acquire } = channel()
  const waiting = acquire(new AbortController().signal)
  slots.receive({ kind: 'granted', ticket: 1 })
  const slot = await waiting
  slot?.opened()
  slot?.release()
  slot?.release()
  slot?.opened()
  expect(sent).toEqual(['request 1 10.0.0.5 live', 'opened 1', 'release 1'])
})

it('aborts `revoked` when the connection must end', async () => {
  const { slots, acquire } = channel()
  const waiting = acquire(new AbortController().signal)
  slots.receive({ kind: 'granted', ticket: 1 })
  const slot = await waiting
  expect(slot?.revoked.aborted).toBe(false)
  slots.receive({ kind: 'revoked', ticket: 1 })
  expect(slot?.revoked.aborted).toBe(true)
})

it('withdraws its request when the caller aborts', async () => {
  const { slots, sent, acquire } = channel()
  const abort = new AbortController()
  const waiting = acquire(abort.signal)
  abort.abort()
  expect(await waiting).toBeNull()
  expect(sent).toEqual(['request 1 10.0.0.5 live', 'release 1'])
  // ignores a grant that arrives after the abort
  slots.receive({ kind: 'granted', ticket: 1 })
  expect(await acquire(abort.signal)).toBeNull()
})

it('ends a probe of a stream of a recorder at its limit, and counts no HTTP request as a stream', async () => {
  const { slots, sent } = channel()
  const probes = createProbeSlots(slots)
  const { signal } = new AbortController()
  const stream = probes.acquire('rtsp://10.0.0.5/1', signal)
  slots.receive({ kind: 'full', ticket: 1 })
  expect(await stream).toBeNull()
  const http = probes.acquire('http://10.0.0.5/', signal)
  slots.receive({ kind: 'granted', ticket: 2 })
  ;(await http)?.()
  expect(sent).toEqual(['request 1 10.0.0.5 request', 'release 1', 'request 2 10.0.0.5 http', 'release 2'])
})

it('reads the host from an address', () => {
  expect(hostOf('rtsp://u:p%40@10.0.0.5:554/cam?channel=1')).toBe('10.0.0.5')
  expect(hostOf('não é url')).toBe('')
})
