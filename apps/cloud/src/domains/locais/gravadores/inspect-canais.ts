import type { CanalOnvif, CanalSondado } from '@vigia/contracts/canais-sondados'
import type { Fontes } from '@vigia/contracts/edge-state'
import { invalid, type VigiaError } from '@vigia/contracts/errors'
import { PRAZO_MAXIMO_MS } from '@vigia/contracts/pedidos'
import { hasChannels, templatesOf } from '@vigia/rtsp/maker-urls'
import { onvifUrl } from '@vigia/rtsp/onvif-url'
import { listGravadorCameras } from '../../../db/cameras.ts'
import { findGravadorAt } from '../../../db/gravadores.ts'
import type { Caller } from '../../../http/caller.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { chooseProbeEdge } from '../edges/ask/choose-probe-edge.ts'
import { countProbe, type Probing, requireProbeable } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { askChannels, type ChannelCommand, type Waiting } from './ask-canais.ts'
import { edgeOfGravador } from './edge-of-gravador.ts'
import { type GravadorAccess, gravadorSources, onvifFields } from './gravador-sources.ts'

/**
 * Upper bound of the time in which a gravador answers for one canal. The edge probes two canais of a silent gravador at
 * a time.
 */
const PRAZO_POR_CANAL_MS = 1_500
const PRAZO_BASE_MS = 15_000

export interface Inspection {
  /** null: the operator probes before the Empresa exists. */
  readonly empresaId: number | null
  /** The edge that the caller requested. */
  readonly edgeId: number | null | undefined
  readonly access: GravadorAccess
  readonly canais: readonly number[]
}

export interface SeenChannel extends CanalSondado {
  /** null: the canal has no address of its own. */
  readonly fontes: Fontes | null
}

/** `inspectCanais` bound to a request and its caller. */
export type InspectCanais = (inspection: Inspection) => Promise<ReadonlyMap<number, SeenChannel>>

/**
 * Probes canais of a stored or new gravador through an edge.
 * @throws VigiaError `nao_encontrado` (Empresa or edge), `validacao` (host not allowed, password refused, requested
 * edge), `muitas_requisicoes`, `indisponivel` (gravador or edge).
 */
export async function inspectCanais(
  deps: DesiredDeps & { readonly probing: Probing },
  caller: Caller,
  { empresaId, edgeId: asked, access, canais }: Inspection,
  waiting: Waiting,
): Promise<ReadonlyMap<number, SeenChannel>> {
  const edgeId = await edgeForProbe(deps, caller, { empresaId, edgeId: asked, access })
  await countProbe(deps.probing.limit, caller, empresaId)

  const prazoMs = Math.min(PRAZO_MAXIMO_MS, PRAZO_BASE_MS + PRAZO_POR_CANAL_MS * canais.length)
  const seen = await askChannels(deps.probing.askEdge, edgeId, commandFor(access, canais), prazoMs, waiting)
  return new Map(
    seen.map((one) => {
      const { canal, estado, codec, resolucao, outro_endereco } = one
      return [canal, { canal, estado, codec, resolucao, outro_endereco, fontes: sourcesOf(access, one) }]
    }),
  )
}

/**
 * Checks Empresa and host, and returns the edge that reaches the gravador.
 * @throws VigiaError `nao_encontrado` (Empresa or edge), `validacao` (host or requested edge), `indisponivel`.
 */
export async function edgeForProbe(
  { db, clock, probing }: DesiredDeps & { readonly probing: Probing },
  caller: Caller,
  { empresaId, edgeId: asked, access }: Pick<Inspection, 'empresaId' | 'edgeId' | 'access'>,
): Promise<number> {
  if (empresaId !== null) await requireEmpresa(db, caller, empresaId)
  requireProbeable(access.host, probing.allowed)
  const gravador = empresaId === null ? undefined : await findGravadorAt(db, empresaId, access.host, access.porta)
  const usual = gravador ? edgeOfGravador(gravador, await listGravadorCameras(db, gravador.id), null) : null
  return await chooseProbeEdge(db, caller, { empresaId, asked, usual }, clock.now())
}

function commandFor(access: GravadorAccess, canais: readonly number[]): ChannelCommand {
  const { host, porta, usuario, senha } = access
  const rest = { host, porta, usuario, senha, canais: [...canais] }
  const modelo = templatesOf(access.fabricante, access)?.principal
  if (modelo !== undefined) return { acao: 'sondar_canais', modelo, ...rest }
  return { acao: 'listar_canais_onvif', ...rest, ...onvifFields(access) }
}

/** A device without canais answers for every canal with its first one. */
function sourcesOf(access: GravadorAccess, seen: CanalSondado | CanalOnvif): Fontes | null {
  const templates = templatesOf(access.fabricante, access)
  if (templates)
    return seen.canal === 1 || hasChannels(templates.principal) ? gravadorSources(access, seen.canal) : null
  if (!('principal' in seen) || !seen.principal) return null
  return { rtsp_url: onvifUrl(seen.principal, access), sub_rtsp_url: seen.sub && onvifUrl(seen.sub, access) }
}

/** Error: the ONVIF device reported no video address for the canal. */
export const withoutAddress = (loc: (string | number)[], canal: number): VigiaError =>
  invalid(loc, `O equipamento não informou por ONVIF o endereço do vídeo do canal ${canal}`)
