import type { Clock } from '../../../adapters/clock.ts'
import { auditOnce } from '../../../audit/audit-once.ts'
import { lockCamera } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow } from '../../../db/rows.ts'
import type { Caller } from '../../../http/caller.ts'

/** Records that the caller watches a camera live. */
export const auditView = (
  deps: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  { id, nome, empresa_id: empresaId }: Pick<CameraRow, 'id' | 'nome' | 'empresa_id'>,
): Promise<void> =>
  auditOnce(deps, caller, {
    ...({ acao: 'assistir', objeto: 'camera' } as const),
    id,
    nome,
    empresaId,
    lock: (tx) => lockCamera(tx, id),
  })
