import { readdirSync, readFileSync } from 'node:fs'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { openAlertStream } from '@vigia/testing/alert-stream'
import { startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'

/**
 * Two parts of the lawn of the footage's first channel. Only one man in the clip walks through them. He enters at the
 * lower right at 12.6 s and leaves at the top at about 22 s. So every round of the clip has one visit and must cause
 * one event, regardless of crashes.
 */
const LAWN = [
  [0.6, 0.88, 1, 0.88, 1, 1, 0.6, 1],
  [0.2, 0.75, 0.62, 0.75, 0.62, 0.88, 0.2, 0.88],
]
const ROUND_MS = 26_000

/** One installation with one camera on that lawn. Closed by `await using`. */
async function startWatch() {
  const recorder = await startRecorder()
  const vigia = await startInstallation()
  let api = await vigia.signIn()
  const stream = await openAlertStream(api, { todos: true })
  const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Empresa de teste' })
  const camera = await api.call<Camera>('POST', '/cameras', {
    nome: 'Gramado',
    empresa_id: empresa.id,
    rtsp_url: recorder.url(1),
  })
  // This cooldown is shorter than any restart, so that only the stored alerted tracks prevent a second event.
  const config_ia = { invasao: { resfriamento_s: 1 } }
  await api.call('PATCH', `/cameras/${camera.id}`, { zonas: LAWN, config_ia })
  const events = () => api.get<Evento[]>(`/events?camera_id=${camera.id}&limit=200`)
  return {
    vigia,
    events,
    async signInAgain() {
      api = await vigia.signIn()
    },
    /** The first candidate that reaches the cloud, verified or not. */
    firstEvent: () =>
      waitFor('the first candidate', () => [...stream.eventos, ...stream.alertas][0], {
        timeoutMs: 90_000,
        everyMs: 20,
      }),
    online: () =>
      waitFor('the camera to be online', async () => {
        const now = await api.get<Camera>(`/cameras/${camera.id}`)
        return now.status === 'online' && Date.now() - Date.parse(now.ultimo_frame_em ?? '') < 5000
      }),
    /**
     * Waits for the event of the next round: by then all events of this round have arrived. Expects one event of this
     * round, with its verdict.
     */
    async settled(first: Evento): Promise<void> {
      const sinceFirst = (evento: Evento) => Date.parse(evento.ocorrido_em) - Date.parse(first.ocorrido_em)
      const next = await waitFor(
        "the next round's event",
        async () => (await events()).find((evento) => sinceFirst(evento) > ROUND_MS - 6000 && evento.veredito !== null),
        { timeoutMs: 60_000 },
      )
      expect(sinceFirst(next)).toBeLessThan(ROUND_MS + 6000)
      const round = (await events()).filter((evento) => sinceFirst(evento) < ROUND_MS - 6000)
      expect(round.map((evento) => [evento.id, evento.veredito?.decisao])).toEqual([[first.id, 'confirmado']])
      const [edge] = await api.get<{ fila: number | null }[]>('/edges')
      expect(edge?.fila).toBe(0)
    },
    async [Symbol.asyncDispose]() {
      stream.close()
      await vigia.close()
      await recorder.close()
    },
  }
}

describe('kill -9 during an event', () => {
  it('of the capture process: it restarts and the visit causes one event', async () => {
    await using watch = await startWatch()
    const first = await watch.firstEvent()
    for (const pid of childrenOf(watch.vigia.programs.edge.pid)) process.kill(pid, 'SIGKILL')
    await watch.online()
    await watch.settled(first)
  })

  it('of the edge: it restarts and the visit causes one event', async () => {
    await using watch = await startWatch()
    const first = await watch.firstEvent()
    await watch.vigia.programs.edge.kill()
    await watch.vigia.start('edge')
    await watch.online()
    await watch.settled(first)
  })

  it('of the cloud: the event waits on the edge and arrives once', async () => {
    await using watch = await startWatch()
    await watch.online()
    await watch.vigia.programs.cloud.kill()
    const kept = () => watch.vigia.programs.edge.output().includes('"msg":"event kept"')
    await waitFor('a candidate in the outbox', kept, { timeoutMs: 90_000 })
    await watch.vigia.start('cloud')
    await watch.signInAgain()
    const alert = await waitFor('the verified event', async () =>
      (await watch.events()).find((evento) => evento.veredito !== null),
    )
    await watch.settled(alert)
  })
})

/** Process ids whose parent is `pid`. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const stat = readFileSync(`/proc/${candidate}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false // the process ended after it was listed
      }
    })
}
