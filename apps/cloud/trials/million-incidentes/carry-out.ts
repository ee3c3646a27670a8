import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { below, type Check, holds, resultOf } from '@vigia/testing/checks'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { findIncidentes } from '../../src/db/incidentes.ts'
import type { Tables } from '../../src/db/tables.ts'
import {
  countIncidentes,
  type IncidenteFilter,
  listPositions,
} from '../../src/domains/eventos/incidentes/list-store.ts'
import { NOW, SUBTREE } from '../../src/test/stores/million-events-store.ts'
import { fillIncidentes } from '../../src/test/stores/million-incidentes-store.ts'

const DAY = 86_400_000
/** Number of the slowest statements in the table. */
const SHOWN = 5

/** Compares every filter with a scan, and measures its statements. */
export async function carryOut(total: number, { progress }: TrialOutput): Promise<Result> {
  const dir = temporaryFolder('vigia-incidentes-')
  progress(0, 'fills the database')
  await fillIncidentes(join(dir, 'vigia.db'), total)
  const sqlite = new SqliteDatabase(join(dir, 'vigia.db'))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  try {
    progress(0.3, 'compares with a scan')
    const wrong = await findWrong(db, scan(sqlite))
    progress(0.6, 'measures')
    return resultOf([
      holds('every filter and page as by a scan', wrong.length === 0, wrong.slice(0, 3).join('; ')),
      ...(await measureCosts(db, total)),
    ])
  } finally {
    await db.destroy()
    await rm(dir, { recursive: true, force: true })
  }
}

const all: IncidenteFilter = {
  empresas: null,
  cameraId: undefined,
  tipo: undefined,
  gravidade: undefined,
  situacao: undefined,
  atendido: undefined,
  revisado: undefined,
  prova: undefined,
  desde: undefined,
  ate: undefined,
}
const scopes = { operator: null, integrator: SUBTREE, large: [2], small: [202], several: [7, 202] }
const filters: Readonly<Record<string, Partial<IncidenteFilter>>> = {
  none: {},
  queue: { atendido: false },
  'rare type': { tipo: 'fogo' },
  'queue of a severity': { atendido: false, gravidade: 'media' },
  'rare and answered': { tipo: 'fogo', atendido: true, revisado: true },
  'absent type': { tipo: 'placa' },
  verdict: { situacao: 'confirmado', revisado: false },
  camera: { cameraId: 42 },
  week: { desde: NOW - 7 * DAY, ate: NOW },
  'old months': { ate: NOW - 200 * DAY, gravidade: 'alta' },
  'before all': { ate: NOW - 400 * DAY },
}
const cases = Object.entries(scopes).flatMap(([scope, empresas]) =>
  Object.entries(filters).map(([name, filter]): [string, IncidenteFilter] => [
    `${scope}, ${name}`,
    { ...all, empresas, ...filter },
  ]),
)

/** The positions of all incidentes of a filter, newest first, by a scan in JavaScript. */
function scan(sqlite: SqliteDatabase.Database): (filter: IncidenteFilter) => { em: number; id: number }[] {
  const rows = sqlite
    .prepare(`select id, inicio, empresa_id, camera_id, gravidade, tipos, situacao, resposta, revisados
      from incidentes order by inicio desc, id desc`)
    .raw()
    .all() as [number, number, number, number, string, string, string, string | null, number][]
  return ({ empresas, cameraId, tipo, gravidade, situacao, atendido, revisado, desde, ate }) => {
    const owners = empresas && new Set(empresas)
    return rows.flatMap(([id, em, empresa, camera, severity, tipos, verdict, resposta, revisados]) => {
      const queue = resposta === null && verdict !== 'refutado'
      const fits =
        (!owners || owners.has(empresa)) &&
        (cameraId === undefined || camera === cameraId) &&
        (tipo === undefined || tipos.includes(`|${tipo}|`)) &&
        (gravidade === undefined || severity === gravidade) &&
        (situacao === undefined || verdict === situacao) &&
        (atendido === undefined || (atendido ? resposta !== null : queue)) &&
        (revisado === undefined || revisados > 0 === revisado) &&
        em >= (desde ?? 0) &&
        em < (ate ?? Number.POSITIVE_INFINITY)
      return fits ? [{ em, id }] : []
    })
  }
}

/** Filters and pages with another result than that of the scan. */
async function findWrong(db: Kysely<Tables>, reference: ReturnType<typeof scan>): Promise<string[]> {
  const wrong: string[] = []
  for (const [name, filter] of cases) {
    const expected = reference(filter)
    if ((await countIncidentes(db, filter)) !== expected.length) wrong.push(`${name}: count`)
    const middle = expected[Math.floor(expected.length / 2)] ?? null
    for (const page of [
      { after: null, limit: 51, offset: 0 },
      { after: null, limit: 11, offset: 700 },
      { after: middle, limit: 51, offset: 0 },
    ]) {
      const rest = page.after === null ? expected : expected.slice(Math.floor(expected.length / 2) + 1)
      const found = await listPositions(db, filter, page)
      if (!isDeepStrictEqual(found, rest.slice(page.offset, page.offset + page.limit)))
        wrong.push(`${name}: ${JSON.stringify(page)}`)
    }
  }
  return wrong
}

/** Processor time in ms: the best of three runs, or of ten while it is not below `enoughMs`. */
async function cpuMs(run: () => Promise<unknown>, enoughMs = Number.POSITIVE_INFINITY): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < (best < enoughMs ? 3 : 10); i += 1) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** The slowest statements beside a limit from the look-up of 200 whole rows, which is the minimum cost of any list. */
async function measureCosts(db: Kysely<Tables>, total: number): Promise<Check[]> {
  const ids = Array.from({ length: 200 }, (_, i) => 1 + ((i * 4999) % total))
  const lookup = await cpuMs(() => findIncidentes(db, ids))
  const limitMs = Math.max(total / 5000, (total / 10_000) * lookup)
  const costs: [string, number][] = []
  for (const [name, filter] of cases) {
    const page = { after: null, limit: 51, offset: 0 }
    costs.push([`${name}: count`, await cpuMs(() => countIncidentes(db, filter), limitMs)])
    costs.push([`${name}: page`, await cpuMs(() => listPositions(db, filter, page), limitMs)])
  }
  const slowest = costs.toSorted(([, a], [, b]) => b - a).slice(0, SHOWN)
  return slowest.map(([name, ms]) => below(name, ms, limitMs, 'ms of the processor'))
}
