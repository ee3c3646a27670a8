import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import { type CameraWithEdge, listCamerasById } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, type Login, notFound } from '../../../http/caller.ts'
import { hidesView } from '../../../scope/unmasked.ts'
import { isOnline } from '../../locais/public.ts'
import { TILE_PX } from './live-picture.ts'
import type { Miniaturas } from './miniaturas.ts'
import type { Miniatura, MosaicCamera, MosaicViewer } from './mosaic-seats.ts'

export interface MosaicDeps {
  readonly db: Database
  readonly clock: Clock
  readonly miniaturas: Miniaturas
  /** Whether the session is still valid, and its scope. The host was checked when the mosaic was opened. */
  readonly authenticate: (token: string) => Promise<Login | null>
}

interface MosaicRequest {
  readonly ids: readonly number[]
  /** The camera in the large slot. */
  readonly grande: number | undefined
  readonly token: string
}

interface Mosaic {
  /** Pictures as fast as the viewer reads them, of each camera the newest. */
  readonly pictures: AsyncGenerator<Miniatura, void, void>
  /** Must be called at the end in every case; a second call has no effect. */
  leave(): void
}

/** Longer side of a small picture, in pixels. Sixteen of them and one of TILE_PX fit into 2 Mbit/s. */
const SMALL_PX = 320
/** Interval of the checks of the caller's rights. */
const CHECK_MS = 2_000
/** Time without any picture after which the mosaic ends, so that proxies keep no dead connection. */
const SILENT_MS = 45_000

/**
 * Opens the small pictures of several cameras. Cameras that are not online send none.
 * @throws VigiaError `nao_encontrado` (a camera is missing or out of scope), `indisponivel` (none is online).
 */
export async function openMosaic(deps: MosaicDeps, caller: Caller, asked: MosaicRequest): Promise<Mosaic> {
  const rows = await listCamerasById(deps.db, asked.ids)
  const isMissing = asked.ids.some((id) => !rows.some((row) => row.id === id && inScope(caller, row.empresa_id)))
  if (isMissing) throw notFound('Câmera não encontrada.')
  const now = deps.clock.now()
  const cameras = rows
    .filter((row) => isOnline(row, now) && !hidesView(caller, row))
    .flatMap((row) => (row.edge_id === null ? [] : [mosaicCamera(row.id, row.edge_id, asked.grande)]))
  if (cameras.length === 0) {
    throw new VigiaError('indisponivel', { detalhe: 'Nenhuma destas câmeras está online: não há imagem para mostrar.' })
  }
  const viewer = deps.miniaturas.watch(cameras)
  const allowed = () => mayWatch(deps, asked.token, cameras)
  return { pictures: picturesOf(viewer, allowed), leave: viewer.leave }
}

const mosaicCamera = (id: number, edgeId: number, grande: number | undefined): MosaicCamera => ({
  id,
  edgeId,
  lado: id === grande ? TILE_PX : SMALL_PX,
})

async function* picturesOf(
  viewer: MosaicViewer,
  allowed: () => Promise<boolean>,
): AsyncGenerator<Miniatura, void, void> {
  let sentAt = performance.now()
  let checkedAt = sentAt
  while (performance.now() - sentAt < SILENT_MS) {
    if (performance.now() - checkedAt >= CHECK_MS) {
      checkedAt = performance.now()
      if (!(await allowed())) return
    }
    const picture = await viewer.next(CHECK_MS)
    if (picture === null) continue
    sentAt = performance.now()
    yield picture
  }
}

/** Reads the current state: logout, changed scope, camera disabled or moved to another edge. */
async function mayWatch(
  { db, authenticate }: MosaicDeps,
  token: string,
  cameras: readonly MosaicCamera[],
): Promise<boolean> {
  const caller = await authenticate(token)
  if (!caller) return false
  const rows = new Map(
    (
      await listCamerasById(
        db,
        cameras.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  const stays = (row: CameraWithEdge | undefined, edgeId: number) =>
    row !== undefined &&
    inScope(caller, row.empresa_id) &&
    row.ativa === 1 &&
    row.edge_id === edgeId &&
    !hidesView(caller, row)
  return cameras.every(({ id, edgeId }) => stays(rows.get(id), edgeId))
}
