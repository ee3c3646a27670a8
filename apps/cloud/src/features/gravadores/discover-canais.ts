import type { Descobrir, ResultadoCanal } from '@vigia/contracts/gravadores'
import { findGravadorAt } from '../../db/gravadores.ts'
import { type Caller, requireWrite } from '../../http/caller.ts'
import { requireEmpresa } from '../../scope/require-empresa.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { accessOf } from './gravador-sources.ts'
import type { LookAt, SeenChannel } from './inspect-canais.ts'
import { type KnownStreams, readKnownStreams } from './known-streams.ts'

/**
 * Looks, by an edge, which channels of a recorder have video, and says of each whether the Empresa has its camera already.
 * Nothing is stored.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao` (also: the host must not be probed, the password is
 * refused), `muitas_requisicoes`, `indisponivel` (recorder or edge).
 */
export async function discoverChannels(
  { db }: Pick<DesiredDeps, 'db'>,
  caller: Caller,
  input: Descobrir,
  lookAt: LookAt,
): Promise<ResultadoCanal[]> {
  requireWrite(caller)
  await requireEmpresa(db, caller, input.empresa_id)
  const access = accessOf(input)
  const canais = Array.from({ length: input.num_canais }, (_, index) => index + 1)
  const seen = await lookAt({ empresaId: input.empresa_id, edgeId: input.edge_id, access, canais })
  const gravador = await findGravadorAt(db, input.empresa_id, access.host, access.porta)
  const known = await readKnownStreams(db, input.empresa_id, gravador?.id ?? null)
  return canais.map((canal) => resultOf(canal, seen.get(canal), known))
}

/**
 * A camera that is there counts before what the probe saw. A channel that alone did not answer is taken for an empty one,
 * and so are all but the first of a device that has no channels.
 */
function resultOf(canal: number, seen: SeenChannel | undefined, known: KnownStreams): ResultadoCanal {
  const camera = known.find(canal, seen?.fontes?.rtsp_url ?? null)
  const hasVideo = seen?.estado === 'video'
  return {
    canal,
    estado: camera ? 'já cadastrada' : hasVideo ? 'nova' : 'vazia',
    codec: seen?.codec ?? null,
    resolucao: seen?.resolucao ?? null,
    nome_camera: camera?.nome ?? null,
  }
}
