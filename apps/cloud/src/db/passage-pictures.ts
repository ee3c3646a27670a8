import type { Database } from './open.ts'
import type { EventoRow } from './rows.ts'

type Pictured = Pick<EventoRow, 'id' | 'crop_path' | 'passagem_id'>

/**
 * Pictures of passages that only these deleted events named: a passage shows its newest picture, and is deleted apart.
 */
export async function unnamedPassagePictures(tx: Database, gone: readonly Pictured[]): Promise<string[]> {
  const pictured = gone.filter(({ crop_path }) => crop_path?.startsWith('passagens/'))
  const ids = [...new Set(pictured.flatMap(({ passagem_id }) => passagem_id ?? []))]
  if (ids.length === 0) return []
  const passagens = await tx.selectFrom('passagens').select('foto_path').where('id', 'in', ids).execute()
  const eventos = await tx.selectFrom('eventos').select('crop_path').where('passagem_id', 'in', ids).execute()
  const named = new Set([...passagens.map(({ foto_path }) => foto_path), ...eventos.map(({ crop_path }) => crop_path)])
  const paths = pictured.flatMap(({ crop_path, passagem_id }) =>
    passagem_id === null || crop_path === null || named.has(crop_path) ? [] : crop_path,
  )
  return [...new Set(paths)]
}
