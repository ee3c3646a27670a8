import { VigiaError } from '@vigia/contracts/errors'
import { jpegSize } from '@vigia/link/jpeg-size'
import type { Caller } from '../../http/caller.ts'
import { failureText, type Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { onlineCamera } from './online-camera.ts'

const PRAZO_MS = 10_000

/**
 * One JPEG of what a camera shows now, taken by its edge.
 * @param lado its longer side at most, pixels; undefined: as large as it is
 * @param signal nobody waits any more: the edge is told so
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
  // What an edge calls a picture goes to a browser: it has to be one.
  if (jpegSize(answer.corpo) === null) throw new VigiaError('indisponivel', { detalhe: failureText.sem_quadro })
  return answer.corpo
}
