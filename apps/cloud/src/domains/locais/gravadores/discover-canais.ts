import { invalid } from '@vigia/contracts/errors'
import type { Descobrir, ResultadoCanal } from '@vigia/contracts/gravadores'
import { findGravadorAt } from '../../../db/gravadores.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { accessOf, type GravadorAccess } from './gravador-sources.ts'
import type { InspectCanais, SeenChannel } from './inspect-canais.ts'
import { type KnownStreams, knownStreams, readKnownStreams } from './known-streams.ts'

/**
 * Finds the canais of a gravador with video through an edge, and the cameras that the Empresa already has for them.
 * Nothing is stored.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao` (also host not allowed, password
 * refused), `muitas_requisicoes`, `indisponivel` (gravador or edge).
 */
export async function discoverChannels(
  { db }: Pick<DesiredDeps, 'db'>,
  caller: Caller,
  input: Descobrir,
  inspect: InspectCanais,
): Promise<ResultadoCanal[]> {
  requireWrite(caller)
  const empresaId = input.empresa_id
  if (empresaId === null && caller.escopo !== 'tudo')
    throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é o gravador', 'missing')
  if (empresaId !== null) await requireEmpresa(db, caller, empresaId)
  const access = accessOf(caller, input)
  const canais = Array.from({ length: input.num_canais }, (_, index) => index + 1)
  const seen = await inspect({ empresaId, edgeId: input.edge_id, access, canais })
  const known = empresaId === null ? knownStreams([], null) : await knownAt(db, empresaId, access)
  return canais.map((canal) => resultOf(canal, seen.get(canal), known))
}

async function knownAt(db: Database, empresaId: number, { host, porta }: GravadorAccess): Promise<KnownStreams> {
  const gravador = await findGravadorAt(db, empresaId, host, porta)
  return readKnownStreams(db, empresaId, gravador?.id ?? null)
}

/**
 * An existing camera takes precedence over the probe result. A single canal without an answer counts as empty. If
 * a device has no canais, all canais except the first count as empty.
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
    ...(seen?.outro_endereco !== undefined && { outro_endereco: seen.outro_endereco }),
    ...(!camera && seen?.estado === 'sem_resposta' && { sem_resposta: true as const }),
  }
}
