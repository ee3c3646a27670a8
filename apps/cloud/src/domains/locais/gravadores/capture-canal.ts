import { causaText } from '@vigia/contracts/causa-text'
import { VigiaError } from '@vigia/contracts/errors'
import { ONVIF } from '@vigia/contracts/fabricantes'
import type { ImagemCanal } from '@vigia/contracts/gravadores'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import { jpegSize } from '@vigia/link/jpeg-size'
import { templatesOf } from '@vigia/rtsp/maker-urls'
import { deviceView } from '@vigia/rtsp/same-view'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, requireWrite } from '../../../http/caller.ts'
import { readMaskedCameras, twinsAmong, type Viewed, type Viewing, viewsOf } from '../../../scope/masked-views.ts'
import { countProbe, type Probing, probeError } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { accessOf, type GravadorAccess, gravadorSources, onvifFields } from './gravador-sources.ts'
import { edgeForProbe } from './inspect-canais.ts'

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
  const access = accessOf(caller, input)
  const edgeId = await edgeForProbe(deps, caller, { empresaId, edgeId: input.edge_id, access })
  await countProbe(probing.pictureLimit, caller, empresaId)
  await requireUnmasked(deps.db, caller, { empresaId, edgeId }, access, input.canal)

  const templates = templatesOf(access.fabricante, access)
  // A small picture needs only the substream.
  const modelos = templates ? [templates.sub, templates.principal].filter((one) => one !== null) : []
  const { host, porta, usuario, senha } = access
  const answer = await probing.askEdge(
    edgeId,
    {
      acao: 'capturar_canal',
      host,
      porta,
      usuario,
      senha,
      canal: input.canal,
      modelos,
      lado_maximo: input.lado,
      ...onvifFields(access),
    },
    { prazoMs: PRAZO_MS, signal },
  )
  if (!answer.ok) {
    const detalhe = (answer.causa && causaText(answer.causa)) ?? pictureFailures[answer.falha]
    throw detalhe === undefined ? probeError(answer) : new VigiaError('indisponivel', { detalhe })
  }
  // The bytes go to a browser, so that they must be a JPEG.
  if (jpegSize(answer.corpo) === null) throw new VigiaError('indisponivel', { detalhe: NO_PICTURE })
  return answer.corpo
}

/**
 * Refuses the picture of a canal that a camera masks. An ONVIF device names its addresses only while it is asked. Any
 * of its masked cameras therefore refuses the picture, except those of other canais by ONVIF.
 * @throws VigiaError `conflito`
 */
async function requireUnmasked(
  db: Database,
  caller: Caller,
  { empresaId, edgeId }: Pick<Viewing, 'empresaId' | 'edgeId'>,
  access: GravadorAccess,
  canal: number,
): Promise<void> {
  const fontes = gravadorSources(access, canal)
  const views = fontes === null ? [deviceView(access.host)] : viewsOf(fontes)
  const isOther = (one: Viewed) => fontes === null && one.fabricante === ONVIF && one.canal !== canal
  const masked = (await readMaskedCameras(db, empresaId)).filter((one) => !isOther(one))
  const [camera] = twinsAmong(masked, { id: null, empresaId, edgeId, views })
  if (!camera) return
  const name = inScope(caller, camera.empresa_id) ? `da câmera "${camera.nome}"` : 'de outra câmera'
  throw new VigiaError('conflito', {
    detalhe: `O canal já é ${name}, que tem máscara. Veja a imagem na página da câmera.`,
  })
}

const NO_PICTURE =
  'O canal não mandou imagem a tempo. Ele pode ser adicionado assim mesmo. Com o modo inteligente do gravador ' +
  '(H.264+, H.265+, Smart Codec) a primeira imagem pode demorar minutos.'

/** Sentences for failures that say another thing about a canal than about a camera. */
export const pictureFailures: Partial<Record<FalhaPedido, string>> = {
  sem_quadro: NO_PICTURE,
  fluxo_inexistente:
    'O equipamento respondeu que não tem vídeo neste canal, ou só num codec que não é H.264 nem H.265. Confira se há ' +
    'câmera ligada a ele, o fabricante e o codec.',
}
