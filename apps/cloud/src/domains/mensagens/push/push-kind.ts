import type { AvisoPush } from '@vigia/contracts/push'
import { backoffMs } from '@vigia/runtime/backoff'
import { findEmpresa } from '../../../db/empresas.ts'
import { findEvent } from '../../../db/eventos.ts'
import type { WarnHeld } from '../../../db/hold-back/hold-back.ts'
import { findIncidente } from '../../../db/incidentes.ts'
import { networksOf } from '../../../db/own-networks.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import { inScope } from '../../../http/caller.ts'
import { hiddenPlates } from '../../../scope/hidden-plates.ts'
import { scopeOf } from '../../../scope/scope-of.ts'
import { isUnmasked } from '../../../scope/unmasked.ts'
import { hidesPlate, signPicture, viewEvento, viewFor } from '../../eventos/public.ts'
import type { Attempt, DeliveryKind, Outcome, Plan } from '../delivery/delivery-kind.ts'
import type { PushDeps } from './deps.ts'
import { openDestination } from './destination.ts'
import { planSending } from './late-messages.ts'
import { pushMessage, pushSummary } from './push-message.ts'
import {
  deleteInscricao,
  type EnvioEmEspera,
  findEnvio,
  listWaiting,
  noteAccepted,
  noteOutcome,
  pruneEnvios,
} from './store.ts'

const AT_ONCE = 8
/** Waits after failed attempts: all messages of a browser wait for one of them, so that no jitter is needed. */
const WAITS = { minMs: 5_000, maxMs: 5 * 60_000, jitter: [1, 1] } as const
/** Longest pause that a push service may ask for. */
const LONGEST_ASKED_MS = 30 * 60_000
/** Age of an abandoned message, as for the messages of a canal. */
const GIVE_UP_MS = 24 * 3_600_000
const PRUNED_AT_ONCE = 500

export type PushKindDeps = Pick<PushDeps, 'db' | 'clock' | 'box' | 'keys' | 'send'> & { readonly warn: WarnHeld }

/** Messages of the subscribed browsers, each within 24 h. Late ones of a browser become one summary. */
export const pushKind = (deps: PushKindDeps): DeliveryKind => ({
  slots: [{ tipo: 'push', atOnce: AT_ONCE, perRoot: AT_ONCE - 2 }],
  wakenBy: ['alertas'],
  retry: {
    waitMs: (tries) => backoffMs(tries - 1, WAITS),
    longestWaitMs: LONGEST_ASKED_MS,
    giveUpMs: GIVE_UP_MS,
  },
  lines: { failed: 'push message not delivered' },
  tidy: {
    failed: 'old push messages not removed',
    warn: deps.warn,
    aged: [
      {
        tipo: 'envios_push',
        prune: async (due) => (await pruneEnvios(deps.db, due, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE,
      },
    ],
  },
  plan: (claim) => planMessage(deps, claim),
})

/** Plans one message, which may carry others of its browser. */
async function planMessage(deps: PushKindDeps, claim: Claim): Promise<Plan> {
  const { db, clock } = deps
  const envio = await findEnvio(db, Number(claim.chave))
  if (!envio) return { step: 'end' }
  const { id } = envio
  const own = { ...envio, id: Number(claim.chave), tentativas: claim.tentativas, em: null }
  const plan = planSending(own, await listWaiting(db, id, own.id), clock.now())
  if ('em' in plan) return { step: 'wait', em: plan.em }
  const carried = plan.levados.map((each) => each.id)
  const aviso = await messageOf(deps, [own, ...plan.levados], envio)
  if (!aviso) return { step: 'end', carried }
  const attempt: Attempt = {
    metric: 'push' as const,
    carried,
    send: (signal) => sendTo(deps, envio, aviso, signal),
    async write(tx, result) {
      if (result.ok) {
        await noteOutcome(tx, id, { entregue_em: result.now, erro: null })
        return noteAccepted(tx, [own.id, ...carried], result.now)
      }
      return result.isPermanent ? deleteInscricao(tx, id) : noteOutcome(tx, id, { erro: result.erro })
    },
    fields: (result) => ({
      inscricao_id: id,
      ...(!result.ok && { erro: result.erro, encerrada: result.isPermanent ?? false }),
    }),
  }
  return { step: 'send', attempt }
}

type Envio = NonNullable<Awaited<ReturnType<typeof findEnvio>>>

async function sendTo(
  { db, box, keys, send }: PushKindDeps,
  envio: Envio,
  aviso: AvisoPush,
  signal: AbortSignal,
): Promise<Outcome> {
  const destino = openDestination(box, envio)
  const redes = await networksOf(db, envio.usuario_empresa_id)
  const { contato } = envio
  const resultado = await send({ destino, chave: await keys.current(), contato, redes, aviso }, signal)
  if (resultado.ok) return resultado
  const { erro, encerrada, waitMs } = resultado
  return { ok: false, erro, waitMs, isPermanent: encerrada }
}

/** null: a person has answered all of them already, or the events are gone or out of the login's reach. */
async function messageOf(
  deps: PushKindDeps,
  envios: readonly EnvioEmEspera[],
  { usuario_papel: papel, usuario_empresa_id: empresa_id, usuario_alcance: alcance }: Envio,
): Promise<AvisoPush | null> {
  const { box, clock } = deps
  const escopo = await scopeOf(deps.db, { papel, empresa_id, alcance })
  const found = await Promise.all(envios.map((envio) => subjectOf(deps, envio)))
  const subjects = found.filter((subject) => subject !== null).filter(({ row }) => inScope({ escopo }, row.empresa_id))
  const [first, second] = subjects
  if (!first) return null
  if (second) {
    const itens = subjects.map(({ row, empresa }) => ({ evento: viewEvento(row), empresa }))
    return pushSummary(itens, `resumo-${envios[0]?.id}`)
  }
  const { row, empresa, etiqueta } = first
  const evento = viewEvento(row)
  const viewer = { placasOcultas: await hiddenPlates(deps.db, papel, new Set([row.empresa_id])) }
  const hidden = hidesPlate(viewer, evento) || (await isUnmasked(deps.db, row.camera_id, row))
  const imagem = hidden ? null : signPicture({ box, clock }, row)
  // A browser replaces the message of an incidente by a graver one of the same name.
  return pushMessage(viewFor(viewer, evento), empresa, etiqueta.replace(/\/.*/, ''), imagem)
}

/** null: a person has answered already, or the event is gone. */
async function subjectOf({ db }: PushKindDeps, { evento_id, etiqueta }: EnvioEmEspera) {
  const row = await findEvent(db, evento_id, null)
  const empresa = row && (await findEmpresa(db, row.empresa_id))
  if (!row || !empresa) return null
  const incidente = row.incidente_id === null ? null : await findIncidente(db, row.incidente_id, null)
  return incidente?.resposta ? null : { row, empresa, etiqueta }
}
