import type { TesteCanal } from '@vigia/contracts/notificacoes'
import { auditCanal } from '../../../audit/audit-canal.ts'
import { findCamera } from '../../../db/cameras.ts'
import { canalFields, destinationsOf } from '../../../db/canal-fields.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { type Caller, callerKey, requireWrite } from '../../../http/caller.ts'
import type { NotificacoesDeps } from './deps.ts'
import { requireCanal } from './require-canal.ts'
import { sendToAll } from './send-to-all.ts'
import { syntheticMessage } from './synthetic-message.ts'

/**
 * Sends a synthetic notification to every destination of the canal, active or not. Returns the failed ones.
 * @throws VigiaError `proibido`, `nao_encontrado`, `muitas_requisicoes`.
 */
export async function testCanal(
  deps: NotificacoesDeps,
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<TesteCanal> {
  requireWrite(caller)
  const { db, clock, testLimit } = deps
  const canal = await requireCanal(db, caller, id)
  // Counts the login first, so that an exhausted login does not consume the limit of the canal.
  await testLimit.consume(callerKey(caller))
  await testLimit.consume(`canal:${id}`)
  // Recorded before the first send, so that every sent message has an audit record.
  await auditCanal(db, clock.now(), caller, { acao: 'testar', antes: canal, depois: canal })
  if (destinationsOf(canal).length === 0)
    return { ok: false, erros: ['O canal não tem destino: preencha destino ou destinatarios.'], avisos: [] }

  const empresa = await findEmpresa(db, canal.empresa_id)
  if (!empresa) throw new Error(`Empresa of canal ${id} is missing`)
  const fields = canalFields(canal)
  const [first] = fields.camera_ids
  const camera = first === undefined ? undefined : await findCamera(db, first)
  const subject = { canal: fields, empresa, camera: camera ? { id: camera.id, nome: camera.nome } : null }
  const outcomes = await sendToAll(deps, canal, syntheticMessage(subject, clock.now()), signal)
  const erros = outcomes.flatMap(({ destino, entrega }) =>
    entrega.ok ? [] : [`${shownDestination(destino)}: ${entrega.erro}`],
  )
  return { ok: erros.length === 0, erros, avisos: (await deps.senders[canal.tipo].notes?.()) ?? [] }
}

/** Returns a URL without its query, which may hold a token of the receiver. */
function shownDestination(destino: string): string {
  const url = URL.parse(destino)
  return url?.host ? `${url.host}${url.pathname}` : destino
}
