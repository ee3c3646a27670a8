import type { Camera, Silenciar } from '@vigia/contracts/cameras'
import type { Clock } from '../../../adapters/clock.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { lockCamera } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { findSilencio, saveSilencio, viewSilencio } from '../../../db/silencios.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerName, requireWork } from '../../../http/caller.ts'
import { requireCamera } from './require-camera.ts'
import { viewCamera } from './view-camera.ts'

interface SilenceDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Stops sound and messages of a camera for a time; 0 minutes end it. Its incidentes stay in the queue, marked. The
 * status monitor announces the change to open screens.
 * @throws VigiaError `proibido`, `nao_encontrado`
 */
export async function silenceCamera(
  { db, clock }: SilenceDeps,
  caller: Caller,
  id: number,
  { minutos }: Silenciar,
): Promise<Camera> {
  requireWork(caller)
  await requireCamera(db, caller, id)
  await transact(db, async (tx) => {
    await lockCamera(tx, id)
    const { nome, empresa_id } = await requireCamera(tx, caller, id)
    const now = clock.now()
    const before = viewSilencio((await findSilencio(tx, id)) ?? null, now)
    if (minutos === 0 && before === null) return
    const silencio = {
      camera_id: id,
      desde: now,
      ate: now + minutos * 60_000,
      por_username: callerName(caller),
      por_usuario_id: caller.usuarioId,
    }
    await saveSilencio(tx, silencio)
    await auditChange(tx, now, caller, {
      acao: 'silenciar',
      objeto: 'camera',
      id,
      nome,
      empresaId: empresa_id,
      antes: { silenciada_ate: before?.ate ?? null },
      depois: { silenciada_ate: viewSilencio(silencio, now)?.ate ?? null },
    })
  })
  return viewCamera(await requireCamera(db, caller, id), clock.now())
}
