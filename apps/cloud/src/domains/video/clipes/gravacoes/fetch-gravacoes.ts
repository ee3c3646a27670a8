import { VigiaError } from '@vigia/contracts/errors'
import type { BuscaGravacao } from '@vigia/contracts/gravacoes'
import type { Database } from '../../../../db/open.ts'
import type { GravacaoRow } from '../../../../db/rows.ts'
import { transact } from '../../../../db/transaction.ts'
import { type Claim, deferWork, extendLease, finishWork } from '../../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../../db/work-queue/worker.ts'
import { discardFiles } from '../../../eventos/public.ts'
import type { RemoveDeps } from './remove-gravacao.ts'
import { deleteGravacao, findGravacao, saveFailure, saveFile, saveProgress } from './store.ts'
import { KEEP_MS } from './view-gravacao.ts'

const AT_ONCE = 4
/** Interval of the questions for the progress. */
const POLL_MS = 3_000
/** An edge that does not answer is asked again after this time. */
const AWAY_MS = 30_000
const ASK_MS = 10_000
/** The edge ends a fetch that nobody asks for. */
const LEASE_MS = 120_000
/** A fetch that takes longer than this fails. */
const LONGEST_MS = 3 * 3_600_000

/** Has the edges fetch recordings, and follows their progress. A recording has a work item until it is deleted. */
export function createGravacaoFetches(deps: RemoveDeps): Worker {
  const { db, clock } = deps

  async function handle(claim: Claim, signal: AbortSignal): Promise<void> {
    const row = await findGravacao(db, Number(claim.chave))
    const now = clock.now()
    if (!row || now >= row.criada_em + KEEP_MS) return await remove(deps, claim)
    const isOver = row.estado === 'recebida' || row.estado === 'falhou'
    const found = isOver ? null : await ask(deps, row, { now, signal })
    if (signal.aborted) return
    await transact(db, async (tx) => {
      // The item is locked before its recording changes, so that a late process writes nothing.
      if (!(await extendLease(tx, claim, now))) return
      const isRunning = found !== null && (await save(tx, row, found, now))
      const at = isRunning ? now + (found === 'away' ? AWAY_MS : POLL_MS) : row.criada_em + KEEP_MS
      await deferWork(tx, claim, at)
    })
  }

  return createWorker({ ...deps, tipo: 'gravacao', atOnce: AT_ONCE, alone: true, longestWaitMs: AWAY_MS, handle })
}

type Answer = BuscaGravacao | { readonly estado: 'falhou'; readonly falha: GravacaoRow['falha'] } | 'away'

async function ask(
  { askEdge, log }: RemoveDeps,
  { uuid, camera_id, edge_id, inicio, fim, criada_em }: GravacaoRow,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<Answer> {
  if (now >= criada_em + LONGEST_MS) return { estado: 'falhou', falha: 'tempo_esgotado' }
  const comando = { acao: 'buscar_gravacao', pedido: uuid, camera_id, inicio, fim, validade_ms: LEASE_MS } as const
  try {
    const answer = await askEdge(edge_id, comando, { prazoMs: ASK_MS, signal })
    if (answer.ok) return answer.resultado
    return answer.falha === 'comando_desconhecido' ? { estado: 'falhou', falha: 'edge_antigo' } : 'away'
  } catch (err) {
    if (!(err instanceof VigiaError && err.code === 'indisponivel')) throw err
    log.info({ edge_id, gravacao: uuid, motivo: err.detalhe }, 'recording not asked for; will retry')
    return 'away'
  }
}

/** Returns whether the fetch goes on. */
async function save(tx: Database, { id, progresso }: GravacaoRow, found: Answer, now: number): Promise<boolean> {
  if (found === 'away') return true
  const causa = 'causa' in found ? found.causa : undefined
  const causa_json = causa === undefined ? null : JSON.stringify(causa)
  if (found.estado === 'falhou') await saveFailure(tx, id, { falha: found.falha, causa_json })
  else if (found.estado === 'pronta') await saveFile(tx, { id }, found.arquivo, now)
  else {
    const { estado } = found
    const reached = estado === 'recebendo' ? found.progresso : progresso
    await saveProgress(tx, id, { estado, progresso: reached, causa_json })
    return true
  }
  return false
}

async function remove(deps: RemoveDeps, claim: Claim): Promise<void> {
  const files = await transact(deps.db, async (tx) => {
    if (!(await finishWork(tx, claim))) return []
    return await deleteGravacao(tx, Number(claim.chave), deps.clock.now())
  })
  await discardFiles(deps, files)
}
