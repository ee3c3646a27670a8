import { tipoMensagemPortao } from '@vigia/contracts/portao'
import type { Clock } from '../../../adapters/clock.ts'
import type { Mensagem } from '../../../adapters/senders/interface.ts'
import { sistema } from '../../../audit/audit-change.ts'
import { auditOpening } from '../../../audit/audit-placa.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { findGateCanal, opensGates } from '../../../db/gate-canal.ts'
import { readConfigs } from '../../../db/match-placa.ts'
import { findPassage } from '../../../db/passagens.ts'
import type { CanalRow, PassagemRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, failWork, finishWork } from '../../../db/work-queue/queue.ts'
import type { Logger } from '../../../http/request-log.ts'
import { type SendDeps, senderOf } from '../notificacoes/canal-sender.ts'
import { messageId } from '../notificacoes/message-id.ts'
import { destinationsOf } from '../notificacoes/view-canal.ts'
import { OPEN_WITHIN_MS } from './may-open.ts'
import { findOwner } from './store.ts'

export interface GateDeps extends SendDeps {
  readonly clock: Clock
  readonly log: Logger
}

const RETRY_MS = 2_000

/**
 * Runs one attempt to open a gate. The message goes to every destination of the canal, under the same id in each
 * attempt. After OPEN_WITHIN_MS the gate stays shut. The result is an audit record in the transaction that ends the
 * work. After a crash between both, the message is sent again under its id.
 */
export async function openGate(deps: GateDeps, claim: Claim, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  const passagem = await findPassage(db, Number(claim.chave))
  const end = (resultado: string) =>
    transact(db, async (tx) => {
      if ((await finishWork(tx, claim)) && passagem) await auditOpening(tx, clock.now(), sistema, passagem, resultado)
    })
  if (!passagem || passagem.placa === null || passagem.portao_em === null) return end('A passagem não existe mais.')
  const canal = await findCanalOf(deps, passagem)
  if (typeof canal === 'string') return end(canal)
  const isLate = () => clock.now() - (passagem.portao_em ?? 0) > OPEN_WITHIN_MS
  if (isLate()) return end('O portão ficou fechado: o canal não respondeu a tempo.')

  const erro = await send(deps, canal, passagem, signal)
  if (signal.aborted) return
  if (erro === null) return end(`Pedido enviado ao canal ${canal.id}.`)
  log.warn({ passagem_id: passagem.id, canal_id: canal.id, erro }, 'gate not opened')
  const em = clock.now() + RETRY_MS
  if (em - passagem.portao_em > OPEN_WITHIN_MS) return end(`O portão ficou fechado: ${erro}`)
  await transact(db, async (tx) => {
    await failWork(tx, claim, { erro, now: clock.now(), next: { estado: 'recuo', em } })
  })
}

/** The canal of the camera's gate, or the Portuguese reason why nothing opens. */
async function findCanalOf({ db }: GateDeps, { camera_id, empresa_id }: PassagemRow): Promise<CanalRow | string> {
  const config = (await readConfigs(db, [camera_id])).get(camera_id)
  if (!config?.ativo || !config.portao) return 'O portão foi desligado antes do envio.'
  const canal = await findGateCanal(db, config.portao.canal_id, empresa_id)
  if (!canal || canal.ativo === 0 || !opensGates(canal)) return 'O canal do portão não existe mais ou está desligado.'
  return canal
}

/** @returns null: every destination has accepted the message; else the first error */
async function send(deps: GateDeps, canal: CanalRow, passagem: PassagemRow, signal: AbortSignal) {
  const destinos = destinationsOf(canal)
  if (destinos.length === 0) return 'O canal do portão não tem destino.'
  const mensagem = await messageOf(deps, passagem)
  const sendTo = await senderOf(deps, canal)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(OPEN_WITHIN_MS)])
  const outcomes = await Promise.all(destinos.map((destino) => sendTo(destino, mensagem, limit)))
  for (const outcome of outcomes) if (!outcome.ok) return outcome.erro
  return null
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
