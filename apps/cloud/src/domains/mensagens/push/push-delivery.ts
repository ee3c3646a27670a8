import { setImmediate } from 'node:timers/promises'
import type { AvisoPush } from '@vigia/contracts/push'
import type { Bus } from '../../../adapters/bus.ts'
import type { Clock } from '../../../adapters/clock.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { findEvent } from '../../../db/eventos.ts'
import { deleteDue, type WarnHeld } from '../../../db/hold-back/hold-back.ts'
import { findIncidente } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { networksOf } from '../../../db/own-networks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, deferWork, failWork, finishWork } from '../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../db/work-queue/worker.ts'
import type { Login } from '../../../http/caller.ts'
import type { Logger } from '../../../http/request-log.ts'
import { hidesPlates } from '../../../scope/hides-plates.ts'
import { isUnmasked } from '../../../scope/unmasked.ts'
import { noTelemetry, type Telemetry } from '../../../telemetry/telemetry.ts'
import { hidesPlate, signPicture, viewEvento } from '../../eventos/public.ts'
import type { PushDeps } from './deps.ts'
import { openDestination } from './destination.ts'
import { planSending } from './late-messages.ts'
import { pushMessage, pushSummary } from './push-message.ts'
import {
  deleteInscricao,
  type EnvioEmEspera,
  endCarried,
  findEnvio,
  listWaiting,
  noteOutcome,
  pruneEnvios,
} from './store.ts'

const AT_ONCE = 8
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 5 * 60_000
/** Longest pause that a push service may ask for. */
const LONGEST_ASKED_MS = 30 * 60_000
/** Age of an abandoned message, as for the messages of a canal. */
const GIVE_UP_MS = 24 * 3_600_000
const TIDY_EVERY_MS = 3_600_000
const PRUNED_AT_ONCE = 500

type DeliveryDeps = Pick<PushDeps, 'db' | 'clock' | 'box' | 'keys' | 'send'> & {
  /** Time that ages count against; default: `clock`. */
  readonly ages?: Clock
  readonly warn: WarnHeld
  readonly bus: Bus
  readonly log: Logger
  readonly telemetry?: Telemetry
}

export interface PushDelivery {
  start(): void
  stop(): Promise<void>
}

/**
 * Sends the queued messages to the push services, each at least once, within 24 h. Late ones of a browser become one
 * summary.
 */
