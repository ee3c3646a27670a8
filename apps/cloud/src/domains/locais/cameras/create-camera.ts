import type { Camera, CameraCreate } from '@vigia/contracts/cameras'
import type { Fontes } from '@vigia/contracts/edge-state'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { ONVIF } from '@vigia/contracts/fabricantes'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { listGravadorCameras } from '../../../db/cameras.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { readMaskedCameras } from '../../../scope/masked-views.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import { requireSimulated } from '../../../scope/require-simulated.ts'
import { chooseEdge } from '../edges/choose-edge.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { requireDesiredFits } from '../edges/desired-limits.ts'
import { edgeOfGravador } from '../gravadores/edge-of-gravador.ts'
import { gravadorSources, movedSources, openGravador } from '../gravadores/gravador-sources.ts'
import { type InspectCanais, withoutAddress } from '../gravadores/inspect-canais.ts'
import { requireGravador } from '../gravadores/require-gravador.ts'
import { addCamera } from './add-camera.ts'
import { resolveUrl } from './resolve-url.ts'
import { viewCamera } from './view-camera.ts'

/**
 * Registers a camera by its address or by a canal of a stored gravador.
 * @throws VigiaError `proibido` (also a masked picture), `nao_encontrado` (Empresa, gravador or edge), `validacao`,
 * `conflito` (quota, size, or used canal). For ONVIF also the errors of `inspectCanais`.
 */
export async function createCamera(
  deps: DesiredDeps,
  caller: Caller,
  input: CameraCreate,
  inspect: InspectCanais,
): Promise<Camera> {
  requireWrite(caller)
  const empresaId = await empresaFor(deps.db, caller, input)
  const named = await namedSources(deps, caller, input, inspect)
  const now = deps.clock.now()

  const row = await transact(deps.db, async (tx) => {
    const lineage = await lockLineage(tx, empresaId)
    if (!lineage) throw notFound('Empresa não encontrada.')
    const origin = await originOf(tx, deps.box, caller, input, named)
    for (const field of ['rtsp_url', 'sub_rtsp_url'] as const)
      requireSimulated(lineage.empresa, origin.fontes[field] ?? 'localhost', field)
    await requireQuota(tx, lineage, { tipo: 'cameras', quantos: 1, quem: caller, now })
    const edgeId = await chooseEdge(tx, caller, empresaId, input.edge_id ?? origin.edgeId)
    const created = await addCamera(
      tx,
      deps.box,
      caller,
      {
        empresaId,
        edgeId,
        gravador: origin.gravador,
        nome: input.nome,
        fontes: origin.fontes,
        perfil: input.perfil ?? null,
        ias: input.eventos_habilitados ?? input.ias_habilitadas ?? undefined,
        placas: input.placas ?? false,
        masked: await readMaskedCameras(tx, empresaId),
      },
      now,
    )
    if (edgeId !== null) {
      await raiseDesiredVersion(tx, edgeId)
      await requireDesiredFits(tx, empresaId, edgeId)
    }
    return created
  })
  if (row.edge_id !== null) deps.desired.changed(row.edge_id)
  return viewCamera(row, now)
}

/** Default: the gravador's Empresa, else the caller's. The operator has none and must give one. */
async function empresaFor(db: Database, caller: Caller, input: CameraCreate): Promise<number> {
  if (input.gravador_id != null) {
    const { empresa_id } = await requireGravador(db, caller, input.gravador_id)
    if (input.empresa_id != null && input.empresa_id !== empresa_id)
      throw invalid(['body', 'empresa_id'], 'O gravador é de outra Empresa: não mande empresa_id, ou mande a dele')
    return empresa_id
  }
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é a câmera', 'missing')
  requireScope(caller, empresaId)
  return empresaId
}

interface Origin {
  readonly fontes: Fontes
  readonly gravador: { readonly id: number; readonly canal: number } | null
  /** The edge that serves the gravador; null: none yet. */
  readonly edgeId: number | null
}

/** Returns the addresses that an ONVIF device reports for the canal; null: already known, or not needed. */
async function namedSources(
  deps: DesiredDeps,
  caller: Caller,
  { gravador_id, canal, edge_id }: CameraCreate,
  inspect: InspectCanais,
): Promise<Fontes | null> {
  if (gravador_id == null || canal == null) return null
  const gravador = await requireGravador(deps.db, caller, gravador_id)
  if (gravador.fabricante !== ONVIF || canal > gravador.num_canais) return null
  const access = openGravador(deps.box, gravador)
  const inspection = { empresaId: gravador.empresa_id, edgeId: edge_id, access, canais: [canal] }
  return (await inspect(inspection)).get(canal)?.fontes ?? null
}

async function originOf(
  tx: Database,
  box: SecretBox,
  caller: Caller,
  input: CameraCreate,
  named: Fontes | null,
): Promise<Origin> {
  const { gravador_id, canal } = input
  if (gravador_id == null || canal == null) {
    const fontes = {
      rtsp_url: resolveUrl('rtsp_url', input.rtsp_url ?? '', []),
      sub_rtsp_url: input.sub_rtsp_url == null ? null : resolveUrl('sub_rtsp_url', input.sub_rtsp_url, []),
    }
    return { fontes, gravador: null, edgeId: null }
  }
  const gravador = await requireGravador(tx, caller, gravador_id)
  if (canal > gravador.num_canais)
    throw invalid(['body', 'canal'], `O gravador tem ${gravador.num_canais} canais`, 'less_than_equal')
  const cameras = await listGravadorCameras(tx, gravador_id)
  const there = cameras.find((camera) => camera.canal === canal)
  if (there)
    throw new VigiaError('conflito', {
      detalhe: `O canal ${canal} deste gravador já é a câmera "${there.nome}" (id ${there.id}).`,
    })
  const access = openGravador(box, gravador)
  // The password of the gravador may have changed since the probe.
  const fontes = gravadorSources(access, canal) ?? (named && movedSources(named, access))
  if (!fontes) throw withoutAddress(['body', 'canal'], canal)
  return { fontes, gravador: { id: gravador_id, canal }, edgeId: edgeOfGravador(gravador, cameras, input.edge_id) }
}
