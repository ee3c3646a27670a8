import { randomInt } from 'node:crypto'

/**
 * Until it is disposed of, every request of this process has a different client address, as through a proxy. So the
 * rate limits of one network do not dominate a run.
 */
export function spreadClients(): Disposable {
  const plain = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-for', `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`)
    return plain(input, { ...init, headers })
  }
  return {
    [Symbol.dispose]() {
      globalThis.fetch = plain
    },
  }
}
