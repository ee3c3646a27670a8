import { ONVIF } from '@vigia/contracts/fabricantes'
import type { Cadastrar, CanalEscolhido, ResultadoCadastro } from '@vigia/contracts/gravadores'
import { numeroDoCanal } from '@vigia/contracts/gravadores'
import { type CameraWithEdge, listGravadorCameras } from '../../../db/cameras.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { findGravadorAt } from '../../../db/gravadores.ts'
import { type LockedLineage, lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { readMaskedCameras } from '../../../scope/masked-views.ts'
import { freeQuota, requireQuota } from '../../../scope/require-quota.ts'
import { requireSimulated } from '../../../scope/require-simulated.ts'
import { addCamera } from '../cameras/add-camera.ts'
import { viewCamera } from '../cameras/view-camera.ts'
import { chooseEdge } from '../edges/choose-edge.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { requireDesiredFits } from '../edges/desired-limits.ts'
import { addressTaken } from '../gravadores/change-gravador.ts'
import { edgeOfGravador } from '../gravadores/edge-of-gravador.ts'
import { accessOf, type GravadorAccess, gravadorSources } from '../gravadores/gravador-sources.ts'
import { type InspectCanais, type SeenChannel, withoutAddress } from '../gravadores/inspect-canais.ts'
import { readKnownStreams } from '../gravadores/known-streams.ts'
import { addGravador, saveGravador } from '../gravadores/save-gravador.ts'

/** Longest name of a camera. */
const NOME_MAX = 200

/**
 * Registers a gravador and a camera for each chosen channel without one. A gravador of the same Empresa, host and port
 * is updated instead. Everything is one transaction: without enough quota nothing changes. Only ONVIF devices are
 * probed, because no template gives the addresses of their channels.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao`, `conflito` (quota or size); for
 * `onvif` the errors of `inspectCanais`.
 */
export async function registerGravador(
  deps: DesiredDeps,
  caller: Caller,
  input: Cadastrar,
  inspect: InspectCanais,
): Promise<ResultadoCadastro> {
  requireWrite(caller)
  requireScope(caller, input.empresa_id)
  const access = accessOf(caller, input)
  const inspection = {
    empresaId: input.empresa_id,
    edgeId: input.edge_id,
    access,
    canais: input.canais.map(numeroDoCanal),
  }
  const seen = access.fabricante === ONVIF ? await inspect(inspection) : null
  const now = deps.clock.now()

  const done = await transact(deps.db, async (tx) => {
    const lineage = await lockLineage(tx, input.empresa_id)
    if (!lineage) throw notFound('Empresa não encontrada.')
    requireSimulated(lineage.empresa, access.host, 'host')
    const gravador = await createOrReuse(tx, deps, caller, lineage, input, access, now)
    const wanted = await newChannels(tx, input, access, seen, gravador.id)
    await requireQuota(tx, lineage, { tipo: 'cameras', quantos: wanted.length, quem: caller, now })
    const masked = await readMaskedCameras(tx, input.empresa_id)
    const created: CameraWithEdge[] = []
    for (const { canal, nome, perfil, placas, fontes } of wanted) {
      const camera = {
        empresaId: input.empresa_id,
        edgeId: gravador.edgeId,
        gravador: { id: gravador.id, canal },
        nome: nome ?? cameraName(gravador.nome || `Gravador ${access.host}`, canal),
        fontes,
        perfil: perfil ?? input.perfil ?? null,
        ias: undefined,
        placas: placas ?? false,
        masked,
      }
      created.push(await addCamera(tx, deps.box, caller, camera, now))
    }
    const edges = new Set(gravador.changedEdges)
    if (created.length > 0 && gravador.edgeId !== null) edges.add(gravador.edgeId)
    for (const edgeId of edges) await raiseDesiredVersion(tx, edgeId)
    if (created.length > 0 && gravador.edgeId !== null) await requireDesiredFits(tx, input.empresa_id, gravador.edgeId)
    return { gravadorId: gravador.id, created, edges, free: await freeQuota(tx, lineage, 'cameras', now) }
  })
  for (const edgeId of done.edges) deps.desired.changed(edgeId)
  return {
    gravador_id: done.gravadorId,
    cameras_criadas: done.created.length,
    cameras_ignoradas: input.canais.length - done.created.length,
    cameras: done.created.map((row) => viewCamera(row, now)),
    vagas_restantes: done.free,
  }
}

async function createOrReuse(
  tx: Database,
  { box }: DesiredDeps,
  caller: Caller,
  lineage: LockedLineage,
  input: Cadastrar,
  access: GravadorAccess,
  now: number,
) {
  const known = await findGravadorAt(tx, input.empresa_id, access.host, access.porta)
  // Addresses of an ONVIF device follow no maker's form.
  if (known && known.cameras > 0 && (known.fabricante === ONVIF) !== (access.fabricante === ONVIF))
    throw addressTaken(known)
  const cameras = known ? await listGravadorCameras(tx, known.id) : []
  const wanted = known ? edgeOfGravador(known, cameras, input.edge_id) : input.edge_id
  const edgeId = await chooseEdge(tx, caller, input.empresa_id, wanted)
  const nome = input.nome_gravador || known?.nome || ''
  if (!known) {
    await requireQuota(tx, lineage, { tipo: 'gravadores', quantos: 1, quem: caller, now })
    const settings = { access, nome, num_canais: input.num_canais, edge_id: input.edge_id ?? null, max_conexoes: null }
    const id = await addGravador(tx, box, caller, input.empresa_id, settings, now)
    return { id, nome, edgeId, changedEdges: new Set<number>() }
  }
  // A canal with a camera stays a canal of the gravador.
  const last = cameras.at(-1)?.canal ?? 0
  const settings = {
    access,
    nome,
    num_canais: Math.max(input.num_canais, last),
    max_conexoes: known.max_conexoes,
    edge_id: input.edge_id ?? known.edge_id,
  }
  return { id: known.id, nome, edgeId, changedEdges: await saveGravador(tx, box, caller, known, settings, now) }
}

/** The chosen channels without a camera in the Empresa; two channels with one address are one camera. */
async function newChannels(
  tx: Database,
  input: Cadastrar,
  access: GravadorAccess,
  seen: ReadonlyMap<number, SeenChannel> | null,
  gravadorId: number,
) {
  const known = await readKnownStreams(tx, input.empresa_id, gravadorId)
  return input.canais.map(inFull).flatMap((item, index) => {
    const fontes = gravadorSources(access, item.canal) ?? seen?.get(item.canal)?.fontes
    if (known.find(item.canal, fontes?.rtsp_url ?? null)) return []
    if (!fontes) throw withoutAddress(['body', 'canais', index], item.canal)
    known.add({ id: 0, nome: '', gravador_id: gravadorId, canal: item.canal, rtsp_url: fontes.rtsp_url })
    return [{ ...item, fontes }]
  })
}

const inFull = (item: CanalEscolhido) =>
  typeof item === 'number'
    ? { canal: item, nome: null, perfil: null, placas: null }
    : { ...item, canal: numeroDoCanal(item) }

/** Shortens the name of the gravador if both are too long together, without splitting a character. */
function cameraName(gravador: string, canal: number): string {
  const suffix = ` - Canal ${canal}`
  return gravador.slice(0, NOME_MAX - suffix.length).replace(/[\uD800-\uDBFF]$/, '') + suffix
}
