import { setTimeout as delay } from 'node:timers/promises'
import type { Camera } from '@vigia/contracts/cameras'
import type { Edge } from '@vigia/contracts/edges'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { type Api, listEventos } from '@vigia/testing/api'
import { startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'
import type { z } from 'zod'
import { isWhole, type Outcome, outcomeOf } from './outcome.ts'
import type trial from './trial.ts'

const START_MS = 120_000
/** Upload of the clips after the outage. */
const SETTLE_MS = 15 * 60_000
/** An edge reports its outbox every 5 s (`RELATO_S`): a report this long after the outage is a new one. */
const REPORT_MS = 30_000

/** Starts a recorder with an installation, and reads the outcome of each event of the outage. */
export async function carryOut({ minutes }: z.output<typeof trial.options>, { print }: TrialOutput): Promise<Result> {
  const [recorder, vigia] = await Promise.all([startRecorder(), startInstallation()])
  try {
    const api = await vigia.signIn()
    const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Queda' })
    await api.call<Camera>('POST', '/cameras', {
      nome: 'Pátio',
      empresa_id: empresa.id,
      rtsp_url: recorder.url(1),
      sub_rtsp_url: recorder.url(1, 'sub'),
    })
    await waitFor('the first event', async () => (await listEventos(api)).length > 0, { timeoutMs: START_MS })

    const from = Date.now()
    await Promise.all([vigia.programs.cloud.kill(), vigia.programs.broker.kill()])
    await delay(minutes * 60_000)
    const to = Date.now()
    await Promise.all([vigia.start('broker'), vigia.start('cloud')])
    const again = await vigia.signIn()

    const settled = await waitFor('an outcome of each event', () => readSettled(again, from, to), {
      timeoutMs: SETTLE_MS,
      everyMs: 2_000,
    }).catch(() => null)
    const settledMs = Date.now() - to
    const outcomes = settled ?? (await readOutcomes(again, from, to))
    if (outcomes.length === 0) throw new Error('The cloud has no event of the outage.')
    const count: Record<Outcome, number> = { stored: 0, held: 0, reason: 0, lost: 0 }
    for (const { evento, outcome } of outcomes) {
      const isBroken = outcome === 'stored' && !(await isWhole(again, evento, vigia.dataDir))
      count[isBroken ? 'lost' : (outcome ?? 'lost')] += 1
    }
    print(
      `minutes=${minutes} events=${outcomes.length} stored=${count.stored} held=${count.held} reason=${count.reason} ` +
        `settled_s=${Math.round(settledMs / 1_000)} clips_lost=${count.lost}`,
    )
    return { passed: settled !== null && count.lost === 0 }
  } finally {
    await vigia.close()
    await recorder.close()
  }
}

/** Outcomes of the events of the outage; null: the edge still holds some of them, or some have none yet. */
async function readSettled(api: Api, from: number, to: number) {
  const [edge] = await api.get<Edge[]>('/edges')
  if (edge?.fila !== 0 || Date.parse(edge.visto_em ?? '') < to + REPORT_MS) return null
  const outcomes = await readOutcomes(api, from, to)
  return outcomes.every(({ outcome }) => outcome !== null) && outcomes
}

async function readOutcomes(api: Api, from: number, to: number) {
  const outcomes: { readonly evento: EventoDetalhe; readonly outcome: Outcome | null }[] = []
  for (const { id, ocorrido_em } of await listEventos(api)) {
    const at = Date.parse(ocorrido_em)
    if (at <= from || at >= to) continue
    const evento = await api.get<EventoDetalhe>(`/events/${id}`)
    outcomes.push({ evento, outcome: outcomeOf(evento, evento.veredito?.decisao === 'refutado') })
  }
  return outcomes
}
