import { VigiaError } from '@vigia/contracts/errors'
import { failureText } from '@vigia/contracts/pedido-failures'
import { jpegSize } from '@vigia/link/jpeg-size'
import type { Caller } from '../../../http/caller.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { onlineCamera } from './online-camera.ts'

const PRAZO_MS = 10_000

/**
 * Captures one JPEG of a camera through its edge.
 * @param lado maximum length of its longer side in pixels; undefined: full size
 * @param signal aborts when the caller disconnects; the edge then stops the command
 * @throws VigiaError `nao_encontrado` (camera missing, or not online), `indisponivel`.
 */
export async function captureFrame(
  deps: Pick<DesiredDeps, 'db' | 'clock'> & { readonly probing: Pick<Probing, 'askEdge'> },
  caller: Caller,
  id: number,
  lado: number | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  const { edgeId } = await onlineCamera(deps, caller, id)
  const command = { acao: 'capturar_quadro', camera_id: id, lado_maximo: lado } as const
  const answer = await deps.probing.askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
  // The bytes go to a browser, so that they must be a JPEG.
  if (jpegSize(answer.corpo) === null) throw new VigiaError('indisponivel', { detalhe: failureText.sem_quadro })
  return answer.corpo
}
