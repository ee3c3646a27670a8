import type { Selectable } from 'kysely'
import { lengths, periodOf } from './evento-periods.ts'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

type CountRow = Selectable<Tables['contagens_eventos']>

/** Fields of an event that determine its counts; `ocorrido_em` in epoch ms. */
interface Counted {
  readonly id: number
  readonly empresa_id: number
  readonly camera_id: number
  readonly tipo: string
  readonly gravidade: CountRow['gravidade']
  readonly ocorrido_em: number
}

/** Class of a counted event: its verdict and the label of its review. */
interface CountedAs {
  readonly situacao: CountRow['situacao']
  readonly rotulo: 'confirmado' | 'refutado' | null
}

type Change = Pick<CountRow, 'situacao' | 'n' | 'revisados_confirmado' | 'revisados_refutado'>

const change = ({ situacao, rotulo }: CountedAs, by: 1 | -1): Change => ({
  situacao,
  n: by,
  revisados_confirmado: rotulo === 'confirmado' ? by : 0,
  revisados_refutado: rotulo === 'refutado' ? by : 0,
})

/**
 * Returns the additions of `to` and the removals of `from`. Equal classes give one change, because a statement may name
 * a row only once.
 */
function changes(from: CountedAs | null, to: CountedAs): Change[] {
  const added = change(to, 1)
  if (from === null) return [added]
  const taken = change(from, -1)
  if (from.situacao !== to.situacao) return [taken, added]
  return [
    {
      situacao: to.situacao,
      n: 0,
      revisados_confirmado: added.revisados_confirmado + taken.revisados_confirmado,
      revisados_refutado: added.revisados_refutado + taken.revisados_refutado,
    },
  ]
}

/** Returns the count rows that one event changes. */
function rowsOf(event: Counted, from: CountedAs | null, to: CountedAs): CountRow[] {
  const { id, empresa_id, camera_id, tipo, gravidade, ocorrido_em } = event
  const owners = [
    { camera_id: 0, empresa_id: 0 },
    { camera_id: 0, empresa_id },
    { camera_id, empresa_id },
  ]
  return changes(from, to).flatMap((moved) =>
    owners.flatMap((owner) =>
      lengths.map((dias) => ({
        ...owner,
        dias,
        periodo: periodOf(dias, ocorrido_em),
        tipo,
        gravidade,
        ...moved,
        menor_id: id,
        maior_id: id,
      })),
    ),
  )
}

const keyOf = ({ dias, camera_id, empresa_id, periodo, tipo, gravidade, situacao }: CountRow): string =>
  [camera_id, empresa_id, dias, periodo, tipo, gravidade, situacao].join('|')

/** Counts new events without a verdict; call it in the transaction that inserts them. */
export async function countNew(tx: Database, events: readonly Counted[]): Promise<void> {
  const sums = new Map<string, CountRow>()
  for (const row of events.flatMap((event) => rowsOf(event, null, { situacao: 'pendente', rotulo: null }))) {
    const sum = sums.get(keyOf(row))
    sums.set(keyOf(row), {
      ...row,
      n: row.n + (sum?.n ?? 0),
      menor_id: Math.min(row.menor_id, sum?.menor_id ?? row.menor_id),
      maior_id: Math.max(row.maior_id, sum?.maior_id ?? row.maior_id),
    })
  }
  await addRows(tx, [...sums.values()])
}

/** Moves an event from one class to another; call it in the transaction that changes the event. */
export async function moveCounts(tx: Database, event: Counted, from: CountedAs, to: CountedAs): Promise<void> {
  await addRows(tx, rowsOf(event, from, to))
  if (from.situacao === to.situacao) return
  await dropEmpty(tx, event, from.situacao)
}

