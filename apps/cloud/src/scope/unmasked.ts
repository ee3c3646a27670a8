import { findCamera } from '../db/cameras.ts'
import type { Database } from '../db/open.ts'
import type { CameraRow } from '../db/rows.ts'
import { type Login, notFound } from '../http/caller.ts'

type Masked = Pick<CameraRow, 'mascaras_json' | 'mascara_desde' | 'mascara_aplicada_em'>

/** Arrival and time of a stored picture, epoch ms. */
interface Taken {
  readonly recebido_em: number
  /** By the edge's clock. */
  readonly ocorrido_em: number
}

/** Whether the camera has masks that its edge does not apply yet. */
const awaitsMasks = ({ mascaras_json, mascara_desde, mascara_aplicada_em }: Masked): boolean =>
  mascaras_json !== '[]' && mascara_desde !== null && mascara_aplicada_em === null

/** The rights that decide on pictures without masks. */
type Viewer = Pick<Login, 'papel' | 'efeitos'>

/**
 * Whether the login sees a camera only with its masks. An administrador also sees it without them. So does the agent of
 * one, if it has the effect `reveals`. A key does not.
 */
const needsMasks = ({ papel, efeitos }: Viewer): boolean => papel !== 'administrador' || !efeitos.has('reveals')

/** Whether the present picture of the camera is hidden from the login. */
export const hidesView = (login: Viewer, camera: Masked): boolean => needsMasks(login) && awaitsMasks(camera)

/** @throws VigiaError `nao_encontrado` while the present picture is hidden from the login */
export function requireMaskedView(login: Viewer, camera: Masked): void {
  if (hidesView(login, camera)) throw notFound(NOT_YET)
}

const NOT_YET =
  'A caixa ainda não aplicou as máscaras de privacidade desta câmera. Até lá só um administrador vê a imagem dela: ' +
  'tente de novo em alguns minutos.'

const TAKEN_BEFORE =
  'Esta imagem é de antes de a caixa aplicar as máscaras de privacidade da câmera: só um administrador a vê.'

/**
 * Whether a stored picture was taken after masks were drawn and before the edge applied them. One from before them
 * stays as it is (docs/privacy.md). A picture that arrived earlier than the masks is from before them.
 */
export async function isUnmasked(
  db: Database,
  cameraId: number,
  { recebido_em, ocorrido_em }: Taken,
): Promise<boolean> {
  const camera = await findCamera(db, cameraId)
  if (!camera || camera.mascaras_json === '[]' || camera.mascara_desde === null) return false
  const { mascara_desde: since, mascara_aplicada_em: applied } = camera
  return recebido_em >= since && (applied === null || ocorrido_em <= applied)
}

export const hidesUnmasked = async (db: Database, login: Viewer, cameraId: number, taken: Taken): Promise<boolean> =>
  needsMasks(login) && (await isUnmasked(db, cameraId, taken))

/** @throws VigiaError `nao_encontrado` for a stored picture that is hidden from the login */
export async function requireMaskedPicture(db: Database, login: Viewer, cameraId: number, taken: Taken): Promise<void> {
  if (await hidesUnmasked(db, login, cameraId, taken)) throw notFound(TAKEN_BEFORE)
}

/** Columns of a camera whose masks its edge must apply now. */
export const masksDrawn = (mascaras_json: string, now: number) => ({
  mascara_desde: mascaras_json === '[]' ? null : now,
  mascara_aplicada_em: null,
})

/** Columns of `camera` with other masks than before; {}: the same ones. The last report is about those before. */
export const newMasks = (
  camera: Pick<CameraRow, 'mascaras_json' | 'relato_mascarada' | 'relato_gravacao_json'>,
  mascaras_json: string,
  now: number,
) =>
  mascaras_json === camera.mascaras_json
    ? {}
    : {
        mascaras_json,
        ...masksDrawn(mascaras_json, now),
        ...(camera.relato_mascarada === 1 && { relato_mascarada: 0 as const }),
        ...(camera.relato_gravacao_json !== null && { relato_gravacao_json: null }),
      }
