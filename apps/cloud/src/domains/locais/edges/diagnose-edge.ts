import { VigiaError } from '@vigia/contracts/errors'
import { edgeFailureText } from '@vigia/contracts/pedido-failures'
import type { Diagnostico } from '@vigia/contracts/pedidos'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import type { AskEdge } from './ask/ask-edge.ts'
import { requireEdge } from './require-edge.ts'

export interface DiagnoseDeps {
  readonly db: Database
  readonly askEdge: AskEdge
}

const PRAZO_MS = 10_000

/**
 * Returns the current diagnosis that the edge reports.
 * @param signal aborts when the caller disconnects; the edge then stops the command
 * @throws VigiaError `proibido`, `nao_encontrado`, `indisponivel`.
 */
export async function diagnoseEdge(
  { db, askEdge }: DiagnoseDeps,
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<Diagnostico> {
  requireWrite(caller)
  await requireEdge(db, caller, id)
  const answer = await askEdge(id, { acao: 'diagnosticar' }, { prazoMs: PRAZO_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: edgeFailureText[answer.falha] })
  return answer.resultado.diagnostico
}
