import type { Database } from '../db/open.ts'
import { DAY_MS, type Seeded, seedEvento } from './retention-records.ts'

export async function countEventos(db: Database) {
  const count = async (table: 'eventos' | 'clipes') => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  return { eventos: await count('eventos'), clipes: await count('clipes') }
}

export async function heldKinds(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('apagamentos_retidos').select('tipo').where('confirmado', '=', 0).execute()
  return rows.map(({ tipo }) => tipo).sort()
}

/** A report of the box: its clock minus that of the cloud, at a time of ages. */
export const setBoxClock = async (
  db: Database,
  edgeId: number,
  { ms, em, local = false }: { readonly ms: number; readonly em: number; readonly local?: boolean },
): Promise<void> => {
  await db
    .updateTable('edges')
    .set({ desvio_central_ms: ms, desvio_em: em, local: local ? 1 : 0 })
    .where('id', '=', edgeId)
    .execute()
}

/** Answered events without pictures, older than the retention or new. */
export async function seedOldEventos(
  seeded: Seeded,
  { old, young, at }: { readonly old: number; readonly young: number; readonly at: number },
): Promise<void> {
  for (let i = 0; i < old + young; i += 1)
    await seedEvento(seeded, i < old ? at - 91 * DAY_MS : at, { resposta: 'falso' })
  await seeded.db.updateTable('eventos').set({ crop_path: null, quadro_path: null }).execute()
}
