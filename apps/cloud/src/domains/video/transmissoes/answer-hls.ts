import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { findCamera } from '../../../db/cameras.ts'
import { notFound } from '../../../http/caller.ts'
import type { RequestInfo } from '../../../http/route.ts'
import { auditView } from './audit-view.ts'
import { cameraEnd } from './end-text.ts'
import { openHls } from './hls-link.ts'
import type { HlsStreams } from './hls-streams.ts'
import { type RightsDeps, viewerOf } from './rights.ts'
import { serveHls } from './serve-hls.ts'

interface HlsDeps extends RightsDeps {
  readonly clock: Clock
  readonly box: SecretBox
  readonly hls: HlsStreams
}

interface Asked {
  readonly cameraId: number
  readonly assinatura: string
  readonly file: string
  readonly msn: number | undefined
  readonly part: number | undefined
}

/** A blocked request checks the rights again after this time. */
const RECHECK_MS = 1_000

/**
 * Answers one request of an HLS player, with the rights of the session in its address.
 * @throws VigiaError `nao_encontrado`, `nao_autenticado`, `indisponivel`
 */
export async function answerHls(
  deps: HlsDeps,
  { cameraId, assinatura, file, msn, part }: Asked,
  request: Pick<RequestInfo, 'signal' | 'remoteAddress' | 'id'>,
): Promise<Response> {
  const link = openHls(deps.box, assinatura)
  const row = link?.camera === cameraId ? await findCamera(deps.db, cameraId) : undefined
  if (!link || !row || row.edge_id === null) throw notFound('Este endereço de vídeo não vale. Peça outro.')
  const camera = { id: row.id, edgeId: row.edge_id }
  const requireViewer = async () => {
    const viewer = await viewerOf(deps, link.sessao, camera)
    if (typeof viewer === 'object') return viewer
    if (viewer === 'camera') throw notFound(cameraEnd.detail)
    throw new VigiaError('nao_autenticado', { detalhe: 'A sessão deste vídeo acabou. Abra a câmera outra vez.' })
  }
  const login = await requireViewer()
  const origem = { canal: 'api', cliente: null, endereco: request.remoteAddress, pedido: request.id } as const
  // A player that starts: it names a segment with each further request.
  if (file.endsWith('.m3u8') && msn === undefined) await auditView(deps, { ...login, origem }, row)
  const begunAt = performance.now()
  const stream = await deps.hls.open(camera, link.fluxo, request.signal)
  const answer = await serveHls(stream, { file, msn, part, signal: request.signal })
  // The rights may have ended while the request waited for its part.
  if (performance.now() - begunAt > RECHECK_MS) await requireViewer()
  return answer
}
