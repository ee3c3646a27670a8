import type { Descobrir, ResultadoCanal } from '@vigia/contracts/gravadores'
import { type CanalSondado, PRAZO_MAXIMO_MS } from '@vigia/contracts/pedidos'
import { hasChannels, templatesOf } from '@vigia/rtsp/maker-urls'
import { type Caller, requireWrite } from '../../http/caller.ts'
import { chooseProbeEdge } from '../cameras/choose-probe-edge.ts'
import type { CamerasDeps } from '../cameras/deps.ts'
import { countProbe, type Probing, probeError, requireProbeable } from '../cameras/probing.ts'
import { listRecorderCameras, listStreams } from '../cameras/store.ts'
import { requireEmpresa } from '../empresas/narrow-scope.ts'
import { edgeOfRecorder } from './edge-of-recorder.ts'
import { type KnownStreams, knownStreams } from './known-streams.ts'
import { accessOf, type RecorderAccess, recorderSources } from './recorder-sources.ts'
import { findRecorderAt } from './store.ts'

/** A recorder answers a channel in well under this; a mute one costs its edge two at a time. */
const PRAZO_POR_CANAL_MS = 1_500
const PRAZO_BASE_MS = 15_000

/**
 * Looks, by an edge, which channels of a recorder have video, and says of each whether the Empresa has its camera already.
 * Nothing is stored.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao` (also: the host must not be probed, the password is
 * refused), `muitas_requisicoes`, `indisponivel` (recorder or edge).
 */
export async function discoverChannels(
  deps: CamerasDeps & { readonly probing: Probing },
  caller: Caller,
  input: Descobrir,
  signal: AbortSignal,
): Promise<ResultadoCanal[]> {
  requireWrite(caller)
  await requireEmpresa(deps.db, caller, input.empresa_id)
  requireProbeable(input.host, deps.probing.allowed)
  const access = accessOf(input)
  const recorder = await findRecorderAt(deps.db, input.empresa_id, access.host, access.porta)
  const usual = recorder ? edgeOfRecorder(recorder, await listRecorderCameras(deps.db, recorder.id), null) : null
  const target = { empresaId: input.empresa_id, asked: input.edge_id, usual }
  const edgeId = await chooseProbeEdge(deps.db, caller, target, deps.clock.now())
  await countProbe(deps.probing.limit, caller, input.empresa_id)

  const { host, porta, usuario, senha } = access
  const modelo = templatesOf(access.fabricante, access).principal
  const canais = Array.from({ length: input.num_canais }, (_, index) => index + 1)
  const answer = await deps.probing.askEdge(
    edgeId,
    { acao: 'sondar_canais', modelo, host, porta, usuario, senha, canais },
    { prazoMs: Math.min(PRAZO_MAXIMO_MS, PRAZO_BASE_MS + PRAZO_POR_CANAL_MS * canais.length), signal },
  )
  if (!answer.ok) throw probeError(answer.falha)
  const seen = new Map(answer.resultado.canais.map((one) => [one.canal, one]))
  const known = knownStreams(await listStreams(deps.db, input.empresa_id), recorder?.id ?? null)
  return canais.map((canal) => resultOf(canal, seen.get(canal), access, known))
}

/**
 * A camera that is there counts before what the probe saw. A channel that alone did not answer is taken for an empty one,
 * and so are all but the first of a device that has no channels: they would be that first one again.
 */
function resultOf(
  canal: number,
  seen: CanalSondado | undefined,
  access: RecorderAccess,
  known: KnownStreams,
): ResultadoCanal {
  const isOwnStream = canal === 1 || hasChannels(templatesOf(access.fabricante, access).principal)
  const camera = known.find(canal, isOwnStream ? recorderSources(access, canal).rtsp_url : null)
  const hasVideo = seen?.estado === 'video'
  return {
    canal,
    estado: camera ? 'já cadastrada' : hasVideo ? 'nova' : 'vazia',
    codec: seen?.codec ?? null,
    resolucao: seen?.resolucao ?? null,
    nome_camera: camera?.nome ?? null,
  }
}
