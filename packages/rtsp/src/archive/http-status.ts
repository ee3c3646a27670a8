import { type Failed, type ProbeOptions, withContact, withSlot } from '../contact.ts'
import { exchange } from '../http-exchange.ts'

interface HttpStatus {
  readonly ok: true
  /** null: no HTTP answer. */
  readonly status: number | null
}

const ANSWER_MS = 4_000

/** Status with which a port answers a GET without a login. */
export async function httpStatus(host: string, porta: number, options: ProbeOptions): Promise<HttpStatus | Failed> {
  return await withContact<HttpStatus | Failed>(host, options, async ({ host: canonical, reach, signal, slots }) => {
    const shown = canonical.includes(':') ? `[${canonical.replace(/%.*/, '')}]` : canonical
    const request = { method: 'GET', path: '/', headers: {}, body: '', porta, host: shown, signal } as const
    for (const address of reach().addresses) {
      const exchanged = await withSlot(`http://${shown}/`, slots, signal, () =>
        exchange({ ...request, address, timeoutMs: ANSWER_MS }),
      )
      if (exchanged.kind === 'reply') return { ok: true, status: exchanged.status }
    }
    return { ok: true, status: null }
  })
}
