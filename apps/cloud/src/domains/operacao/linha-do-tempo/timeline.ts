import { invalid } from '@vigia/contracts/errors'
import { incidenteSchema } from '@vigia/contracts/incidentes'
import {
  type LinhaDaCamera,
  type LinhaDoTempo,
  type LinhaDoTempoQuery,
  MAX_HORAS_LINHA,
  MAX_MARCAS_CAMERA,
} from '@vigia/contracts/linha-do-tempo'
import type { Clock } from '../../../adapters/clock.ts'
import { viewUncertain } from '../../../db/hora-incerta.ts'
import { splitTipos } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { requireCamera } from '../../locais/public.ts'
import { reasonText } from '../quedas/view-queda.ts'
import { WRITE_MS } from './presence.ts'
import {
  countCameras,
  firstCreation,
  firstPresence,
  listCamerasPage,
  listIncidentesOf,
  listPresences,
  listQuedasOf,
  type Period,
} from './store.ts'
import { uncovered } from './uncovered.ts'

interface TimelineDeps {
  readonly db: Database
  readonly clock: Clock
}

const HOUR_MS = 3_600_000
const { tipos: tiposSchema } = incidenteSchema.shape
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/**
 * Returns incidentes and quedas of a day for one page of cameras, and when nobody watched their Empresas.
 * @throws VigiaError `nao_encontrado`, `validacao` for a period that is inverted or longer than a day
 */
export async function readTimeline(
  { db, clock }: TimelineDeps,
  caller: Caller,
  query: LinhaDoTempoQuery,
): Promise<LinhaDoTempo> {
  const { desde = 0, ate = 0 } = readPeriod(query)
  if (ate - desde > MAX_HORAS_LINHA * HOUR_MS)
    throw invalid(['query', 'ate'], `Peça no máximo ${MAX_HORAS_LINHA} horas.`, 'period_too_long')
  const period = { desde, ate }
  const empresas = await narrowScope(db, caller, query.empresa_id)
  if (query.camera_id !== undefined) await requireCamera(db, caller, query.camera_id)
  if (empresas?.length === 0) return { cameras: [], total: 0, sem_vigia: [], registro_desde: null }
  const first = await firstPresence(db)
  const registro_desde = await knownSince(db, first, empresas)

  const filter = { empresas, cameraId: query.camera_id }
  const page = await listCamerasPage(db, filter, { limit: query.limit, offset: (query.pagina - 1) * query.limit })
  const ids = page.map(({ id }) => id)
  const byCamera = ({ camera_id }: { readonly camera_id: number | null }) => camera_id
  const quedas = Map.groupBy(await listQuedasOf(db, ids, period), byCamera)
  const incidentes = Map.groupBy(await listIncidentesOf(db, ids, period, MAX_MARCAS_CAMERA + 1), byCamera)
  const owners = [...new Set(page.map(({ empresa_id }) => empresa_id))]
  return {
    cameras: page.map((camera) => lineOf(camera, incidentes.get(camera.id) ?? [], quedas.get(camera.id) ?? [])),
    total: await countCameras(db, filter),
    sem_vigia: await Promise.all(
      owners.map(async (id) => unwatched(db, id, period, await knownSince(db, first, [id]), clock.now())),
    ),
    registro_desde: registro_desde === null ? null : instant(registro_desde),
  }
}

/**
 * The time since which presences of these Empresas are known. The first one of the installation is of another tenant,
 * perhaps, and older than all of them. @param empresas null: the whole installation
 */
async function knownSince(db: Database, first: number | null, empresas: readonly number[] | null) {
  if (first === null || empresas === null) return first
  const created = await firstCreation(db, empresas)
  return created === null ? null : Math.max(first, created)
}

function lineOf(
  { id, nome, empresa_id }: Awaited<ReturnType<typeof listCamerasPage>>[number],
  incidentes: Awaited<ReturnType<typeof listIncidentesOf>>,
  quedas: Awaited<ReturnType<typeof listQuedasOf>>,
): LinhaDaCamera {
  return {
    camera_id: id,
    camera_nome: nome,
    empresa_id,
    cortada: incidentes.length > MAX_MARCAS_CAMERA || quedas.length > MAX_MARCAS_CAMERA,
    incidentes: incidentes.slice(0, MAX_MARCAS_CAMERA).map((row) => ({
      id: row.id,
      inicio: instant(row.inicio),
      fim: instant(row.fim),
      ...viewUncertain(row),
      tipos: tiposSchema.parse(splitTipos(row.tipos)),
      prova: row.prova === 1,
      gravidade: row.gravidade,
      veredito: row.situacao,
      atendido: row.resposta !== null,
      capa_evento_id: row.capa_evento_id,
    })),
    quedas: quedas.slice(0, MAX_MARCAS_CAMERA).map((row) => ({
      id: row.id,
      inicio: instant(row.inicio),
      fim: row.fim === null ? null : instant(row.fim),
      motivo: row.motivo,
      motivo_texto: reasonText(row.motivo),
    })),
  }
}

/** The times from the first known presence on in which nobody watched. A recorded end is up to `WRITE_MS` early. */
async function unwatched(db: Database, empresaId: number, { desde, ate }: Period, since: number | null, now: number) {
  const whole = { inicio: Math.max(desde, since ?? ate), fim: Math.min(ate, now) }
  const periodos = uncovered(whole, await listPresences(db, empresaId, { desde, ate }), 2 * WRITE_MS)
  return {
    empresa_id: empresaId,
    periodos: periodos.map(({ inicio, fim }) => ({ inicio: instant(inicio), fim: instant(fim) })),
  }
}
