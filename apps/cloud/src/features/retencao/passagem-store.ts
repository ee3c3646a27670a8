import { listForDeletion } from './evento-store.ts'
import type { Take } from './log-store.ts'
import { recordRemoved } from './store.ts'

/** Passages with their records and pictures. Their events stay, without the picture. */
export const takePassagens: Take = (db, { empresaId, before, now, limit }) =>
  db.transaction().execute(async (tx) => {
    const chosen = tx
      .selectFrom('passagens')
      .select('id')
      .where('empresa_id', '=', empresaId)
      .where('recebida_em', '<', before)
      .orderBy('recebida_em')
      .limit(limit)
    const rows = await tx
      .deleteFrom('passagens')
      .where('id', 'in', (eb) => eb.selectFrom(chosen.as('c')).select('c.id'))
      .returning(['id', 'recebida_em', 'evento_id', 'foto_path', 'foto_placa_path'])
      .execute()
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    await tx.deleteFrom('registros_passagem').where('passagem_id', 'in', ids).execute()
    const files = rows.flatMap(({ foto_path, foto_placa_path }) =>
      [foto_path, foto_placa_path].flatMap((one) => one ?? []),
    )
    const eventos = rows.flatMap(({ evento_id }) => evento_id ?? [])
    if (eventos.length > 0)
      await tx
        .updateTable('eventos')
        .set({ crop_path: null })
        .where('id', 'in', eventos)
        .where('crop_path', 'in', files)
        .execute()
    await listForDeletion(tx, files)
    const times = rows.map(({ recebida_em }) => recebida_em)
    await recordRemoved(tx, { empresaId, tipo: 'passagens', times }, now)
    return rows.length
  })