/** Removes deleted events from the counts, in the transaction that deletes them. */
export async function countGone(tx: Database, events: readonly (Counted & CountedAs)[]): Promise<void> {
  const sums = new Map<string, CountRow>()
  for (const event of events)
    for (const row of rowsOf(event, null, event)) {
      const sum = sums.get(keyOf(row))
      sums.set(keyOf(row), {
        ...row,
        n: (sum?.n ?? 0) - row.n,
        revisados_confirmado: (sum?.revisados_confirmado ?? 0) - row.revisados_confirmado,
        revisados_refutado: (sum?.revisados_refutado ?? 0) - row.revisados_refutado,
      })
    }
  await addRows(tx, [...sums.values()])
  const classOf = ({ camera_id, empresa_id, tipo, gravidade, situacao, ocorrido_em }: Counted & CountedAs) =>
    [camera_id, empresa_id, tipo, gravidade, situacao, periodOf(1, ocorrido_em)].join('|')
  const classes = new Map(events.map((event) => [classOf(event), event]))
  for (const event of classes.values()) await dropEmpty(tx, event, event.situacao)
}

/**
 * Adds `rows` to the counts. All writers use the same row order, which prevents deadlocks in databases with row locks.
 */
async function addRows(tx: Database, rows: readonly CountRow[]): Promise<void> {
  await tx
    .insertInto('contagens_eventos')
    .values(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(['dias', 'camera_id', 'empresa_id', 'periodo', 'tipo', 'gravidade', 'situacao'])
        .doUpdateSet((eb) => {
          const sum = (column: 'n' | 'revisados_confirmado' | 'revisados_refutado') =>
            eb(`contagens_eventos.${column}`, '+', eb.ref(`excluded.${column}`))
          // CASE is portable; minimum and maximum of two values differ between databases.
          const pick = (column: 'menor_id' | 'maior_id', better: '<' | '>') =>
            eb
              .case()
              .when(`excluded.${column}`, better, eb.ref(`contagens_eventos.${column}`))
              .then(eb.ref(`excluded.${column}`))
              .else(eb.ref(`contagens_eventos.${column}`))
              .end()
          return {
            n: sum('n'),
            revisados_confirmado: sum('revisados_confirmado'),
            revisados_refutado: sum('revisados_refutado'),
            menor_id: pick('menor_id', '<'),
            maior_id: pick('maior_id', '>'),
          }
        }),
    )
    .execute()
}

/** Deletes the rows of empty classes, so that their id bounds start again. */
async function dropEmpty(
  tx: Database,
  { camera_id, empresa_id, tipo, gravidade, ocorrido_em }: Counted,
  situacao: CountRow['situacao'],
): Promise<void> {
  await tx
    .deleteFrom('contagens_eventos')
    .where('dias', 'in', lengths)
    .where('camera_id', 'in', [0, camera_id])
    .where('empresa_id', 'in', [0, empresa_id])
    .where(
      'periodo',
      'in',
      lengths.map((dias) => periodOf(dias, ocorrido_em)),
    )
    .where('tipo', '=', tipo)
    .where('gravidade', '=', gravidade)
    .where('situacao', '=', situacao)
    .where('n', '=', 0)
    .execute()
}

/** Rows of one statement; SQLite accepts 32,766 values. */
const ROWS_AT_ONCE = 1_000

/** Deletes the counts of an Empresa whose events are deleted, and takes them from those of the installation. */
export async function dropCountsOf(tx: Database, empresaId: number): Promise<void> {
  const own = await tx
    .selectFrom('contagens_eventos')
    .selectAll()
    .where('camera_id', '=', 0)
    .where('empresa_id', '=', empresaId)
    .execute()
  const taken = own.map((row) => ({
    ...row,
    empresa_id: 0,
    n: -row.n,
    revisados_confirmado: -row.revisados_confirmado,
    revisados_refutado: -row.revisados_refutado,
  }))
  for (let i = 0; i < taken.length; i += ROWS_AT_ONCE) await addRows(tx, taken.slice(i, i + ROWS_AT_ONCE))
  await tx.deleteFrom('contagens_eventos').where('empresa_id', '=', empresaId).execute()
  await tx
    .deleteFrom('contagens_eventos')
    .where('camera_id', '=', 0)
    .where('empresa_id', '=', 0)
    .where('n', '=', 0)
    .execute()
}
