import { VigiaError } from '@vigia/contracts/errors'
import { type Comando, type FalhaPedido, MAX_CLIPES_PEDIDO } from '@vigia/contracts/pedidos'
import type { Clock } from '../../../adapters/clock.ts'
import { type ClipeRow, EDGE_KEEP_MS } from '../../../db/clipes.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../db/work-queue/worker.ts'
import type { Logger } from '../../../http/request-log.ts'
import { type AskEdge, CREDENTIAL_MS, issueCredential } from '../../locais/public.ts'
import { forgetDiscards, listDiscards } from './discard-store.ts'
import { endOrder, listOrdered, listWanted, markLost, markOrdered, type OrderPlace, takeBackOrder } from './store.ts'

/** Address of the uploads, below that of the cloud. */
export const UPLOAD_PATH = '/api/v1/edges/envios'

/** Ordered uploads of one edge and Empresa that have not ended. A newer clip never waits for more. */
const AT_ONCE = 4
/** Edges of one process that get orders at the same time. */
const EDGES_AT_ONCE = 4
const ASK_MS = 20_000
/** Time until the next order to an edge that does not answer; its return ends the wait. */
const RETRY_MS = 5 * 60_000

export interface OrderDeps {
  readonly db: Database
  readonly clock: Clock
  readonly askEdge: AskEdge
  readonly log: Logger
}

/**
 * Orders the uploads of wanted clips, a few at a time, and has the edge discard deleted ones. An edge and Empresa has a
 * work item while there is something to order.
 */
export function createUploadOrders(deps: OrderDeps): Worker {
  const { db, clock } = deps

  async function handle(claim: Claim, signal: AbortSignal): Promise<void> {
    const [edgeId = 0, empresaId = 0] = claim.chave.split('-').map(Number)
    const place = { edgeId, empresaId }
    const answered = (await orderSome(deps, place, signal)) && (await discardSome(deps, place, signal))
    if (signal.aborted) return
    const now = clock.now()
    await transact(db, (tx) => endOrder(tx, claim, (at) => nextOrder(at, place, { answered, now }), now))
  }

  return createWorker({
    ...deps,
    tipo: 'clipe',
    atOnce: EDGES_AT_ONCE,
    alone: true,
    longestWaitMs: CREDENTIAL_MS,
    handle,
  })
}

/** Returns false if the edge does not answer. */
async function orderSome(deps: OrderDeps, place: OrderPlace, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps
  const before = clock.now() - CREDENTIAL_MS
  const ordered = await listOrdered(db, place, before)
  const limit = Math.max(0, AT_ONCE - ordered.length)
  for (const clipe of await listWanted(db, place, { before, limit })) {
    if (signal.aborted) return true
    const token = await transact(db, async (tx) => {
      const now = clock.now()
      if (!(await markOrdered(tx, clipe.id, now))) return null
      return issueCredential(tx, { edgeId: place.edgeId, finalidade: 'clipe', alvo: clipe.uuid }, now)
    })
    if (token === null) continue
    const comando = { acao: 'enviar_clipe', clipe: clipe.uuid, caminho: UPLOAD_PATH, token } as const
    const falha = await ask(deps, place.edgeId, comando, signal)
    if (falha === null) continue
    if (falha === 'clipe_desconhecido') {
      await markLost(db, clipe.id, 'expirado')
      continue
    }
    await takeBackOrder(db, clipe.id)
    return false
  }
  return true
}

/**
 * Has the edge delete its copies of deleted clips. An edge that does not know the command drops them by its own limits.
 * Returns false if the edge does not answer.
 */
async function discardSome(deps: OrderDeps, { edgeId, empresaId }: OrderPlace, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps
  await forgetDiscards(db, { edgeId, before: clock.now() - EDGE_KEEP_MS })
  while (!signal.aborted) {
    const clipes = await listDiscards(db, { edgeId, empresaId }, MAX_CLIPES_PEDIDO)
    if (clipes.length === 0) return true
    const falha = await ask(deps, edgeId, { acao: 'descartar_clipes', clipes }, signal)
    if (falha !== null && falha !== 'comando_desconhecido') return false
    await forgetDiscards(db, { edgeId, uuids: clipes })
  }
  return true
}

/** Returns the failure of the command; null: the edge has accepted it. */
async function ask(
  { askEdge, log }: OrderDeps,
  edgeId: number,
  comando: Extract<Comando, { acao: 'enviar_clipe' | 'descartar_clipes' }>,
  signal: AbortSignal,
): Promise<FalhaPedido | null> {
  try {
    const answer = await askEdge(edgeId, comando, { prazoMs: ASK_MS, signal })
    return answer.ok ? null : answer.falha
  } catch (err) {
    if (!(err instanceof VigiaError && err.code === 'indisponivel')) throw err
    log.info({ edge_id: edgeId, acao: comando.acao, motivo: err.detalhe }, 'clips not ordered; will retry')
    return 'prazo_esgotado'
  }
}

/** Reports to the edge that the cloud has the clip. A lost command costs disk space until the edge's own limit. */
export const createDiscardOrder =
  ({ askEdge, log }: Pick<OrderDeps, 'askEdge' | 'log'>) =>
  ({ edge_id, uuid }: Pick<ClipeRow, 'edge_id' | 'uuid'>): void => {
    const comando = { acao: 'descartar_clipes' as const, clipes: [uuid] }
    askEdge(edge_id, comando, { prazoMs: ASK_MS, signal: AbortSignal.timeout(ASK_MS) }).catch((err: unknown) =>
      log.info({ err, edge_id, clipe: uuid }, 'copy on the edge not discarded'),
    )
  }

/** Time of the next order; null: nothing to order. */
async function nextOrder(
  tx: Database,
  place: OrderPlace,
  { answered, now }: { readonly answered: boolean; readonly now: number },
): Promise<number | null> {
  const before = now - CREDENTIAL_MS
  const ordered = await listOrdered(tx, place, before)
  const [wanted] = await listWanted(tx, place, { before, limit: 1 })
  const isCopyLeft = (await listDiscards(tx, place, 1)).length > 0
  if ((wanted || isCopyLeft) && !answered) return now + RETRY_MS
  if (isCopyLeft || (wanted && ordered.length < AT_ONCE)) return now
  const [oldest] = ordered
  return oldest === undefined ? null : oldest + CREDENTIAL_MS
}
