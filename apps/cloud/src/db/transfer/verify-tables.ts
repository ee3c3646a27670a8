import { DataError } from '../errors.ts'
import { type RowSource, type RowTarget, sumOf, type TableSum } from './rows.ts'
import type { TableSchema } from './schema.ts'

/** The part of a progress bar that a comparison uses. */
interface Steps {
  begin(label: string, total: number | null): void
  add(count: number): void
}

interface Comparison {
  readonly target: RowTarget
  readonly tables: readonly TableSchema[]
  /** Count and checksum of the source by table. */
  readonly expected: ReadonlyMap<string, TableSum>
  readonly progress: Steps
}

/** Reads the whole target. @throws DataError with the names of tables that differ from the source */
export async function verifyTables({ target, tables, expected, progress }: Comparison): Promise<void> {
  const stored = await target.read()
  try {
    const sums = await sumTables({ source: stored, tables, label: 'Conferência do banco', progress })
    const different = tables.flatMap(({ name }) => {
      const [was, is] = [expected.get(name), sums.get(name)]
      return was && was.rows === is?.rows && was.sum === is.sum ? [] : [`${name} (${was?.rows} → ${is?.rows})`]
    })
    if (different.length > 0)
      throw new DataError(
        `As linhas copiadas não são iguais às da origem: ${different.join(', ')}. ` +
          'O serviço não inicia com este banco. Esvazie-o e tente de novo.',
      )
  } finally {
    await stored.close()
  }
}

interface Sums {
  readonly source: RowSource
  readonly tables: readonly TableSchema[]
  readonly label: string
  readonly progress: Steps
}

/** Counts and checksums of all tables. */
export async function sumTables({ source, tables, label, progress }: Sums): Promise<Map<string, TableSum>> {
  progress.begin(label, await countRows(source, tables))
  const sums = new Map<string, TableSum>()
  for (const table of tables) sums.set(table.name, await sumOf(source, table, (count) => progress.add(count)))
  return sums
}

export async function countRows(source: RowSource, tables: readonly TableSchema[]): Promise<number> {
  let total = 0
  for (const table of tables) total += await source.count(table)
  return total
}
