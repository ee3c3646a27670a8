import { invalid } from '@vigia/contracts/errors'
import {
  type CanalNotificacao,
  type CanalPatch,
  chosenCameras,
  groupsByDefault,
  SO_MQTT,
  showsPlatesByDefault,
  singleCamera,
} from '@vigia/contracts/notificacoes'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { auditCanal } from '../../../audit/audit-canal.ts'
import type { Autor } from '../../../audit/audit-change.ts'
import { type CanalFields, canalFields } from '../../../db/canal-fields.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { lockRow } from '../../../db/locks.ts'
import { camerasOfCanal } from '../../../db/mqtt-canais.ts'
import type { Database } from '../../../db/open.ts'
import { ownNetworks } from '../../../db/own-networks.ts'
import { orderTakeBack } from '../../../db/recolhimentos.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import {
  canalColumns,
  destinationsOf,
  requirePlatesRight,
  requireReachable,
  requireValidCanal,
} from './canal-fields.ts'
import type { NotificacoesDeps } from './deps.ts'
import { enqueueDigest } from './digest.ts'
import { requireCanal, showCanal } from './require-canal.ts'
import { makeSecret, sealCredenciais } from './signing-secret.ts'
import { type CanalChanges, lockCameras, updateCanal } from './store.ts'

/**
 * Changes the given fields and checks the resulting canal as a whole. A new `tipo` must match the destinations, and a
 * new Empresa must own the camera.
 * @throws VigiaError `proibido`, `nao_encontrado` (canal, Empresa or camera), `validacao`, `conflito` (limit of the new
 * Empresa).
 */
export async function changeCanal(
  { db, clock, box, webhookPermitir }: NotificacoesDeps,
  caller: Caller,
  id: number,
  { credenciais, camera_id, camera_ids, ...patch }: CanalPatch,
): Promise<CanalNotificacao> {
  requireWrite(caller)
  if (patch.empresa_id != null) requireScope(caller, patch.empresa_id)
  const cameras = chosenCameras({ camera_id, camera_ids })
  const now = clock.now()
  const row = await transact(db, async (tx) => {
    const lineage = patch.empresa_id == null ? undefined : await lockLineage(tx, patch.empresa_id)
    await lockCameras(tx, cameras ?? [])
    await lockRow(tx, 'canais_notificacao', id)
    const before = await requireCanal(tx, caller, id)
    // A client that knows one camera only sends back the null that it read of a canal with several.
    const isRepeated = camera_ids === undefined && camera_id === before.camera_id
    const merged = {
      ...canalFields(before),
      ...defaultsOf(before, patch),
      ...withoutNulls(patch),
      ...(isRepeated ? {} : camerasOf(cameras)),
    }
    await requireValidCanal(tx, caller, merged)
    requirePlatesRight(caller, canalFields(before), merged)
    const known = destinationsOf(canalFields(before))
    requireReachable(merged, known, [...webhookPermitir, ...(await ownNetworks(tx, merged.empresa_id))])
    const secret = secretFor(box, before, merged, { credenciais, known })
    const columns = canalColumns(merged)
    const changed = Object.entries(columns).some(([column, value]) => before[column as keyof typeof columns] !== value)
    if (!changed && Object.keys(secret).length === 0) return before
    if (lineage && lineage.empresa.id !== before.empresa_id)
      await requireQuota(tx, lineage, { tipo: 'canais', quantos: 1, quem: caller, now, de: before.empresa_id })
    const published = await camerasOfCanal(tx, before)
    const after = await updateCanal(tx, id, { ...columns, ...secret, atualizado_em: now })
    await recordCanalChange(tx, now, caller, before, after)
    await orderTakeBack(tx, [{ canal: before, cameras: published }], now)
    if (after.resumo_hora !== before.resumo_hora || after.empresa_id !== before.empresa_id) {
      const empresa = await findEmpresa(tx, after.empresa_id)
      if (empresa) await enqueueDigest(tx, { canal: after, empresa }, now)
    }
    return after
  })
  return showCanal(db, row)
}

/** Both Empresas get an audit record of the move. */
async function recordCanalChange(tx: Database, now: number, autor: Autor, antes: CanalRow, depois: CanalRow) {
  if (antes.empresa_id !== depois.empresa_id) {
    await auditCanal(tx, now, autor, { antes, depois: null })
    await auditCanal(tx, now, autor, { antes: null, depois })
    return
  }
  const segredos = [
    ...(antes.destino === depois.destino ? [] : ['destino']),
    ...(antes.destinatarios_json === depois.destinatarios_json ? [] : ['destinatarios']),
    ...(antes.segredo_cifrado === depois.segredo_cifrado ? [] : [depois.tipo === 'mqtt' ? 'credenciais' : 'segredo']),
  ]
  await auditCanal(tx, now, autor, { antes, depois, segredos })
}

/** null clears the name, a filter, a destination or the digest; it leaves required fields unchanged. */
const emptied = {
  nome: '',
  destino: '',
  destinatarios: [],
  tipos_evento: [],
  agenda: {},
  resumo_hora: null,
}

/** @param cameras undefined: they stay */
const camerasOf = (cameras: number[] | undefined) =>
  cameras && { camera_id: singleCamera(cameras), camera_ids: cameras }

/** A new `tipo` brings its defaults of `agrupar` and `placas`. */
const defaultsOf = ({ tipo: before }: CanalRow, { tipo }: CanalPatch) =>
  tipo == null || tipo === before ? {} : { agrupar: groupsByDefault(tipo), placas: showsPlatesByDefault(tipo) }

const withoutNulls = (patch: CanalPatch): object =>
  Object.fromEntries(
    Object.entries(patch).flatMap(([field, value]) => {
      if (value !== null) return value === undefined ? [] : [[field, value]]
      return field in emptied ? [[field, emptied[field as keyof typeof emptied]]] : []
    }),
  )

/**
 * A canal that becomes a webhook gets a secret, which only a rotation shows. A canal of another kind has none, or the
 * login of its broker.
 * @throws VigiaError `validacao`: a login of another kind of canal, or a stored login that would reach a new broker
 */
function secretFor(
  box: SecretBox,
  before: CanalRow,
  merged: CanalFields,
  { credenciais, known }: { readonly credenciais: CanalPatch['credenciais']; readonly known: readonly string[] },
): CanalChanges {
  const { tipo } = merged
  if (credenciais && tipo !== 'mqtt') throw invalid(['body', 'credenciais'], SO_MQTT)
  if (tipo === 'mqtt' && credenciais) return sealCredenciais(box, before.id, credenciais)
  if (tipo === 'mqtt' && credenciais === null) return { segredo_cifrado: null }
  if (tipo !== before.tipo)
    return { segredo_cifrado: tipo === 'webhook' ? makeSecret(box, before.id).segredo_cifrado : null }
  const isNew = destinationsOf(merged).some((destino) => !known.includes(destino))
  if (tipo === 'mqtt' && before.segredo_cifrado !== null && isNew)
    throw invalid(['body', 'credenciais'], 'Com outro broker, mande outra vez o usuário e a senha')
  return {}
}
