import { VigiaError } from '@vigia/contracts/errors'
import { mascarasPutSchema } from '@vigia/contracts/mascaras'
import { polygons } from '@vigia/ias/geometry'
import { isOwnNetwork } from '@vigia/rtsp/address-policy'
import { mayShareView, type View, viewOf } from '@vigia/rtsp/same-view'
import { listSources } from '../db/cameras.ts'
import { rootOf, subtreeIds } from '../db/empresas.ts'
import type { Database } from '../db/open.ts'
import type { CameraRow } from '../db/rows.ts'
import { type Caller, inScope } from '../http/caller.ts'
import { requireEffect } from '../http/effects.ts'
import { uncovers } from './uncovers.ts'

type Sources = Pick<CameraRow, 'rtsp_url' | 'sub_rtsp_url'>

/** A camera with its masks and its pictures. */
export type Viewed = Awaited<ReturnType<typeof listSources>>[number] & { readonly views: readonly View[] }

/** A camera, or a source before there is a camera. */
export interface Viewing {
  /** null: not stored yet. */
  readonly id: number | null
  readonly empresaId: number | null
  readonly edgeId: number | null
  readonly views: readonly View[]
}

/** The pictures that the addresses show. */
export const viewsOf = ({ rtsp_url, sub_rtsp_url }: Sources): View[] =>
  [rtsp_url, sub_rtsp_url].flatMap((url) => (url === null ? [] : (viewOf(url) ?? [])))

/**
 * The masked cameras of the tree of the Empresa; null: of the installation. A caller that decides on them has locked
 * the root (`lockLineage`), as each change of masks does.
 */
export async function readMaskedCameras(db: Database, empresaId: number | null): Promise<readonly Viewed[]> {
  return readViewed(db, empresaId, true)
}

async function readViewed(db: Database, empresaId: number | null, masked: boolean): Promise<Viewed[]> {
  const empresas = empresaId === null ? null : [...(await subtreeIds(db, await rootOf(db, empresaId)))]
  return (await listSources(db, empresas, masked)).map((row) => ({ ...row, views: viewsOf(row) }))
}

/** The other cameras in scope that show the picture of the masked camera without its masks. */
export async function unmaskedTwins(db: Database, caller: Caller, camera: CameraRow): Promise<readonly Viewed[]> {
  const { id, empresa_id: empresaId, edge_id: edgeId, mascaras_json } = camera
  const all = await readViewed(db, empresaId, false)
  return twinsAmong(all, { id, empresaId, edgeId, views: viewsOf(camera) }).filter(
    (one) => inScope(caller, one.empresa_id) && uncovers(JSON.parse(mascaras_json), JSON.parse(one.mascaras_json)),
  )
}

/**
 * The other cameras among `all` that may show the picture of `viewing`. A private address is another device in the
 * network of another Empresa, unless one edge serves both.
 */
export function twinsAmong(all: readonly Viewed[], { id, empresaId, edgeId, views }: Viewing): Viewed[] {
  return all.filter((one) => {
    if (one.id === id) return false
    const isNear = one.empresa_id === empresaId || (edgeId !== null && one.edge_id === edgeId)
    const reached = views.filter(({ host }) => isNear || !isOwnNetwork(host))
    return reached.some((view) => one.views.some((its) => mayShareView(view, its)))
  })
}

/**
 * The masks of a camera with new addresses: its own, and those of other cameras with the same picture.
 * @param own `mascaras_json` of the camera
 * @throws VigiaError `proibido`: a key, or an agent without the effect; `conflito`: too many points
 */
export function coveredMasks(masked: readonly Viewed[], caller: Caller, viewing: Viewing, own = '[]'): string {
  const before = JSON.parse(own)
  const missing = twinsAmong(masked, viewing).filter(({ mascaras_json }) => uncovers(JSON.parse(mascaras_json), before))
  const [first] = missing
  if (!first) return own
  const name = inScope(caller, first.empresa_id) ? `a câmera “${first.nome}”` : 'outra câmera'
  requireEffect(caller, 'reveals', `Este endereço mostra a mesma imagem que ${name}, que tem máscara de privacidade`)
  const all = [own, ...missing.map(({ mascaras_json }) => mascaras_json)]
    .flatMap((json) => polygons(JSON.parse(json)))
    .map((polygon) => JSON.stringify(polygon.flatMap(({ x, y }) => [x, y])))
  const mascaras = [...new Set(all)].map((polygon) => JSON.parse(polygon))
  if (!mascarasPutSchema.safeParse({ mascaras }).success)
    throw new VigiaError('conflito', {
      detalhe: 'As máscaras das câmeras que já mostram esta imagem são demais para uma câmera só. Junte-as antes.',
    })
  return JSON.stringify(mascaras)
}

/** Whether the new addresses leave a view of before without a camera, whose masks then stand for another one. */
const leavesView = (before: Sources, after: Sources): boolean =>
  viewsOf(before).some((view) => !viewsOf(after).some((other) => mayShareView(view, other)))

/**
 * A masked camera at another address no longer masks the picture of the one before.
 * @throws VigiaError `proibido`: a key, or an agent without the effect
 */
export function requireKeepsView(caller: Caller, camera: CameraRow, after: Sources): void {
  if (camera.mascaras_json !== '[]' && leavesView(camera, after))
    requireEffect(caller, 'reveals', `Mudar o endereço da câmera “${camera.nome}”, que tem máscara de privacidade`)
}

/** An edge deletes its recordings of a camera that gets masks (docs/privacy.md). @throws VigiaError `proibido` */
export function requireMayMask(caller: Caller, before: CameraRow, mascaras_json: string): void {
  if (before.gravacao_continua === 1 && before.mascaras_json === '[]' && mascaras_json !== '[]')
    requireEffect(caller, 'destroys', 'A máscara apaga as gravações contínuas desta câmera na caixa')
}
