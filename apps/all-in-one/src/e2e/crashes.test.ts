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
 * The lawn of the footage, fractions of the frame: nobody crosses it for most of the clip, then one person walks over it
 * slowly, which is one presence and must be one event whatever falls while it lasts.
 */
const LAWN = [[0.02, 0.62, 0.5, 0.75, 0.6, 0.98, 0.02, 0.98]]

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
    await api.call('PATCH', `/cameras/${camera.id}`, { zonas: LAWN })
  })
  afterEach(async () => {
    stream.close()
    await vigia.close()
    await recorder.close()
  })

  const events = () => api.get<Evento[]>(`/events?camera_id=${camera.id}&limit=200`)
  const firstEvent = () =>
    waitFor('the first candidate', () => [...stream.eventos, ...stream.alertas][0], { timeoutMs: 120_000, everyMs: 20 })
  const online = () =>
    waitFor('the camera to be online again', async () => {
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
    await vigia.startEdge()
    await online()
    await settled(first)
  })

  it('of the cloud: the event waits on the edge and arrives once', async () => {
    await online()
    await vigia.programs.cloud.kill()
    await waitFor('a candidate in the outbox', () => /"msg":"candidato/.test(vigia.programs.edge.output()), {
      timeoutMs: 120_000,
    })
    await vigia.startCloud()
    api = await vigia.signIn()
    const alert = await waitFor('the verified event', async () =>
      (await events()).find((evento) => evento.veredito !== null),
    )
    await settled(alert)
  })

  /** The event of `first` has its verdict, was stored once, and nothing else was told of the same presence. */
  async function settled(first: Evento): Promise<void> {
    const verified = await waitFor('the verdict', async () => {
      const now = await api.get<Evento>(`/events/${first.id}`)
      return now.veredito !== null && now
    })
    expect(verified.veredito?.decisao).toBe('confirmado')
    // The presence ends when the outbox is empty and nobody stands on the lawn: by then everything would have come.
    await waitFor('an empty outbox', async () => {
      const [edge] = await api.get<{ fila: number | null }[]>('/edges')
      return edge?.fila === 0
    })
    const same = (await events()).filter(
      (evento) => Math.abs(Date.parse(evento.ocorrido_em) - Date.parse(first.ocorrido_em)) < 12_000,
    )
    expect(same.map((evento) => evento.id)).toEqual([first.id])
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
