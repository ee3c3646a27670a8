import { VigiaError } from '@vigia/contracts/errors'
import { ONVIF } from '@vigia/contracts/fabricantes'
import { failureText } from '@vigia/contracts/pedido-failures'
import { type MovimentoPtz, type Preset, PTZ_VEZ_MS, type Ptz } from '@vigia/contracts/ptz'
import { auditChange } from '../../../audit/audit-change.ts'
import type { CameraWithEdge } from '../../../db/cameras.ts'
import { findGravador } from '../../../db/gravadores.ts'
import { lockCamera } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerKey, callerName, requireWork, requireWrite } from '../../../http/caller.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { onvifFields, openGravador } from '../gravadores/gravador-sources.ts'
import { findPtz, type PtzRow, saveAway, saveTurn } from './ptz-store.ts'
import { requireCamera } from './require-camera.ts'

type PtzDeps = Pick<DesiredDeps, 'db' | 'clock' | 'box'> & { readonly probing: Pick<Probing, 'askEdge'> }

/** A move is worthless when it comes late. */
const MOVE_MS = 8_000
/** Some devices list their profiles slowly. */
const PRESETS_MS = 15_000

const NOT_ONVIF =
  'Esta câmera não foi adicionada por ONVIF, por onde o Vigia a move. Adicione-a de novo como gravador ONVIF.'

/** The person who moves the camera now, and whether the camera is away. */
export async function getPtz({ db, clock }: PtzDeps, caller: Caller, id: number): Promise<Ptz> {
  const camera = await requireCamera(db, caller, id)
  const gravador = camera.gravador_id === null ? undefined : await findGravador(db, camera.gravador_id)
  return viewPtz(caller, gravador?.fabricante === ONVIF, await findPtz(db, id), clock.now())
}

function viewPtz(caller: Caller, disponivel: boolean, row: PtzRow | undefined, now: number): Ptz {
  const isHeld = row !== undefined && row.vence_em > now
  return {
    disponivel,
    em_uso: isHeld
      ? { por: row.por, ate: new Date(row.vence_em).toISOString(), meu: row.quem === callerKey(caller) }
      : null,
    fora_da_base: row?.fora === 1,
  }
}

/**
 * Moves a camera through its edge. A person who moves it keeps the turn for PTZ_VEZ_MS after each action.
 * @param signal aborts when the caller disconnects
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (somebody else moves it, or no ONVIF), `indisponivel`
 */
export async function moveCamera(
  deps: PtzDeps,
  caller: Caller,
  id: number,
  movimento: MovimentoPtz,
  signal: AbortSignal,
): Promise<Ptz> {
  requireWork(caller)
  if (movimento.acao === 'definir_base') requireWrite(caller)
  const { db, clock } = deps
  const { edgeId, device } = await requireDevice(deps, caller, id)
  await transact(db, (tx) => takeTurn(tx, caller, id, movimento, clock.now()))
  const command = { acao: 'mover_camera', camera_id: id, ...device, movimento } as const
  const answer = await deps.probing.askEdge(edgeId, command, { prazoMs: MOVE_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
  await saveAway(db, id, answer.resultado.fora)
  return viewPtz(caller, true, await findPtz(db, id), clock.now())
}

/**
 * The presets that the camera stores.
 * @throws VigiaError like `moveCamera`
 */
export async function listPresets(deps: PtzDeps, caller: Caller, id: number, signal: AbortSignal): Promise<Preset[]> {
  requireWork(caller)
  const { edgeId, device } = await requireDevice(deps, caller, id)
  const command = { acao: 'listar_presets', ...device } as const
  const answer = await deps.probing.askEdge(edgeId, command, { prazoMs: PRESETS_MS, signal })
  if (!answer.ok) throw new VigiaError('indisponivel', { detalhe: failureText[answer.falha] })
  return answer.resultado.presets
}

/** The edge of the camera, and its address for ONVIF. */
async function requireDevice({ db, box }: PtzDeps, caller: Caller, id: number) {
  const { ativa, canal, edge_id, gravador_id }: CameraWithEdge = await requireCamera(db, caller, id)
  const row = gravador_id === null ? undefined : await findGravador(db, gravador_id)
  if (row?.fabricante !== ONVIF || canal === null) throw new VigiaError('conflito', { detalhe: NOT_ONVIF })
  if (ativa === 0) throw new VigiaError('conflito', { detalhe: 'A câmera está desativada. Ative-a para movê-la.' })
  if (edge_id === null)
    throw new VigiaError('indisponivel', { detalhe: 'Nenhuma caixa atende esta câmera. Cadastre e ative uma caixa.' })
  const access = openGravador(box, row)
  const { host, porta, usuario, senha } = access
  const { senha_em_texto } = onvifFields(access)
  return { edgeId: edge_id, device: { host, porta, usuario, senha, canal, ...(senha_em_texto && { senha_em_texto }) } }
}

/** The record of a turn names its first action. A new home position has a record of its own. */
async function takeTurn(tx: Database, caller: Caller, id: number, { acao }: MovimentoPtz, now: number): Promise<void> {
  await lockCamera(tx, id)
  const { nome, empresa_id } = await requireCamera(tx, caller, id)
  const before = await findPtz(tx, id)
  const quem = callerKey(caller)
  const isHeld = before !== undefined && before.vence_em > now
  if (isHeld && before.quem !== quem) {
    const seconds = Math.ceil((before.vence_em - now) / 1000)
    throw new VigiaError('conflito', {
      detalhe: `${before.por} está movendo esta câmera. Tente de novo em ${seconds} s.`,
    })
  }
  await saveTurn(tx, { camera_id: id, quem, por: callerName(caller), vence_em: now + PTZ_VEZ_MS })
  if (isHeld && acao !== 'definir_base') return
  await auditChange(tx, now, caller, {
    acao: 'mover',
    objeto: 'camera',
    id,
    nome,
    empresaId: empresa_id,
    antes: null,
    depois: { movimento: acao },
  })
}
