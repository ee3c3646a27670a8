import type { MotivoEspera } from '@vigia/contracts/limites'
import { transact } from '../../../../db/transaction.ts'
import type { Incoming, MediaSpace } from '../../../../scope/media-space.ts'
import { waitingText } from '../../../../scope/waiting-text.ts'
import { enqueueAviso } from '../../../mensagens/public.ts'
import { makeSpace, type SpaceDeps } from './make-space.ts'
import { listRoots, markReady, markWaiting, readChain } from './store.ts'

/** Bytes of the disk with the media. */
export interface DiskMeasure {
  readonly free: number
  readonly total: number
}

export interface MediaSpaceDeps extends SpaceDeps {
  /** null: object storage has no measure. */
  readonly measure: () => DiskMeasure | null
}

/** Below this share of free space, an account above its equal share waits. */
const NEARLY_FULL = 0.1

type Chain = Awaited<ReturnType<typeof readChain>>

/**
 * Keeps each Empresa within its limit of bytes, and each root within its share of a disk that is nearly full. One
 * deletion for a limit runs at a time.
 */
export function createMediaSpace(deps: MediaSpaceDeps): MediaSpace {
  const { db, clock, log } = deps
  const making = new Map<number, Promise<boolean>>()

  /** One at a time for an Empresa: two would delete twice as much as needed. */
  async function makeOnce(empresaId: number, most: number, incoming: Incoming): Promise<boolean> {
    await making.get(empresaId)?.catch(() => {})
    const run = makeSpace(deps, { empresaId, most, incoming })
    making.set(empresaId, run)
    try {
      return await run
    } finally {
      if (making.get(empresaId) === run) making.delete(empresaId)
    }
  }

  async function reasonOf(chain: Chain, bytes: number, incoming: Incoming): Promise<MotivoEspera | null> {
    for (const { id, limite_bytes, bytes: used } of chain) {
      if (limite_bytes === null || used + bytes <= limite_bytes) continue
      if (bytes > limite_bytes || !(await makeOnce(id, limite_bytes - bytes, incoming)))
        return incoming === 'imagem' ? 'limite' : 'clipes'
    }
    const root = chain.at(-1)
    return root && (await isAboveShare(root)) ? 'disco' : null
  }

  async function isAboveShare(root: Chain[number]): Promise<boolean> {
    const disk = deps.measure()
    if (disk === null || disk.free >= disk.total * NEARLY_FULL) return false
    const roots = await listRoots(db)
    const capacity = roots.reduce((sum, { bytes }) => sum + bytes, disk.free)
    const promised = roots.reduce((sum, { limite_bytes }) => sum + (limite_bytes ?? 0), 0)
    // A limit is a promise of the operator, unless the limits together exceed the disk.
    if (root.limite_bytes !== null && promised <= capacity) return false
    return root.bytes > capacity / roots.length
  }

  async function report(empresaId: number, motivo: MotivoEspera): Promise<void> {
    const now = clock.now()
    const begun = await transact(db, async (tx) => {
      const marked = await markWaiting(tx, empresaId, motivo, now)
      if (!marked?.isReportDue) return marked
      const titulo = 'As caixas esperam por espaço'
      const aviso = { titulo, texto: waitingText(motivo), desde: now }
      await enqueueAviso(tx, { tipo: 'espaco.esgotado', empresaId, ...aviso }, now)
      return marked
    })
    if (begun === null) return
    log.warn({ empresa_id: empresaId, motivo }, 'media of an Empresa wait for space')
  }

  /** Notes whether the boxes of an Empresa wait. */
  async function note(own: Chain[number] | undefined, reason: MotivoEspera | null, incoming: Incoming): Promise<void> {
    if (own === undefined || own.espera_motivo === reason) return
    // A person waits for a copy, and no box.
    if (incoming === 'copia') return
    // While clips wait, events arrive.
    if (own.espera_motivo === 'clipes' && reason === null && incoming === 'imagem') return
    if (reason === null) await markReady(db, own.id)
    else if (reason !== 'clipes' || own.espera_motivo === null) await report(own.id, reason)
  }

  return {
    async waiting(demand, incoming) {
      const waiting = new Map<number, string>()
      for (const [empresaId, bytes] of demand) {
        const chain = await readChain(db, empresaId)
        const reason = await reasonOf(chain, bytes, incoming)
        if (reason !== null) waiting.set(empresaId, waitingText(reason))
        await note(chain[0], reason, incoming)
      }
      return waiting
    },
  }
}
