import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Evento } from '@vigia/contracts/eventos'
import type { Passagem } from '@vigia/contracts/passagens'
import { openAlertStream } from '@vigia/testing/alert-stream'
import type { Api } from '@vigia/testing/api'
import { startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import { percentile } from '@vigia/testing/stats'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { TrialOutput } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'
import { readPlateLabels } from '../eval/modo-b/plate-labels.ts'
import { childrenOf, cpuSeconds } from '../load/processes.ts'
import { orderOfPassages } from './order-of-passages.ts'
import { writeRoadFootage } from './road-footage.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

const CARS = 30
const START_MS = 180_000
const PAGE = 200

interface Road {
  readonly dataDir: string
  readonly cameras: number
  readonly minutes: number
  /** Time that a car takes to cross, in seconds. */
  readonly carS: number
}

/** Plays the cars and compares the passages, alerts and webhooks with them. */
export async function measureRoad({ dataDir, cameras, minutes, carS }: Road, onProgress: TrialOutput['progress']) {
  const dir = temporaryFolder('vigia-road-')
  const footage = join(dir, 'road.mp4')
  const labels = (await readPlateLabels(join(dataDir, 'plates'))).slice(0, CARS)
  const cars = labels.map(({ shown }) => shown)
  await writeRoadFootage(footage, labels, carS)
  const [recorder, vigia, receiver] = await Promise.all([
    startRecorder({ canais: Array.from({ length: cameras }, () => `${footage},${footage}`) }),
    startInstallation({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' }),
    startWebhookReceiver(),
  ])
  const api = await vigia.signIn()
  const arrived = new Map<number, { readonly evento: Evento; readonly atMs: number }>()
  const stream = await openAlertStream(api)
  const watch = setInterval(() => {
    const atMs = Date.now()
    for (const evento of stream.alertas.slice(arrived.size)) arrived.set(evento.id, { evento, atMs })
  }, 5)
  try {
    const { id } = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Portaria' })
    for (const placa of cars) await api.call('POST', '/placas', { placa, lista: 'permitida', empresa_id: id })
    await api.call('POST', '/notificacoes', { empresa_id: id, tipo: 'webhook', destino: receiver.url })
    const ids = []
    for (let n = 1; n <= cameras; n++) ids.push(await addCamera(api, id, n, recorder.url(n)))
    await waitFor('the first alert', () => arrived.size > 0, { timeoutMs: START_MS })

    const from = Date.now()
    const cpuBefore = cpuOf(vigia.programs.edge.pid)
    for (let second = 0; second < minutes * 60; second++) {
      onProgress(second / (minutes * 60), `${arrived.size} alertas`)
      await delay(1_000)
    }
    const to = Date.now()
    const cpu = cpuOf(vigia.programs.edge.pid) - cpuBefore
    // A passage of the last seconds is complete when its car has left.
    await delay(5 * carS * 1_000)

    const passages = (await readPassages(api)).filter(({ inicio }) => isWithin(Date.parse(inicio), from, to))
    const orders = ids.map((camera) =>
      orderOfPassages(
        cars,
        passages
          .filter(({ camera_id }) => camera_id === camera)
          .map(({ placa, inicio, fim }) => ({
            placa,
            inicio: Date.parse(inicio),
            fim: fim === null ? null : Date.parse(fim),
          })),
      ),
    )
    const sum = (of: (one: (typeof orders)[number]) => number) => orders.reduce((all, one) => all + of(one), 0)
    const begun = new Map(passages.map((one) => [one.id, Date.parse(one.inicio)]))
    const sse: number[] = []
    const webhook: number[] = []
    for (const { evento, atMs } of arrived.values()) {
      const start = begun.get(Number(evento.detalhes.passagem_id))
      if (start === undefined) continue
      sse.push(atMs - start)
      webhook.push((receiver.arrived.get(evento.id) ?? Number.POSITIVE_INFINITY) - start)
    }
    const counted = sum((one) => one.passages)
    return {
      cameras,
      minutes,
      cars_per_s: rounded(cameras / carS),
      passages: counted,
      lost: sum((one) => one.lost),
      doubled: sum((one) => one.doubled),
      unread: sum((one) => one.unread),
      sse_p50_ms: percentile(sse, 0.5),
      sse_p99_ms: percentile(sse, 0.99),
      webhook_p50_ms: percentile(webhook, 0.5),
      webhook_p99_ms: percentile(webhook, 0.99),
      cores_edge: rounded(cpu / ((to - from) / 1_000)),
      core_s_per_passage: rounded(cpu / Math.max(1, counted)),
    }
  } finally {
    clearInterval(watch)
    stream.close()
    await vigia.close()
    await Promise.all([recorder.close(), receiver.close()])
    await rm(dir, { recursive: true, force: true })
  }
}

async function addCamera(api: Api, empresaId: number, n: number, url: string): Promise<number> {
  const camera = { nome: `Portão ${n}`, empresa_id: empresaId, rtsp_url: url, eventos_habilitados: [] }
  const { id } = await api.call<{ id: number }>('POST', '/cameras', camera)
  const linha = [
    [0.5, 0],
    [0.5, 1],
  ]
  await api.call('PATCH', `/cameras/${id}`, { linha, modo_b_config: { ativo: true, alertar_permitidas: true } })
  return id
}

/** All passages, oldest first. */
async function readPassages(api: Api): Promise<Passagem[]> {
  const all: Passagem[] = []
  for (;;) {
    const page = await api.get<Passagem[]>(`/passagens?limit=${PAGE}&offset=${all.length}`)
    all.push(...page)
    if (page.length < PAGE) return all.sort((a, b) => Date.parse(a.inicio) - Date.parse(b.inicio))
  }
}

const isWithin = (at: number, from: number, to: number): boolean => at >= from && at < to

/** CPU time of the edge and its capture processes, in s. */
const cpuOf = (pid: number): number => [pid, ...childrenOf(pid)].reduce((all, one) => all + cpuSeconds(one), 0)

/** To two digits. */
const rounded = (value: number): number => Math.round(value * 100) / 100
