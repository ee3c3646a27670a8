import type { PortaTestada, TestarConexao } from '@vigia/contracts/cameras'
import { PRAZO_MAXIMO_MS } from '@vigia/contracts/pedidos'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { chooseProbeEdge } from '../edges/ask/choose-probe-edge.ts'
import { countProbe, type Probing, probeError, requireProbeable } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'

const PRAZO_BASE_MS = 10_000
const PRAZO_POR_PORTA_MS = 2_000

/**
 * Tests ports of a device through an edge for a TCP connection and an RTSP answer. Results are in the requested order.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao` (also host not allowed),
 * `muitas_requisicoes`, `indisponivel`.
 */
export async function testConnection(
  deps: DesiredDeps & { readonly probing: Probing },
  caller: Caller,
  input: TestarConexao,
  signal: AbortSignal,
): Promise<PortaTestada[]> {
  requireWrite(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId !== null) await requireEmpresa(deps.db, caller, empresaId)
  requireProbeable(input.host, deps.probing.allowed)
  const target = { empresaId, asked: input.edge_id, usual: null }
  const edgeId = await chooseProbeEdge(deps.db, caller, target, deps.clock.now())
  await countProbe(deps.probing.limit, caller, empresaId)

  const { host, portas, usuario, senha } = input
  const answer = await deps.probing.askEdge(
    edgeId,
    { acao: 'sondar_portas', host, portas, usuario: usuario ?? '', senha: senha ?? '' },
    { prazoMs: Math.min(PRAZO_MAXIMO_MS, PRAZO_BASE_MS + PRAZO_POR_PORTA_MS * portas.length), signal },
  )
  if (!answer.ok) throw probeError(answer)
  return answer.resultado.portas
}
