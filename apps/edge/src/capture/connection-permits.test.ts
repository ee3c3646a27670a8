import { expect, it } from 'vitest'
import { createConnectionPermits, hostOf } from './connection-permits.ts'

function channel() {
  const requested: number[] = []
  const released: number[] = []
  const permits = createConnectionPermits({
    request: (ticket) => requested.push(ticket),
    release: (ticket) => released.push(ticket),
  })
  return { permits, requested, released }
}

it('waits for the grant and releases it once', async () => {
  const { permits, requested, released } = channel()
  const waiting = permits.acquire('10.0.0.5', new AbortController().signal)
  permits.granted(requested[0] ?? 0)
  const release = await waiting
  release?.()
  release?.()
  expect(released).toEqual(requested)
})

it('withdraws its request when the caller aborts', async () => {
  const { permits, requested, released } = channel()
  const abort = new AbortController()
  const waiting = permits.acquire('10.0.0.5', abort.signal)
  abort.abort()
  expect(await waiting).toBeNull()
  expect(released).toEqual(requested)
  // ignores a grant that arrives after the abort
  permits.granted(requested[0] ?? 0)
  expect(await permits.acquire('10.0.0.5', abort.signal)).toBeNull()
})

it('reads the host from an address', () => {
  expect(hostOf('rtsp://u:p%40@10.0.0.5:554/cam?channel=1')).toBe('10.0.0.5')
  expect(hostOf('não é url')).toBe('')
})
