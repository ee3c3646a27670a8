import type { Relato } from '@vigia/contracts/edge-state'
import type { Database } from '../../db/open.ts'

/** Marks the edge as there (or gone). False when no activated edge has that id. */
export async function savePresence(db: Database, edgeId: number, online: boolean, agora: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('edges')
    .set(online ? { presente: 1, visto_em: agora } : { presente: 0 })
    .where('id', '=', edgeId)
    .where('ativado_em', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Writes a report in one transaction: the edge itself and those of the cameras that are its own; the others are passed
 * over. Returns the version of the desired state, or null when no activated edge has that id.
 */
export const saveReport = (db: Database, edgeId: number, relato: Relato, agora: number): Promise<number | null> =>
  db.transaction().execute(async (tx) => {
    const { cameras, ...rest } = relato
    const edge = await tx
      .updateTable('edges')
      .set({ presente: 1, visto_em: agora, relato_json: JSON.stringify(rest) })
      .where('id', '=', edgeId)
      .where('ativado_em', 'is not', null)
      .returning('desejado_versao')
      .executeTakeFirst()
    if (!edge) return null
    for (const camera of cameras)
      await tx
        .updateTable('cameras')
        .set({
          relato_estado: camera.estado,
          relato_motivo: camera.motivo,
          relato_complemento: camera.complemento,
          relato_em: agora,
          ias_sem_suporte_json: JSON.stringify(camera.ias_sem_suporte),
          // The age was measured on the edge's own clock: the cloud's clock minus that age needs no agreement of clocks.
          ...(camera.ultimo_frame_ha_ms !== null && {
            ultimo_frame_em: Math.max(0, agora - Math.round(camera.ultimo_frame_ha_ms)),
          }),
          ...(camera.codec !== null && { codec: camera.codec }),
          ...(camera.resolucao !== null && { resolucao: camera.resolucao }),
          ...(camera.fps !== null && { fps: camera.fps }),
        })
        .where('id', '=', camera.id)
        .where('edge_id', '=', edgeId)
        .execute()
    return edge.desejado_versao
  })