export function createPushDelivery(deps: DeliveryDeps): PushDelivery {
  const { db, clock, ages = clock, log, bus, telemetry = noTelemetry } = deps
  const worker: Worker = createWorker({
    db,
    clock,
    log,
    tipo: 'push',
    atOnce: AT_ONCE,
    perRoot: AT_ONCE - 2,
    alone: true,
    longestWaitMs: LONGEST_ASKED_MS,
    tracing: telemetry.tracing,
    handle: (claim, signal) => deliver(deps, claim, signal),
  })
  let unsubscribe = () => {}
  let timer: NodeJS.Timeout | undefined
  let tidying: Promise<void> = Promise.resolve()
  let stopped = false

  async function tidy(): Promise<void> {
    await deleteDue({ db, log, now: ages.now(), warn: deps.warn }, { tipo: 'envios_push' }, async (due) => {
      while (!stopped && (await pruneEnvios(db, due, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE) await setImmediate()
    })
  }

  return {
    start() {
      const runTidy = () => {
        tidying = tidy().catch((err: unknown) => log.error({ err }, 'old push messages not removed'))
      }
      unsubscribe = bus.subscribe(({ tipo }) => {
        if (tipo === 'alertas') worker.wake()
      })
      runTidy()
      timer = setInterval(runTidy, TIDY_EVERY_MS)
      worker.start()
    },
    async stop() {
      stopped = true
      unsubscribe()
      clearInterval(timer)
      await Promise.all([worker.stop(), tidying])
    },
  }
}

/** Runs one attempt of one message, which may carry others of its browser. */
async function deliver(deps: DeliveryDeps, claim: Claim, signal: AbortSignal): Promise<void> {
  const { db, clock, log, keys, send } = deps
  const { metrics } = deps.telemetry ?? noTelemetry
  const end = (write: (tx: Database) => Promise<unknown> = async () => {}) =>
    transact(db, async (tx) => {
      if (await finishWork(tx, claim)) await write(tx)
    })
  const envio = await findEnvio(db, Number(claim.chave))
  if (!envio) return end()
  const { id, contato } = envio
  const own = { ...envio, id: Number(claim.chave), tentativas: claim.tentativas, em: null }
  const plan = planSending(own, await listWaiting(db, id, own.id), clock.now())
  if ('em' in plan) return transact(db, async (tx) => void (await deferWork(tx, claim, plan.em)))
  const carried = plan.levados.map((each) => each.id)
  const finish = (outcome?: Parameters<typeof noteOutcome>[2]) =>
    end(async (tx) => {
      await endCarried(tx, carried)
      if (outcome) await noteOutcome(tx, id, outcome)
    })
  const escondePlacas = await hidesPlates(db, envio.usuario_papel, envio.usuario_empresa_id)
  const aviso = await messageOf(deps, [own, ...plan.levados], { escondePlacas })
  if (!aviso) return finish()

  const destino = openDestination(deps.box, envio)
  const redes = await networksOf(db, envio.usuario_empresa_id)
  const resultado = await send({ destino, chave: await keys.current(), contato, redes, aviso }, signal)
  if (!resultado.ok && signal.aborted) return
  const now = clock.now()
  if (resultado.ok) {
    metrics.delivery('push', 'entregue')
    metrics.delivered('push', now - claim.criado_em)
    return finish({ entregue_em: now, erro: null })
  }
  const { erro, encerrada, waitMs = 0 } = resultado
  log.warn({ inscricao_id: id, erro, encerrada }, 'push message not delivered')
  const backOffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** claim.tentativas)
  const em = now + Math.max(backOffMs, Math.min(LONGEST_ASKED_MS, waitMs))
  const givenUp = em > claim.criado_em + GIVE_UP_MS
  metrics.delivery('push', encerrada || givenUp ? 'desistida' : 'falhou')
  if (encerrada) return end((tx) => deleteInscricao(tx, id))
  if (givenUp) return end((tx) => noteOutcome(tx, id, { erro }))
  await transact(db, async (tx) => {
    if (await failWork(tx, claim, { erro, now, next: { estado: 'recuo', em } })) await noteOutcome(tx, id, { erro })
  })
}

/** null: a person has answered all of them already, or the events are gone. */
async function messageOf(
  deps: DeliveryDeps,
  envios: readonly EnvioEmEspera[],
  viewer: Pick<Login, 'escondePlacas'>,
): Promise<AvisoPush | null> {
  const { box, clock } = deps
  const found = await Promise.all(envios.map((envio) => subjectOf(deps, envio)))
  const subjects = found.filter((subject) => subject !== null)
  const [first, second] = subjects
  if (!first) return null
  if (second) {
    const itens = subjects.map(({ row, empresa }) => ({ evento: viewEvento(row), empresa }))
    return pushSummary(itens, `resumo-${envios[0]?.id}`)
  }
  const { row, empresa, etiqueta } = first
  const evento = viewEvento(row)
  const hidden = hidesPlate(viewer, evento.tipo) || (await isUnmasked(deps.db, row.camera_id, row))
  const imagem = hidden ? null : signPicture({ box, clock }, row)
  return pushMessage(evento, empresa, etiqueta, imagem)
}

/** null: a person has answered already, or the event is gone. */
async function subjectOf({ db }: DeliveryDeps, { evento_id, etiqueta }: EnvioEmEspera) {
  const row = await findEvent(db, evento_id, null)
  const empresa = row && (await findEmpresa(db, row.empresa_id))
  if (!row || !empresa) return null
  const incidente = row.incidente_id === null ? null : await findIncidente(db, row.incidente_id, null)
  return incidente?.resposta ? null : { row, empresa, etiqueta }
}
