import { VigiaError } from '@vigia/contracts/errors'
import { edgeFailureText } from '@vigia/contracts/pedido-failures'
import type { AlcanceVarredura, Equipamento } from '@vigia/contracts/varredura'
import type { Clock } from '../../../adapters/clock.ts'
import { auditEdge } from '../../../audit/audit-edge.ts'
import { lockEdge } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import type { AskEdge } from './ask/ask-edge.ts'
import { edgeStatus } from './edge-status.ts'
import { requireEdge } from './require-edge.ts'
import { beginScan } from './store.ts'

export interface ScanDeps {
  readonly db: Database
  readonly clock: Clock
  readonly askEdge: AskEdge
}

const SCOPE_PRAZO_MS = 10_000
const SCAN_PRAZO_MS = 60_000
/** Shortest time between two scans of one edge. */
const PAUSE_MS = 60_000

const TOO_SOON = 'Esta caixa procurou na rede há menos de um minuto. Aguarde e tente outra vez.'
const NOT_ONLINE = 'A caixa não está conectada. Confira a energia e a internet dela e tente outra vez.'

/**
 * Returns the networks and ports that a scan by this edge would try. Nothing is sent to them.
 * @throws VigiaError `proibido`, `nao_encontrado`, `indisponivel`.
 */
export async function showScanScope(
  { db, askEdge }: ScanDeps,
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<AlcanceVarredura> {
  requireWrite(caller)
  await requireEdge(db, caller, id)
  const answer = await askEdge(id, { acao: 'listar_redes' }, { prazoMs: SCOPE_PRAZO_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: edgeFailureText[answer.falha] })
  return answer.resultado
}

/**
 * Searches for recorders and cameras in the networks of the edge's site. Each scan is on record before it starts, also
 * if it fails.
 * @throws VigiaError `proibido`, `nao_encontrado`, `muitas_requisicoes` (one per edge and minute), `indisponivel`.
 */
export async function scanNetwork(
  { db, clock, askEdge }: ScanDeps,
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<Equipamento[]> {
  requireWrite(caller)
  await transact(db, async (tx) => {
    await lockEdge(tx, id)
    const now = clock.now()
    const edge = await requireEdge(tx, caller, id)
    // Checked first, so that an edge without power costs nobody the minute.
    if (edgeStatus(edge, now) !== 'online') throw new VigiaError('indisponivel', { detalhe: NOT_ONLINE })
    if (!(await beginScan(tx, id, now, PAUSE_MS)))
      throw new VigiaError('muitas_requisicoes', { detalhe: TOO_SOON, tentarEmS: PAUSE_MS / 1000 })
    await auditEdge(tx, now, caller, { acao: 'varrer', antes: edge, depois: edge })
  })
  const answer = await askEdge(id, { acao: 'varrer_rede' }, { prazoMs: SCAN_PRAZO_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: edgeFailureText[answer.falha] })
  return answer.resultado.equipamentos
}
