import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { createBus } from '../../src/adapters/bus.ts'
import { createFileMediaStore } from '../../src/adapters/media-store/file-media-store.ts'
import type { Verifier } from '../../src/adapters/verifier/interface.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createDelivery } from '../../src/domains/mensagens/notificacoes/delivery.ts'
import { ingestBatch } from '../../src/domains/operacao/ingestao/ingest-batch.ts'
import { createVerification } from '../../src/domains/operacao/verificacao/verification.ts'
import { loopbackSenders, queueBox, seedCanal } from '../../src/test/records/queue-records.ts'
import { batch, candidate, seedCamera, seedOneCamera } from '../../src/test/records/records.ts'
import { startHttpReceiver } from '../../src/test/stand-ins/http-receiver.ts'

const CAMERAS = 20
const MINUTE = 60_000
/** Canais that get each event of its own, by what they do while the verifier is down. */
const POLITICAS = ['aguardar', 'avisar'] as const
type Politica = (typeof POLITICAS)[number]

interface Options {
  readonly minutes: number
  readonly perMinute: number
  /** Concurrent requests of the verifier, and the time of each. */
  readonly atOnce: number
  readonly verifierMs: number
  /** Minutes in which the verifier is down. */
  readonly down: { readonly from: number; readonly to: number }
  /** Minutes that pass in one real minute. */
  readonly scale: number
}

/** One message at a receiver, with the time from the frame. */
interface HandedOver {
  readonly tipo: CorpoWebhook['tipo']
  readonly eventoId: number
  readonly em: number
  readonly tookMs: number
}

export interface MessagesReport {
  /** At the end of each minute: events without a verdict. */
  readonly waiting: readonly number[]
  readonly sent: number
  readonly byPolitica: Readonly<Record<Politica, readonly HandedOver[]>>
  /** Begin and end of the time in which the verifier was down. */
  readonly down: readonly [number, number]
}

/**
 * Sends events at a fixed rate through ingest, verification and delivery, by a clock that runs `scale` times as fast.
 * The time of a frame is that of the hand-over of its batch to ingest, so edge and link are not measured.
 */
export async function runMessages(options: Options): Promise<MessagesReport> {
  const { minutes, perMinute, atOnce, verifierMs, scale } = options
  const dir = temporaryFolder('vigia-ritmo-')
  const begun = Date.now()
  const clock = { now: () => begun + (Date.now() - begun) * scale }
  const down = [begun + options.down.from * MINUTE, begun + options.down.to * MINUTE] as const
  const received: Record<Politica, HandedOver[]> = { aguardar: [], avisar: [] }
  const hook = await startHttpReceiver((response, { path, body }) => {
    const message = JSON.parse(body) as CorpoWebhook
    const politica = POLITICAS.find((each) => path.endsWith(each))
    if (politica && 'evento' in message) {
      const em = clock.now()
      const { id: eventoId, ocorrido_em } = message.evento
      received[politica].push({ tipo: message.tipo, eventoId, em, tookMs: em - Date.parse(ocorrido_em) })
    }
    response.writeHead(204).end()
  })
  const db = await openDatabase(join(dir, 'vigia.db'))
  const verifier: Verifier = {
    atOnce,
    async verify() {
      if (clock.now() >= down[0] && clock.now() < down[1])
        return { ok: false, falha: 'indisponivel', detalhe: 'down on purpose' }
      await delay(verifierMs / scale)
      return { ok: true, decisao: 'confirmado', certeza: 'alta', confianca: 0.9, motivo: 'Visto.', fonte: 'teste' }
    },
    stop: async () => {},
  }
  const bus = createBus()
  const log = pino({ level: 'silent' })
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const verification = createVerification({ db, media, verifier, clock, bus, log })
  const delivery = createDelivery({ db, clock, box: queueBox, senders: loopbackSenders(clock), bus, log })
  try {
    const origin = await seedCamera(db)
    const cameras = [origin.cameraId]
    while (cameras.length < CAMERAS) cameras.push(await seedOneCamera(db, origin.empresaId, origin.edgeId))
    for (const politica of POLITICAS)
      await seedCanal(db, { empresa_id: origin.empresaId, destino: `${hook.url}/${politica}`, politica })
    verification.start()
    delivery.start()
    const waiting: number[] = []
    let sent = 0
    const pending = async () => {
      const { n } = await db
        .selectFrom('eventos')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('veredito_decisao', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(n)
    }
    const start = clock.now()
    while (sent < minutes * perMinute) {
      const due = start + (sent * MINUTE) / perMinute
      if (due > clock.now()) await delay((due - clock.now()) / scale)
      const cameraId = cameras[sent % CAMERAS] ?? 0
      const seq = Math.floor(sent / CAMERAS) + 1
      await ingestBatch(
        { db, media, clock },
        origin.edgeId,
        batch([candidate(cameraId, seq, { change: { ocorrido_em: Math.round(clock.now()) } })]),
      )
      sent += 1
      verification.wake()
      if (sent % perMinute === 0) waiting.push(await pending())
    }
    const confirmed = (politica: Politica) => received[politica].filter(({ tipo }) => tipo === 'evento.confirmado')
    await waitFor('every confirmed event', () => POLITICAS.every((each) => confirmed(each).length >= sent), {
      timeoutMs: 300_000,
    })
    return { waiting, sent, byPolitica: received, down }
  } finally {
    await verification.stop()
    await delivery.stop()
    await hook.close()
    await db.destroy()
    await rm(dir, { recursive: true, force: true })
  }
}
