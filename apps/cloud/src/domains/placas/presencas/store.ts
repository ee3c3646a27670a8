import { MAX_PERCURSO } from '@vigia/contracts/presencas'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import type { PassagemRow } from '../../../db/rows.ts'
import type { Movement } from './open-stays.ts'

/** Entries older than this are not paired. */
const WINDOW_MS = 30 * 86_400_000
/** Largest error of an edge's clock. */
const SKEW_MS = 86_400_000
/** Passages that one statement reads on SQLite, and arrivals of one statement if there are more. */
const FEW = 2_000
const WINDOW_PART_MS = 6 * 3_600_000
/** Largest number of rows that one pairing reads. */
const MAX_MOVEMENTS = 20_000

export type MovementRow = Movement &
  Pick<PassagemRow, 'id' | 'camera_id' | 'camera_nome' | 'situacao' | 'veiculo' | 'foto_path' | 'encerrada_por'>

interface MovementsFilter {
  /** null: every Empresa. */
  readonly empresas: readonly number[] | null
  /** undefined: every `local`. */
  readonly local?: string | null | undefined
  /** Cloud clock, epoch ms. */
  readonly now: number
}

const columns = [
  ...(['id', 'empresa_id', 'camera_id', 'camera_nome', 'local', 'placa', 'sentido', 'ocorrido_em'] as const),
  ...(['situacao', 'veiculo', 'foto_path', 'encerrada_em', 'encerrada_por'] as const),
]

/**
 * Newest entries and exits with a plate of the last 30 days, in ascending order of time. On SQLite they are read in
 * short windows of their arrival, so that the thread serves other requests in between (db/thread-share.ts).
 */
export async function recentMovements(db: Database, { empresas, local, now }: MovementsFilter): Promise<MovementRow[]> {
  const since = now - WINDOW_MS
  // A passage of the edge's last 30 days arrived since then, unless its clock was wrong by more than a day.
  const first = since - SKEW_MS
  const scope = await scopeOf(db, empresas)
  const isOnePart = isPostgres(db) || (await arrived(db, scope, first)) <= FEW
  const lengthMs = isOnePart ? Number.MAX_SAFE_INTEGER : WINDOW_PART_MS
  const found: MovementRow[] = []
  let [desde, ate] = [now - lengthMs, Number.MAX_SAFE_INTEGER]
  for (; ate > first && found.length < MAX_MOVEMENTS; ate = desde, desde -= lengthMs) {
    const rows = await db
      .selectFrom('passagens')
      .select(columns)
      .where('empresa_id', 'in', scope)
      .where('recebida_em', '>=', Math.max(first, desde))
      .where('recebida_em', '<', ate)
      .$if(local !== undefined, (qb) => qb.where('local', 'is not distinct from', local ?? null))
      .where('sentido', 'is not', null)
      .where('placa', 'is not', null)
      .where('ocorrido_em', '>=', since)
      .orderBy('recebida_em', 'desc')
      .limit(MAX_MOVEMENTS - found.length)
      .execute()
    for (const row of rows) if (isMovement(row)) found.push(row)
  }
  return found.sort((a, b) => a.ocorrido_em - b.ocorrido_em || a.id - b.id)
}

/** Number of passages that arrived since then, at most one more than `FEW`. */
async function arrived(db: Database, scope: readonly number[], since: number): Promise<number> {
  const own = db
    .selectFrom('passagens')
    .select('recebida_em')
    .where('empresa_id', 'in', scope)
    .where('recebida_em', '>=', since)
    .limit(FEW + 1)
  const { n } = await db
    .selectFrom(own.as('recentes'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Newest passages of one plate, newest first. */
export async function passagesOfPlate(
  db: Database,
  { empresas, placa }: { readonly empresas: readonly number[] | null; readonly placa: string },
): Promise<PassagemRow[]> {
  // In a subquery, because SQLite would read the passages of all plates in the order of the list.
  const ids = db
    .selectFrom('passagens')
    .select('id')
    .where('empresa_id', 'in', await scopeOf(db, empresas))
    .where('placa', '=', placa)
  return db
    .selectFrom('passagens')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('ocorrido_em', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_PERCURSO)
    .execute()
}

/** The indexes begin with the Empresa. @param empresas null: every Empresa */
const scopeOf = async (db: Database, empresas: readonly number[] | null): Promise<readonly number[]> =>
  empresas ?? (await db.selectFrom('empresas').select('id').execute()).map(({ id }) => id)

/** Ends the stay of this entry by hand. @returns undefined: it has ended by hand before */
export const endStay = (
  tx: Database,
  id: number,
  values: { readonly encerrada_em: number; readonly encerrada_por: string },
): Promise<PassagemRow | undefined> =>
  tx
    .updateTable('passagens')
    .set(values)
    .where('id', '=', id)
    .where('encerrada_em', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Whether a passage is an entry or an exit with a plate. */
export const isMovement = <R extends Pick<PassagemRow, 'placa' | 'sentido'>>(
  row: R,
): row is R & { readonly placa: string; readonly sentido: 'entrada' | 'saida' } =>
  row.placa !== null && row.sentido !== null
