import { clientOf } from '../../../src/test/clients/client.ts'
import { type Attack, repeat } from '../attack.ts'
import { fillEvents } from '../fill-store.ts'

const EVENTS = 300_000
const READERS = 32
const DAY_MS = 86_400_000

/** The route with the highest cost in `npm run lab -- walk-reads`. */
export const slowestRoute: Attack = {
  name: '32 of the slowest route, 300,000 events',
  prepare: ({ hostile, place }) => fillEvents(place, { ...hostile, total: EVENTS }),
  start: async ({ url, token, empresaId }) => {
    const iso = (at: number) => encodeURIComponent(new Date(at).toISOString())
    const period = `inicio=${iso(Date.now() - 60 * DAY_MS)}&fim=${iso(Date.now() - 60_000)}`
    const path = `/api/v1/empresas/${empresaId}/apagamentos/contagem?${period}`
    return repeat(READERS, () => clientOf(url, token).send('GET', path))
  },
}
