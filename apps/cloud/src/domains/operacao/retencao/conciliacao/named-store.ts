import { copyOf, filesOfCrop, mediaFolders, namedByRow, some } from '../../../../db/named-files.ts'
import type { Database } from '../../../../db/open.ts'
import { filesOfPassagem } from '../../../../db/passagens.ts'

type Folder = (typeof mediaFolders)[number]

const isFolder = (name: string): name is Folder => (mediaFolders as readonly string[]).includes(name)

const UUID = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/]*$/

/** UUID of the record that a file belongs to, which its name begins with; null: not a name that the cloud gives. */
export function uuidOf(path: string): string | null {
  const [folder = ''] = path.split('/')
  return isFolder(folder) ? (UUID.exec(path)?.[1] ?? null) : null
}

/** Those of these paths that a record names, or that are listed for deletion. */
export async function namedAmong(db: Database, paths: readonly string[]): Promise<Set<string>> {
  const uuids = [...new Set(paths.flatMap((path) => uuidOf(path) ?? []))]
  if (uuids.length === 0) return new Set()
  const eventos = await db
    .selectFrom('eventos')
    .select(['crop_path', 'quadro_path'])
    .where('uuid', 'in', uuids)
    .execute()
  const clipes = await db
    .selectFrom('clipes')
    .select(['caminho', 'tira', 'copia_sha256'])
    .where('uuid', 'in', uuids)
    .execute()
  const evidencias = await db.selectFrom('evidencias').select('caminho').where('uuid', 'in', uuids).execute()
  const descartados = await db.selectFrom('descartados').select('caminho').where('uuid', 'in', uuids).execute()
  // The name of a picture begins with the UUID of its record.
  const passagens = await db
    .selectFrom('registros_passagem')
    .innerJoin('passagens', 'passagens.id', 'registros_passagem.passagem_id')
    .select(['foto_path', 'foto_placa_path', 'dataset_path'])
    .where('registros_passagem.uuid', 'in', uuids)
    .execute()
  const listed = await db.selectFrom('midias_a_apagar').select('caminho').where('caminho', 'in', paths).execute()
  return new Set([
    ...eventos.flatMap(({ crop_path, quadro_path }) => [...filesOfCrop(crop_path), ...some(quadro_path)]),
    ...passagens.flatMap(filesOfPassagem),
    ...clipes.flatMap((clipe) => [clipe.caminho, ...some(clipe.tira), ...copyOf(clipe)]),
    ...[...evidencias, ...descartados, ...listed].flatMap(({ caminho }) => some(caminho)),
  ])
}

/** Files that the next records of a kind name, by id, and the id of the last one; null: there are no more. */
type NamedFiles = (
  db: Database,
  after: number,
  limit: number,
) => Promise<{ readonly paths: readonly string[]; readonly last: number } | null>

const batchOf = <Row extends { readonly id: number }>(rows: readonly Row[], files: (row: Row) => string[]) => {
  const last = rows.at(-1)
  return last ? { paths: rows.flatMap(files), last: last.id } : null
}

/** Reads the files that each kind of record names, in the order of ids. */
export const namedFiles: readonly NamedFiles[] = [
  async (db, after, limit) =>
    batchOf(
      await db
        .selectFrom('passagens')
        .select(['id', 'foto_path', 'foto_placa_path', 'dataset_path'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
      namedByRow.passagens,
    ),
  async (db, after, limit) =>
    batchOf(
      await db
        .selectFrom('eventos')
        .select(['id', 'crop_path', 'quadro_path'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
      namedByRow.eventos,
    ),
  async (db, after, limit) =>
    batchOf(
      await db
        .selectFrom('clipes')
        .select(['id', 'caminho', 'tira', 'estado', 'copia_sha256'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
      namedByRow.clipes,
    ),
  ...(['evidencias', 'descartados'] as const).map(
    (table): NamedFiles =>
      async (db, after, limit) =>
        batchOf(
          await db
            .selectFrom(table as 'descartados')
            .select(['id', 'caminho'])
            .where('id', '>', after)
            .orderBy('id')
            .limit(limit)
            .execute(),
          namedByRow[table],
        ),
  ),
]
