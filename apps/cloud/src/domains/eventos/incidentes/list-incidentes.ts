import type { Incidente, IncidentesQuery } from '@vigia/contracts/incidentes'
import { findIncidentes } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { readTimeCursor, writeTimeCursor } from '../../../http/page-cursor.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { incidenteFor } from '../eventos/mask-plates.ts'
import { countIncidentes, type IncidenteFilter, listPositions } from './list-store.ts'
import { viewIncidente } from './view-incidente.ts'

interface IncidentePage {
  readonly incidentes: Incidente[]
  /** Number on all pages together. */
  readonly total: number
  /** Cursor of the next page; null on the last. */
  readonly proximo: string | null
}

const flag = (value: 'true' | 'false' | undefined) => (value === undefined ? undefined : value === 'true')

/**
 * Returns one page of the incidentes in scope, newest first by `inicio`.
 * @throws VigiaError `nao_encontrado`, `validacao`
 */
export async function listVisibleIncidentes(
  { db }: { readonly db: Database },
  caller: Caller,
  query: IncidentesQuery,
): Promise<IncidentePage> {
  const after = query.cursor === undefined ? null : readTimeCursor(query.cursor)
  const period = readPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  if (empresas?.length === 0) return { incidentes: [], total: 0, proximo: null }
  const filter: IncidenteFilter = {
    empresas,
    cameraId: query.camera_id,
    tipo: query.tipo,
    gravidade: query.gravidade,
    situacao: query.veredito,
    atendido: flag(query.atendido),
    revisado: flag(query.revisado),
    prova: flag(query.prova),
    ...period,
  }
  const total = await countIncidentes(db, filter)
  // Reads one more than requested, to detect a next page.
  const found = await listPositions(db, filter, { after, limit: query.limit + 1, offset: query.offset })
  const shown = found.slice(0, query.limit)
  const last = shown.at(-1)
  const rows = await findIncidentes(
    db,
    shown.map(({ id }) => id),
  )
  return {
    incidentes: rows.map((row) => incidenteFor(caller, viewIncidente(row))),
    total,
    proximo: last !== undefined && found.length > query.limit ? writeTimeCursor(last) : null,
  }
}
