import { VigiaError } from '@vigia/contracts/errors'
import { type Caller, notFound } from '../../http/caller.ts'
import { jpegSize } from '../ingestao/jpeg.ts'
import { cameraStatus } from './camera-status.ts'
import type { CamerasDeps } from './deps.ts'
import { failureText, type Probing } from './probing.ts'
import { cameraInScope } from './read-camera.ts'
import { edgeOf } from './view-camera.ts'

const PRAZO_MS = 10_000

/**
 * One JPEG of what a camera shows now, taken by its edge.
 * @param signal nobody waits any more: the edge is told so
 * @throws VigiaError `nao_encontrado` (camera missing, or not online), `indisponivel`.
 */
export async function captureFrame(
  { db, clock, probing }: Pick<CamerasDeps, 'db' | 'clock'> & { readonly probing: Pick<Probing, 'askEdge'> },
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const camera = await cameraInScope(db, caller, id)
  const { status, status_detalhe } = cameraStatus(camera, edgeOf(camera), clock.now())
  if (status !== 'online' || camera.edge_id === null)
    throw notFound(`A câmera não está online: não há imagem para mostrar. ${status_detalhe ?? ''}`.trim())
  const answer = await probing.askEdge(
    camera.edge_id,
    { acao: 'capturar_quadro', camera_id: id },
    { prazoMs: PRAZO_MS, signal },
  )
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
  // What an edge calls a picture goes to a browser: it has to be one.
  if (jpegSize(answer.corpo) === null) throw new VigiaError('indisponivel', { detalhe: failureText.sem_quadro })
  return answer.corpo
}
