import { destinationProblem } from '@vigia/contracts/destinos'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { invalid } from '@vigia/contracts/errors'
import type { TesteCanal } from '@vigia/contracts/notificacoes'
import type { TipoRemetente } from '@vigia/contracts/remetentes'
import { auditRemetente } from '../../../audit/audit-remetente.ts'
import { type Caller, callerKey } from '../../../http/caller.ts'
import { syntheticMessage } from '../notificacoes/synthetic-message.ts'
import type { RemetentesDeps } from './deps.ts'
import { findRemetente } from './store.ts'
import { requireOperator } from './view-remetentes.ts'

/**
 * Sends a test message with the settings in force to one destination.
 * @throws VigiaError `proibido`, `validacao`, `muitas_requisicoes`.
 */
export async function testRemetente(
  { db, clock, senders, testLimit }: RemetentesDeps,
  caller: Caller,
  { tipo, destino }: { readonly tipo: TipoRemetente; readonly destino: string },
  signal: AbortSignal,
): Promise<TesteCanal> {
  requireOperator(caller)
  const problem = destinationProblem(tipo, destino)
  if (problem !== null) throw invalid(['body', 'destino'], problem)
  await testLimit.consume(callerKey(caller))
  const now = clock.now()
  const row = await findRemetente(db, tipo)
  await auditRemetente(db, now, caller, { acao: 'testar', antes: row, depois: row })
  const empresa = { id: 0, nome: 'Vigia', fuso_horario: FUSO_PADRAO }
  const mensagem = syntheticMessage({ canal: { tipos_evento: [] }, empresa, camera: null }, now)
  const sender = senders[tipo]
  const entrega = await sender.send({ endereco: destino, segredo: null, redes: [] }, mensagem, signal)
  return { ok: entrega.ok, erros: entrega.ok ? [] : [entrega.erro], avisos: (await sender.notes?.()) ?? [] }
}
