import { randomUUID } from 'node:crypto'
import type { Certeza } from '@vigia/contracts/eventos'
import type { Gravidade } from '@vigia/contracts/ias'
import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { createBus } from '../../adapters/bus.ts'
import { transact } from '../../db/transaction.ts'
import { createDelivery } from '../../domains/mensagens/notificacoes/delivery.ts'
import { enqueueWaits } from '../../domains/mensagens/notificacoes/enqueue-wait.ts'
import { takeIds } from '../../domains/operacao/ingestao/ids-store.ts'
import { storeEvents } from '../../domains/operacao/ingestao/store-eventos.ts'
import { saveVerdict } from '../../domains/operacao/verificacao/save-verdict.ts'
import { loopbackSenders, openTempDatabase, queueBox, seedCanal } from '../records/queue-records.ts'
import { seedCamera } from '../records/records.ts'
import { type HttpReceiver, startHttpReceiver } from '../stand-ins/http-receiver.ts'

/** Noon in São Paulo on a Monday. */
const START = Date.parse('2026-11-09T15:00:00Z')

interface NovoEvento {
  /** Seconds from the current time; default 0. */
  readonly s?: number
  readonly gravidade?: Gravidade
  readonly retroativo?: boolean
  readonly tipo?: string
  readonly trilha?: string
  readonly camera?: { readonly id: number; readonly nome: string }
}

/**
 * One camera, its canais and a receiver on loopback, with the real delivery and a clock that the test moves.
 * @param timeoutMs limit of one delivery
 * @param makeSenders default: only webhooks have a destination
 */
export async function openMessageStand(timeoutMs?: number, makeSenders = loopbackSenders) {
  const temp = await openTempDatabase()
  const { db } = temp
  const origin = await seedCamera(db)
  let now = START
  const clock = { now: () => now }
  const bus = createBus()
  const receivers: HttpReceiver[] = []
  const deps = { db, clock, box: queueBox, senders: makeSenders(clock, timeoutMs), bus }
  const delivery = createDelivery({ ...deps, log: pino({ level: 'silent' }), monotonic: () => now })
  let seq = 0

  const stand = {
    db,
    clock,
    origin,
    bus,
    start: () => delivery.start(),
    /** Moves the clock and wakes the workers. */
    advance(ms: number) {
      now += ms
      bus.publish({ tipo: 'alertas' })
    },
    wake: () => bus.publish({ tipo: 'alertas' }),
    async receiver(...args: Parameters<typeof startHttpReceiver>) {
      const made = await startHttpReceiver(...args)
      receivers.push(made)
      return made
    },
    canal: (given: Partial<Parameters<typeof seedCanal>[1]>) =>
      seedCanal(db, { empresa_id: origin.empresaId, agrupar: true, ...given }, now),
    /** Stores an event as ingest does. */
    event({ s = 0, gravidade = 'alta', retroativo = false, tipo = 'invasao', trilha, camera }: NovoEvento = {}) {
      seq += 1
      const { id: camera_id, nome: camera_nome } = camera ?? { id: origin.cameraId, nome: 'Portão' }
      const row = {
        uuid: randomUUID(),
        empresa_id: origin.empresaId,
        camera_id,
        camera_nome,
        edge_id: origin.edgeId,
        seq,
        tipo,
        gravidade,
        ocorrido_em: now + s * 1000,
        recebido_em: now,
        relogio_json: '{"desvio_ms":null,"sincronizado":true}',
        confianca: 0.7,
        rotulos_json: '["person"]',
        caixas_json: '[]',
        zona: null,
        crop_path: null,
        quadro_path: null,
        calibracao_json: '{}',
        instrucoes_json: '[]',
        modelo: 'nanodet-g-416',
        detalhes_json: '{}',
        trilha: trilha ?? null,
        retroativo: retroativo ? 1 : 0,
      } as const
      return transact(db, async (tx) => {
        const id = await takeIds(tx, 1)
        await enqueueWaits(tx, [{ ...row, id }], now)
        await storeEvents(tx, [{ ...row, id }])
        return id
      })
    },
    async verdict(id: number, decisao: 'confirmado' | 'refutado' = 'confirmado', certeza: Certeza = 'alta') {
      const veredito = { decisao, certeza, confianca: 0.9, motivo: 'Pessoa vista.', fonte: 'teste' }
      await transact(db, (tx) => saveVerdict(tx, id, veredito, '{}', now))
      stand.wake()
    },
    /** A confirmed event. */
    async confirmed(options?: NovoEvento) {
      const id = await stand.event(options)
      await stand.verdict(id)
      return id
    },
    entregas: () => db.selectFrom('entregas').selectAll().orderBy('id').execute(),
    /** Bodies in the order of their arrival. */
    bodies: ({ received }: HttpReceiver) => received.map(({ body }) => JSON.parse(body) as CorpoWebhook),
    arrived: (receiver: HttpReceiver, count: number) =>
      waitFor(`message ${count}`, () => receiver.received.length >= count, { everyMs: 10 }),
    /** No message waits for anything but its time. */
    quiet: () =>
      waitFor(
        'a quiet queue',
        async () => {
          const { n } = await db
            .selectFrom('trabalhos')
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .where((eb) => eb.or([eb('estado', 'in', ['pronto', 'atras', 'em_curso']), eb('em', '<=', now)]))
            .executeTakeFirstOrThrow()
          return Number(n) === 0
        },
        { everyMs: 10 },
      ),
    async close() {
      await delivery.stop()
      for (const receiver of receivers) await receiver.close()
      await temp.close()
    },
  }
  return stand
}
export type MessageStand = Awaited<ReturnType<typeof openMessageStand>>
