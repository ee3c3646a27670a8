import { readdirSync, readFileSync } from 'node:fs'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { type AlertStream, openAlertStream } from '@vigia/testing/alert-stream'
import type { Api } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/**
 * Two parts of the lawn of the footage's first channel. Of everybody in the clip one man alone walks through them: he comes
 * in at the lower right 12.6 s after the clip's beginning and leaves over the upper edge at about 22 s. So every round of the
 * clip is one presence and must be one event, whatever falls while it lasts.
 */
const LAWN = [
  [0.6, 0.88, 1, 0.88, 1, 1, 0.6, 1],
  [0.2, 0.75, 0.62, 0.75, 0.62, 0.88, 0.2, 0.88],
]
const ROUND_MS = 26_000

describe('kill -9 during an event', () => {
  let recorder: RecorderProcess
  let vigia: Installation
  let api: Api
  let stream: AlertStream
  let camera: Camera

  beforeEach(async () => {
    recorder = await startRecorder()
    vigia = await startInstallation()
    api = await vigia.signIn()
    stream = await openAlertStream(api, { todos: true })
    const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Empresa de teste' })
    camera = await api.call<Camera>('POST', '/cameras', {
      nome: 'Gramado',
      empresa_id: empresa.id,
      rtsp_url: recorder.url(1),
    })
    // A cooldown shorter than any restart: only the memory of who was alerted keeps the event from coming twice.
    const config_ia = { invasao: { resfriamento_s: 1 } }
    await api.call('PATCH', `/cameras/${camera.id}`, { zonas: LAWN, config_ia })
  })
  afterEach(async () => {
    stream.close()
    await vigia.close()
    await recorder.close()
  })

  const events = () => api.get<Evento[]>(`/events?camera_id=${camera.id}&limit=200`)
  /** The first candidate that the cloud hears of, verified or not. */
  const firstEvent = () =>
    waitFor('the first candidate', () => [...stream.eventos, ...stream.alertas][0], { timeoutMs: 90_000, everyMs: 20 })
  const online = () =>
    waitFor('the camera to be online', async () => {
      const now = await api.get<Camera>(`/cameras/${camera.id}`)
      return now.status === 'online' && Date.now() - Date.parse(now.ultimo_frame_em ?? '') < 5000
    })

  it('of the capture process: it comes back and the presence is one event', async () => {
    const first = await firstEvent()
    for (const pid of childrenOf(vigia.programs.edge.pid)) process.kill(pid, 'SIGKILL')
    await online()
    await settled(first)
  })

  it('of the edge: it comes back and the presence is one event', async () => {
    const first = await firstEvent()
    await vigia.programs.edge.kill()
    await vigia.start('edge')
    await online()
    await settled(first)
  })

  it('of the cloud: the event waits on the edge and arrives once', async () => {
    await online()
    await vigia.programs.cloud.kill()
    const kept = () => vigia.programs.edge.output().includes('"msg":"event kept"')
    await waitFor('a candidate in the outbox', kept, { timeoutMs: 90_000 })
    await vigia.start('cloud')
    api = await vigia.signIn()
    const alert = await waitFor('the verified event', async () =>
      (await events()).find((evento) => evento.veredito !== null),
    )
    await settled(alert)
  })

  /**
   * Watches until the next round's presence has been told of: by then everything of this round would have come. Of this
   * round there is one event, and it has its verdict.
   */
  async function settled(first: Evento): Promise<void> {
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
  }
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
        return false // ended between the listing and the reading
      }
    })
}
