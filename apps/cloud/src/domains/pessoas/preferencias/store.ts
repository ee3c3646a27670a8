import { type Preferencias, type PreferenciasPatch, preferenciasSchema } from '@vigia/contracts/preferencias'
import type { Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

const view = (row: Selectable<Tables['preferencias']> | undefined): Preferencias =>
  preferenciasSchema.parse({
    frases: JSON.parse(row?.frases_json ?? '[]'),
    mosaicos: JSON.parse(row?.mosaicos_json ?? '[]'),
  })

export const findPreferencias = async (db: Database, usuarioId: number): Promise<Preferencias> =>
  view(await db.selectFrom('preferencias').selectAll().where('usuario_id', '=', usuarioId).executeTakeFirst())

/** Replaces the sent lists in one statement, so that two screens of a login lose no list of the other. */
export async function savePreferencias(
  db: Database,
  usuarioId: number,
  { frases, mosaicos }: PreferenciasPatch,
): Promise<Preferencias> {
  const sent = {
    ...(frases && { frases_json: JSON.stringify(frases) }),
    ...(mosaicos && { mosaicos_json: JSON.stringify(mosaicos) }),
  }
  if (Object.keys(sent).length === 0) return findPreferencias(db, usuarioId)
  return view(
    await db
      .insertInto('preferencias')
      .values({ usuario_id: usuarioId, ...sent })
      .onConflict((oc) => oc.column('usuario_id').doUpdateSet(sent))
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}
