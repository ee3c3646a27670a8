import { VigiaError } from '@vigia/contracts/errors'
import { edgeFailureText } from '@vigia/contracts/pedido-failures'
import { PROVA_ARMADA_S, type ProvaEmCurso, type ProvaEmCursoPut } from '@vigia/contracts/provas'
import type { Clock } from '../../../adapters/clock.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { closeJanela, openJanela } from '../../../db/janelas-prova.ts'
import { lockCamera } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireWrite } from '../../../http/caller.ts'
import type { Probing } from '../edges/ask/probing.ts'
import { requireCamera } from './require-camera.ts'

const PRAZO_MS = 10_000

interface SwitchDeps {
  readonly db: Database
  readonly clock: Clock
  readonly probing: Pick<Probing, 'askEdge'>
}

/**
 * Begins or ends a walk test of a camera. Its events are marked from before the edge arms until after it disarms. An
 * edge that does not answer disarms by itself, and the events are marked until then.
 * @throws VigiaError `proibido`, `nao_encontrado` (camera missing or disabled)
 */
export async function switchProva(
  deps: SwitchDeps,
  caller: Caller,
  id: number,
  { ativa }: ProvaEmCursoPut,
  signal: AbortSignal,
): Promise<ProvaEmCurso> {
  requireWrite(caller)
  const camera = await requireCamera(deps.db, caller, id)
  if (ativa && camera.ativa === 0) throw notFound('A câmera está desativada: ative-a para fazer a prova.')
  if (ativa) {
    const ate = await save(deps, caller, id, true)
    const detalhe = await arm(deps, camera, PROVA_ARMADA_S * 1000, signal)
    return { ate: new Date(ate).toISOString(), armada: detalhe === null, detalhe }
  }
  const detalhe = await arm(deps, camera, 0, signal)
  if (detalhe === null) await save(deps, caller, id, false)
  return { ate: null, armada: false, detalhe }
}

/** Stores the begin or the end. @returns the end, epoch ms */
function save({ db, clock }: SwitchDeps, caller: Caller, id: number, ativa: boolean): Promise<number> {
  return transact(db, async (tx) => {
    await lockCamera(tx, id)
    const { nome, empresa_id } = await requireCamera(tx, caller, id)
    const now = clock.now()
    const fim = ativa ? now + PROVA_ARMADA_S * 1000 : now
    if (ativa) await openJanela(tx, id, now, fim)
    else await closeJanela(tx, id, now)
    await auditChange(tx, now, caller, {
      acao: 'testar',
      objeto: 'camera',
      id,
      nome,
      empresaId: empresa_id,
      antes: { prova_ate: null },
      depois: { prova_ate: new Date(fim).toISOString() },
    })
    return fim
  })
}

/** Arms the camera for a time; 0 disarms it. @returns null: the edge did; else why it did not, in Portuguese */
async function arm(
  { probing }: SwitchDeps,
  { id, edge_id }: Pick<CameraRow, 'id' | 'edge_id'>,
  validade_ms: number,
  signal: AbortSignal,
): Promise<string | null> {
  if (edge_id === null) return 'Nenhuma caixa atende esta câmera. Cadastre e ative uma caixa.'
  const command = { acao: 'armar_prova', camera_id: id, validade_ms } as const
  try {
    const answer = await probing.askEdge(edge_id, command, { prazoMs: PRAZO_MS, signal })
    return answer.ok ? null : edgeFailureText[answer.falha]
  } catch (error) {
    if (error instanceof VigiaError && error.code === 'indisponivel') return error.detalhe
    throw error
  }
}
