import { VigiaError } from '@vigia/contracts/errors'
import type { ImagemCanal } from '@vigia/contracts/gravadores'
import { jpegSize } from '@vigia/link/jpeg-size'
import { streamUrl, templatesOf } from '@vigia/rtsp/maker-urls'
import { findCamera } from '../../db/cameras.ts'
import { findGravadorAt } from '../../db/gravadores.ts'
import type { Database } from '../../db/open.ts'
import { type Caller, requireWrite } from '../../http/caller.ts'
import { countProbe, type Probing, probeError } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { accessOf, type GravadorAccess } from './gravador-sources.ts'
import { edgeForProbe } from './inspect-canais.ts'
import { readKnownStreams } from './known-streams.ts'

const PRAZO_MS = 30_000

/**
 * Captures one JPEG of a canal through an edge, before a camera exists. Nothing is stored.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `conflito` (a masked camera),
 * `validacao` (also host, password), `muitas_requisicoes`, `indisponivel` (gravador, canal or edge).
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
  if (empresaId !== null) await requireUnmasked(deps.db, empresaId, access, input.canal)

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

/** A picture of the canal would show what the masks of its camera hide. */
async function requireUnmasked(db: Database, empresaId: number, access: GravadorAccess, canal: number): Promise<void> {
  const gravador = await findGravadorAt(db, empresaId, access.host, access.porta)
  const known = await readKnownStreams(db, empresaId, gravador?.id ?? null)
  const template = templatesOf(access.fabricante, access)?.principal
  const stream = known.find(canal, template ? streamUrl(template, { ...access, canal }) : null)
  const camera = stream && (await findCamera(db, stream.id))
  if (camera && camera.mascaras_json !== '[]')
    throw new VigiaError('conflito', {
      detalhe: `O canal já é da câmera "${camera.nome}", que tem máscara. Veja a imagem na página da câmera.`,
    })
}

const NO_PICTURE = 'O canal não mandou imagem a tempo. Ele pode ser adicionado assim mesmo.'
