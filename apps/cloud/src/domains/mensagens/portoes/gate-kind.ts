import { tipoMensagemPortao } from '@vigia/contracts/portao'
import type { Clock } from '../../../adapters/clock.ts'
import type { Mensagem } from '../../../adapters/senders/interface.ts'
import { sistema } from '../../../audit/audit-change.ts'
import { auditOpening } from '../../../audit/audit-placa.ts'
import { destinationsOf } from '../../../db/canal-fields.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { findGateCanal, opensGates } from '../../../db/gate-canal.ts'
import { readConfigs } from '../../../db/match-placa.ts'
import type { Database } from '../../../db/open.ts'
import { findPassage } from '../../../db/passagens.ts'
import type { CanalRow, PassagemRow } from '../../../db/rows.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import type { Attempt, DeliveryKind, Outcome, Plan } from '../delivery/delivery-kind.ts'
import { type SendDeps, senderOf } from '../notificacoes/canal-sender.ts'
import { messageId } from '../notificacoes/message-id.ts'
import { OPEN_WITHIN_MS } from './may-open.ts'
import { findOwner } from './store.ts'

export interface GateDeps extends SendDeps {
  readonly clock: Clock
}

const AT_ONCE = 4
const RETRY_MS = 2_000
/** Longest wait after an internal error. */
const LONGEST_WAIT_MS = 5_000

/**
 * Openings of gates. The message goes to every destination of the canal, under the same id in each attempt. After
 * OPEN_WITHIN_MS the gate stays shut. The result is an audit record in the transaction that ends the work.
 */
export const gateKind = (deps: GateDeps): DeliveryKind => ({
  slots: [{ tipo: 'portao', atOnce: AT_ONCE }],
  wakenBy: ['alertas'],
  retry: { waitMs: () => RETRY_MS, longestWaitMs: LONGEST_WAIT_MS, giveUpMs: OPEN_WITHIN_MS },
  lines: { failed: 'gate not opened' },
  plan: (claim) => planOpening(deps, claim),
})

async function planOpening(deps: GateDeps, claim: Claim): Promise<Plan> {
  const { db, clock } = deps
  const passagem = await findPassage(db, Number(claim.chave))
  const audit = (tx: Database, resultado: string) =>
    passagem ? auditOpening(tx, clock.now(), sistema, passagem, resultado) : Promise.resolve()
  const stayShut = (motivo: string): Plan => ({ step: 'end', write: (tx) => audit(tx, motivo) })
  if (!passagem || passagem.placa === null || passagem.portao_em === null)
    return stayShut('A passagem não existe mais.')
  const canal = await findCanalOf(deps, passagem)
  if (typeof canal === 'string') return stayShut(canal)
  if (clock.now() - passagem.portao_em > OPEN_WITHIN_MS)
    return stayShut('O portão ficou fechado: o canal não respondeu a tempo.')
  const attempt: Attempt = {
    send: (signal) => send(deps, canal, passagem, signal),
    async write(tx, result) {
      if (result.ok) await audit(tx, `Pedido enviado ao canal ${canal.id}.`)
      else if (result.isAbandoned) await audit(tx, `O portão ficou fechado: ${result.erro}`)
    },
    fields: (result) => ({
      passagem_id: passagem.id,
      canal_id: canal.id,
      ...(!result.ok && { erro: result.erro }),
    }),
  }
  return { step: 'send', attempt }
}

/** The canal of the camera's gate, or the Portuguese reason why nothing opens. */
async function findCanalOf({ db }: GateDeps, { camera_id, empresa_id }: PassagemRow): Promise<CanalRow | string> {
  const config = (await readConfigs(db, [camera_id])).get(camera_id)
  if (!config?.ativo || !config.portao) return 'O portão foi desligado antes do envio.'
  const canal = await findGateCanal(db, config.portao.canal_id, empresa_id)
  if (!canal || canal.ativo === 0 || !opensGates(canal)) return 'O canal do portão não existe mais ou está desligado.'
  return canal
}

/** Success means that every destination has accepted the message; else the first error counts. */
async function send(deps: GateDeps, canal: CanalRow, passagem: PassagemRow, signal: AbortSignal): Promise<Outcome> {
  const destinos = destinationsOf(canal)
  if (destinos.length === 0) return { ok: false, erro: 'O canal do portão não tem destino.' }
  const mensagem = await messageOf(deps, passagem)
  const sendTo = await senderOf(deps, canal)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(OPEN_WITHIN_MS)])
  const outcomes = await Promise.all(destinos.map((destino) => sendTo(destino, mensagem, limit)))
  for (const outcome of outcomes) if (!outcome.ok) return { ok: false, erro: outcome.erro }
  return { ok: true }
}

async function messageOf({ db, clock }: GateDeps, row: PassagemRow): Promise<Mensagem> {
  const empresa = await findEmpresa(db, row.empresa_id)
  if (!empresa || row.placa === null) throw new Error(`Empresa or plate of passage ${row.id} is missing`)
  return {
    tipo: tipoMensagemPortao,
    id: messageId(tipoMensagemPortao, row.uuid, row.edge_id),
    enviadoEm: row.portao_em ?? clock.now(),
    empresa: { id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario },
    camera: { id: row.camera_id, nome: row.camera_nome },
    passagem: {
      id: row.id,
      placa: row.placa,
      dono: await findOwner(db, row.empresa_id, row.placa),
      confianca: row.confianca ?? 0,
      ocorrido_em: new Date(row.ocorrido_em).toISOString(),
    },
  }
}
