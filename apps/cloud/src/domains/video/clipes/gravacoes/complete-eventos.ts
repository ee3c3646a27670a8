import { MAX_GRAVACAO_MS, MAX_GRAVACOES_GRAVADOR } from '@vigia/contracts/gravacoes'
import { playbackTarget } from '@vigia/rtsp/playback-urls'
import { lockCamera } from '../../../../db/locks.ts'
import type { Database } from '../../../../db/open.ts'
import { transact } from '../../../../db/transaction.ts'
import { type Claim, deferWork, extendLease, finishWork } from '../../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../../db/work-queue/worker.ts'
import { findCamera, listIncomplete } from './complete-store.ts'
import type { RemoveDeps } from './remove-gravacao.ts'
import { areFree, freeSlot, gravadorOf, insertGravacao, slotsOf } from './store.ts'

/** `pedida_por` of these parts. */
const SYSTEM = 'Vigia'

const CAMERAS_AT_ONCE = 2
/** Older events are not completed by themselves. */
const RECENT_MS = 48 * 3_600_000
/** Recorders write to their disk late. */
const SETTLED_MS = 120_000
/** Requested before the first and behind the last event of a part. */
const AROUND_MS = 8_000
/** Events that are closer share one part. */
const NEAR_MS = 60_000
const AGAIN_MS = 60_000

/**
 * Requests the parts of the recorder's archive with confirmed events for which the edge has no clip. One part of an
 * edge at a time, the newest first; a person's request goes first. Each event is tried once.
 */
export function createCompletion(deps: RemoveDeps & { readonly wake: () => void }): Worker {
  const { db, clock, wake } = deps

  async function handle(claim: Claim): Promise<void> {
    const cameraId = Number(claim.chave)
    const now = clock.now()
    const at = await transact(db, async (tx) => {
      await lockCamera(tx, cameraId)
      if (!(await extendLease(tx, claim, now))) return null
      const next = await completeNext(tx, cameraId, now)
      if (next === null) await finishWork(tx, claim)
      else await deferWork(tx, claim, next)
      return next
    })
    if (at !== null) wake()
  }

  return createWorker({
    ...deps,
    tipo: 'completar',
    atOnce: CAMERAS_AT_ONCE,
    alone: true,
    longestWaitMs: AGAIN_MS,
    handle,
  })
}

/** Returns when to continue, in epoch ms; null: nothing is left. */
async function completeNext(tx: Database, cameraId: number, now: number): Promise<number | null> {
  const camera = await findCamera(tx, cameraId)
  if (!camera || camera.ativa === 0 || camera.edge_id === null) return null
  if (playbackTarget(camera.rtsp_url) === null && camera.gravacao_continua === 0) return null
  const times = await listIncomplete(tx, camera, now - RECENT_MS)
  const span = newestSpan(times.filter((time) => time <= now - SETTLED_MS))
  const youngest = times[0]
  if (youngest === undefined) return null
  if (span === null) return youngest + SETTLED_MS
  const ofGravador = slotsOf(gravadorOf(camera), MAX_GRAVACOES_GRAVADOR)
  const vaga_login = await freeSlot(tx, 'vaga_login', slotsOf(`edge:${camera.edge_id}`, 1))
  const [vaga_gravador = null] = ofGravador
  if (vaga_login === undefined || !(await areFree(tx, 'vaga_gravador', ofGravador))) return now + AGAIN_MS
  const { id: camera_id, empresa_id, edge_id, nome: camera_nome } = camera
  await insertGravacao(
    tx,
    {
      empresa_id,
      camera_id,
      camera_nome,
      edge_id,
      ...span,
      pedida_por: SYSTEM,
      vaga_login,
      vaga_gravador,
    },
    now,
  )
  return now + AGAIN_MS
}

/** The part with the newest of `times` (descending) and those close before it; null: no times. */
function newestSpan(times: readonly number[]): { readonly inicio: number; readonly fim: number } | null {
  const [newest] = times
  if (newest === undefined) return null
  const fim = newest + AROUND_MS
  let oldest = newest
  for (const time of times) if (oldest - time <= NEAR_MS && fim - (time - AROUND_MS) <= MAX_GRAVACAO_MS) oldest = time
  return { inicio: oldest - AROUND_MS, fim }
}
