import { randomInt } from 'node:crypto'

/**
 * Every later request of this process has a different client address, as through a proxy. So the rate limits of one
 * network do not dominate a run. Call it once.
 */
export function spreadClients(): void {
  const plain = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-for', `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`)
    return plain(input, { ...init, headers })
  }
}
