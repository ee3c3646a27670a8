import type { Relato } from '@vigia/contracts/edge-state'
import type { ExpressionBuilder } from 'kysely'
import { revokeReplaced } from '../../../db/certificados.ts'
import { resumeOrders } from '../../../db/clipes.ts'
import { lockEdge } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import { transact } from '../../../db/transaction.ts'
import { isDuplicated } from '../../locais/public.ts'

/** Stores whether an activated edge is present. */
export async function savePresence(db: Database, edgeId: number, online: boolean, now: number): Promise<void> {
  if (online) await resumeOrders(db, edgeId, now)
  await db
    .updateTable('edges')
    .set(online ? { presente: 1, visto_em: now } : { presente: 0 })
    .where('id', '=', edgeId)
    .where('ativado_em', 'is not', null)
    .execute()
}

interface SavedReport {
  /** Version of the desired state. */
  readonly versao: number
  /** Change of the duplicated identity; null: unchanged. */
  readonly identity: 'duplicated' | 'settled' | null
  /** Whether this is the first report since the start of the edge's program. */
  readonly restarted: boolean
  /** Whether the newest certificate came into use and the others were revoked. */
  readonly certificateReplaced: boolean
}

/**
 * Writes a report to the edge and its own cameras in one transaction. Other cameras are ignored. null: no activated
 * edge has that id.
 */
export const saveReport = (
  db: Database,
  edgeId: number,
  relato: Relato,
  now: number,
  aged = now,
): Promise<SavedReport | null> =>
  transact(db, async (tx) => {
    await lockEdge(tx, edgeId)
    const { cameras, ...rest } = relato
    const before = await tx
      .selectFrom('edges')
      .select(['instancia', 'instancia_anterior', 'duplicado_em', 'presente'])
      .where('id', '=', edgeId)
      .where('ativado_em', 'is not', null)
      .executeTakeFirst()
    if (!before) return null
    if (before.presente === 0) await resumeOrders(tx, edgeId, now)
    const instance = followInstance(before, relato.instancia, now)
    const raised = instance.identity === null ? 0 : 1
    const edge = await tx
      .updateTable('edges')
      .set((eb) => ({
        presente: 1,
        visto_em: now,
        desvio_central_ms: relato.enviado_em - now,
        desvio_em: aged,
        relato_json: JSON.stringify(rest),
        ...instance.columns,
        desejado_versao: eb('desejado_versao', '+', raised),
      }))
      .where('id', '=', edgeId)
      .returning('desejado_versao')
      .executeTakeFirstOrThrow()
    for (const camera of cameras)
      await tx
        .updateTable('cameras')
        .set((eb) => ({
          relato_estado: camera.estado,
          relato_motivo: camera.motivo,
          relato_complemento: camera.complemento,
          relato_em: now,
          ias_sem_suporte_json: JSON.stringify(camera.ias_sem_suporte),
          ias_indisponiveis_json: JSON.stringify(camera.ias_indisponiveis),
          relato_mascarada: maskReport(camera.mascarada, relato.config_versao >= edge.desejado_versao),
          ...maskTimes(eb, camera.mascarada, relato.config_versao >= edge.desejado_versao, now),
          relato_audio: camera.audio ?? null,
          relato_leitura: camera.leitura ?? null,
          relato_perdas_json: camera.perdas ? JSON.stringify(camera.perdas) : null,
          relato_periodo_s: camera.cai_a_cada_s ?? null,
          relato_conexoes: camera.conexoes ?? null,
          relato_secundario_json: camera.secundario_falhou ? JSON.stringify(camera.secundario_falhou) : null,
          relato_gravacao_json: camera.gravacao ? JSON.stringify(camera.gravacao) : null,
          // The age comes from the edge's clock. Subtracting it from the cloud's clock needs no synchronized clocks.
          ...(camera.ultimo_frame_ha_ms !== null && {
            ultimo_frame_em: Math.max(0, now - Math.round(camera.ultimo_frame_ha_ms)),
          }),
          ...(camera.codec !== null && { codec: camera.codec }),
          ...(camera.resolucao !== null && { resolucao: camera.resolucao }),
          ...(camera.fps !== null && { fps: camera.fps }),
          ...(camera.quadro_chave_ms !== null && { quadro_chave_ms: Math.round(camera.quadro_chave_ms) }),
          sem_quadro_chave_ms: camera.quadro_chave_ha_ms == null ? null : Math.round(camera.quadro_chave_ha_ms),
          ...(camera.taxa_kbps !== null && { taxa_kbps: Math.round(camera.taxa_kbps) }),
        }))
        .where('id', '=', camera.id)
        .where('edge_id', '=', edgeId)
        .execute()
    return {
      versao: edge.desejado_versao,
      identity: instance.identity,
      restarted: before.instancia !== relato.instancia,
      certificateReplaced: await revokeReplaced(tx, edgeId, relato.certificado.sha256, now),
    }
  })

const maskReport = (mascarada: boolean | undefined, isCurrent: boolean): 0 | 1 | null =>
  mascarada === undefined ? null : mascarada && isCurrent ? 1 : 0

/**
 * The time at which masks were applied stays until the edge reports a camera without them, for example a program of
 * before masks. A report about an older configuration says nothing about the current masks.
 */
function maskTimes(
  eb: ExpressionBuilder<Tables, 'cameras'>,
  mascarada: boolean | undefined,
  isCurrent: boolean,
  now: number,
) {
  if (mascarada === true)
    return isCurrent ? { mascara_aplicada_em: eb.fn.coalesce('mascara_aplicada_em', eb.val(now)) } : {}
  const began = eb.case().when('mascara_aplicada_em', 'is', null).then(eb.ref('mascara_desde')).else(now).end()
  return { mascara_desde: began, mascara_aplicada_em: null }
}

interface InstanceColumns {
  readonly instancia: string | null
  readonly instancia_anterior: string | null
  readonly duplicado_em: number | null
}

/**
 * Each start of an edge's program has its own id. A new id means a restart. An id that returns after another one proves
 * that two programs use the identity.
 */
function followInstance(
  before: InstanceColumns,
  instancia: string,
  now: number,
): { readonly columns: InstanceColumns; readonly identity: SavedReport['identity'] } {
  const changed = before.instancia !== instancia
  const columns = changed
    ? { instancia, instancia_anterior: before.instancia }
    : { instancia, instancia_anterior: before.instancia_anterior }
  if (changed && before.instancia_anterior === instancia) {
    const identity = before.duplicado_em === null ? 'duplicated' : null
    return { columns: { ...columns, duplicado_em: now }, identity }
  }
  const settled = before.duplicado_em !== null && !isDuplicated(before.duplicado_em, now)
  return {
    columns: { ...columns, duplicado_em: settled ? null : before.duplicado_em },
    identity: settled ? 'settled' : null,
  }
}
