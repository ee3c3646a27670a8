import { setTimeout as delay } from 'node:timers/promises'
import type { Evento } from '@vigia/contracts/eventos'
import { iou } from '@vigia/ias/geometry'
import { type Api, listEventos } from '@vigia/testing/api'
import { startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { openStill } from '@vigia/video/testing/still'
import { type LabelledFrame, nearestFrame, thumbnailOf } from './label-footage.ts'

interface LabelledFile {
  readonly file: string
  readonly frames: readonly LabelledFrame[]
}

export interface RefutedEvento {
  readonly evento: Evento
  /** JPEG of the whole frame. */
  readonly frame: Buffer
  /** Whether one of its boxes shows a person of the labels. */
  readonly showsPerson: boolean
}

const SAME_PERSON_IOU = 0.3
const REPORT_EVERY_MS = 1_000

/** Runs cloud, edge, broker and recorder with one camera per file, and checks the refuted events against the labels. */
export async function runDemonstration(
  files: readonly LabelledFile[],
  lengthMs: number,
  onProgress: (doneMs: number) => void,
): Promise<{ readonly eventos: readonly Evento[]; readonly refuted: readonly RefutedEvento[] }> {
  const [vigia, recorder] = await Promise.all([
    startInstallation(),
    startRecorder({ canais: files.map(({ file }) => file) }),
  ])
  try {
    const operator = await vigia.signIn()
    const { id: empresa_id } = await operator.call<{ id: number }>('POST', '/empresas', { nome: 'Demonstração' })
    const framesOf = new Map<number, readonly LabelledFrame[]>()
    for (const [index, { frames }] of files.entries()) {
      const body = { nome: `Campus ${index + 1}`, empresa_id, rtsp_url: recorder.url(index + 1) }
      const { id } = await operator.call<{ id: number }>('POST', '/cameras', body)
      framesOf.set(id, frames)
    }
    const startedAt = performance.now()
    for (let doneMs = 0; doneMs < lengthMs; doneMs = performance.now() - startedAt) {
      onProgress(doneMs)
      await delay(Math.min(REPORT_EVERY_MS, lengthMs - doneMs))
    }
    await recorder.kill()
    const noneLeft = async () => (await operator.get<Evento[]>('/events?veredito=pendente&limit=1')).length === 0
    await waitFor('every verdict', noneLeft, { timeoutMs: 120_000 })
    const eventos = await listEventos(operator)
    const refuted: RefutedEvento[] = []
    for (const evento of eventos.filter(({ veredito }) => veredito?.decisao === 'refutado')) {
      const frame = await wholeFrame(operator, evento)
      refuted.push({
        evento,
        frame,
        showsPerson: await showsPerson(evento, frame, framesOf.get(evento.camera_id) ?? []),
      })
    }
    return { eventos, refuted }
  } finally {
    await vigia.close()
    await recorder.close()
  }
}

async function wholeFrame(api: Api, { id }: Evento): Promise<Buffer> {
  const answer = await api.fetch(`/crops/${id}?imagem=quadro`)
  if (!answer.ok) throw new Error(`picture of event ${id}: HTTP ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

async function showsPerson({ id, caixas }: Evento, jpeg: Buffer, frames: readonly LabelledFrame[]): Promise<boolean> {
  const still = await openStill(jpeg)
  if (!still) throw new Error(`picture of event ${id} is unreadable`)
  const thumbnail = await thumbnailOf(still.frame).finally(() => still.release())
  const people = nearestFrame(frames, thumbnail)?.people ?? []
  return caixas.some((caixa) => people.some((person) => iou(caixa, person) >= SAME_PERSON_IOU))
}
