import {
  type CanalCreate,
  type CanalCriado,
  chosenCameras,
  groupsByDefault,
  showsPlatesByDefault,
  singleCamera,
} from '@vigia/contracts/notificacoes'
import { auditCanal } from '../../../audit/audit-canal.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { ownNetworks } from '../../../db/own-networks.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import { canalColumns, requirePlatesRight, requireReachable, requireValidCanal } from './canal-fields.ts'
import { emptyTally } from './delivery-store.ts'
import type { NotificacoesDeps } from './deps.ts'
import { makeSecret, sealCredenciais } from './signing-secret.ts'
import { insertCanal, lockCameras, updateCanal } from './store.ts'
import { viewCanal } from './view-canal.ts'

/**
 * Makes a channel. Only this response contains the signing secret of a webhook.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or camera), `validacao`, `conflito` (limit).
 */
export async function createCanal(
  { db, clock, box, webhookPermitir }: NotificacoesDeps,
  caller: Caller,
  { agrupar, placas, credenciais, camera_id, camera_ids, ...sent }: CanalCreate,
): Promise<CanalCriado> {
  requireWrite(caller)
  const cameras = chosenCameras({ camera_id, camera_ids }) ?? []
  const input = {
    ...sent,
    camera_id: singleCamera(cameras),
    camera_ids: cameras,
    agrupar: agrupar ?? groupsByDefault(sent.tipo),
    placas: placas ?? showsPlatesByDefault(sent.tipo),
  }
  requireScope(caller, input.empresa_id)
  requirePlatesRight(caller, null, input)
  const now = clock.now()
  return await transact(db, async (tx) => {
    const lineage = await lockLineage(tx, input.empresa_id)
    await lockCameras(tx, cameras)
    await requireValidCanal(tx, caller, input)
    requireReachable(input, [], [...webhookPermitir, ...(await ownNetworks(tx, input.empresa_id))])
    if (lineage) await requireQuota(tx, lineage, { tipo: 'canais', quantos: 1, quem: caller, now })
    const columns = { ...canalColumns(input), segredo_cifrado: null, criado_em: now, atualizado_em: now }
    const row = await insertCanal(tx, columns)
    const segredos = row.tipo === 'webhook' ? ['segredo'] : credenciais ? ['credenciais'] : []
    await auditCanal(tx, now, caller, { antes: null, depois: row, segredos })
    // The seal of a secret includes the id, so that it is stored in a second step.
    if (row.tipo !== 'webhook') {
      const sealed = credenciais && (await updateCanal(tx, row.id, sealCredenciais(box, row.id, credenciais)))
      return { ...viewCanal(sealed || row, emptyTally), segredo: null }
    }
    const { segredo, segredo_cifrado } = makeSecret(box, row.id)
    return { ...viewCanal(await updateCanal(tx, row.id, { segredo_cifrado }), emptyTally), segredo }
  })
}
