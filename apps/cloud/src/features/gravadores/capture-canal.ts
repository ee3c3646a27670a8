import { VigiaError } from '@vigia/contracts/errors'
import type { ImagemCanal } from '@vigia/contracts/gravadores'
import { jpegSize } from '@vigia/link/jpeg-size'
import { templatesOf } from '@vigia/rtsp/maker-urls'
import { type Caller, requireWrite } from '../../http/caller.ts'
import { countProbe, type Probing, probeError } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { accessOf } from './gravador-sources.ts'
import { edgeForProbe } from './inspect-canais.ts'

const PRAZO_MS = 30_000

/**
 * Captures one JPEG of a canal through an edge, before a camera exists. Nothing is stored.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao` (also host not allowed, password
 * refused), `muitas_requisicoes`, `indisponivel` (gravador, canal or edge).
 */
export async function captureCanal(
  deps: DesiredDeps & { readonly probing: Probing },
  caller: Caller,
  input: ImagemCanal,
  signal: AbortSignal,
): Promise<Buffer> {
  requireWrite(caller)
  const { probing } = deps
  const empresaId = input.empresa_id ?? caller.empresaId
  const access = accessOf(input)
  const edgeId = await edgeForProbe(deps, caller, { empresaId, edgeId: input.edge_id, access })
  await countProbe(probing.pictureLimit, caller, empresaId)

  const templates = templatesOf(access.fabricante, access)
  // A small picture needs only the substream.
  const modelos = templates ? [templates.sub, templates.principal].filter((one) => one !== null) : []
  const { host, porta, usuario, senha } = access
  const answer = await probing.askEdge(
    edgeId,
    { acao: 'capturar_canal', host, porta, usuario, senha, canal: input.canal, modelos, lado_maximo: input.lado },
    { prazoMs: PRAZO_MS, signal },
  )
  if (!answer.ok) {
    const { falha } = answer
    throw falha === 'sem_quadro' ? new VigiaError('indisponivel', { detalhe: NO_PICTURE }) : probeError(falha)
  }
  // The bytes go to a browser, so that they must be a JPEG.
  if (jpegSize(answer.corpo) === null) throw new VigiaError('indisponivel', { detalhe: NO_PICTURE })
  return answer.corpo
}

const NO_PICTURE = 'O canal não mandou imagem a tempo. Ele pode ser adicionado assim mesmo.'
