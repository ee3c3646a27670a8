import { VigiaError } from '@vigia/contracts/errors'
import { edgeFailureText } from '@vigia/contracts/pedido-failures'
import { auditCamera } from '../../../audit/audit-camera.ts'
import { countRecord, uncounted } from '../../../audit/record-rate.ts'
import { type Caller, notFound, requireWrite } from '../../../http/caller.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { requireCamera } from './require-camera.ts'

const PRAZO_MS = 10_000

/**
 * Makes the edge close the camera's stream and open it again at once. An offline camera can be restarted too, because a
 * restart may repair it.
 * @param signal aborts when the caller disconnects; the edge then stops the command
 * @throws VigiaError `proibido`, `nao_encontrado` (camera missing or disabled), `indisponivel`,
 * `muitas_requisicoes` (too many audit records; the edge was not asked).
 */
export async function restartCamera(
  { db, clock, probing }: Pick<DesiredDeps, 'db' | 'clock'> & { readonly probing: Pick<Probing, 'askEdge'> },
  caller: Caller,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  requireWrite(caller)
  const camera = await requireCamera(db, caller, id)
  const { ativa, edge_id } = camera
  if (ativa === 0) throw notFound('A câmera está desativada: ative-a para que o vídeo seja lido.')
  if (edge_id === null)
    throw new VigiaError('indisponivel', { detalhe: 'Nenhuma caixa atende esta câmera. Cadastre e ative uma caixa.' })
  // Before the command: a refusal must mean that the box did nothing.
  await countRecord(caller.origem.canal)
  const command = { acao: 'reiniciar_camera', camera_id: id } as const
  const answer = await probing.askEdge(edge_id, command, { prazoMs: PRAZO_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: edgeFailureText[answer.falha] })
  await uncounted(() => auditCamera(db, clock.now(), caller, { acao: 'reiniciar', antes: camera, depois: camera }))
}
