import { type Camera, type CameraPatch, cameraSchema } from '@vigia/contracts/cameras'
import { VigiaError } from '@vigia/contracts/errors'
import type { GeometriaPatch } from '@vigia/contracts/geometria'
import { type Horarios, horariosSchema } from '@vigia/contracts/horarios'
import { type MascarasPut, mascarasSchema } from '@vigia/contracts/mascaras'
import type { Api } from '../../../api/client.ts'

/** A change of a camera. Names of zones, masks, and windows have paths of their own. */
export type CameraChange = CameraPatch &
  Pick<GeometriaPatch, 'nomes_zonas' | 'imagem_inteira'> &
  Partial<MascarasPut> & { readonly horarios?: Horarios }

/** Fields that an editor of the page sends. */
export type EditedField = keyof CameraChange & keyof Camera

export type SaveResult =
  | { readonly kind: 'saved'; readonly camera: Camera }
  /** Another login changed the same fields meanwhile; nothing was stored. */
  | { readonly kind: 'changed'; readonly camera: Camera }

/** Part of a camera with a path of its own. */
export type CameraPart = 'geometria' | 'mascaras' | 'horarios'

/** Each attempt fails only if one more change arrived in between. */
const ATTEMPTS = 4

export const differs = (a: Camera, b: Camera, fields: readonly EditedField[]): boolean =>
  fields.some((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))

/**
 * Stores a change of the camera as it was `opened`. A change of other fields meanwhile does not matter; one of the same
 * fields is returned and not overwritten.
 */
export async function saveCamera(
  api: Pick<Api, 'get' | 'send'>,
  opened: Camera,
  patch: CameraChange,
  part?: CameraPart,
): Promise<SaveResult> {
  const path = `/cameras/${opened.id}`
  const target = part ? `${path}/${part}` : path
  const store = async (version: string): Promise<Camera> => {
    if (part === 'mascaras') await api.send('PUT', target, patch, mascarasSchema, version)
    else if (part === 'horarios') await api.send('PUT', target, patch.horarios, horariosSchema, version)
    else return await api.send('PATCH', target, patch, cameraSchema, version)
    return await api.get(path, cameraSchema)
  }
  const fields = Object.keys(patch) as EditedField[]
  let base = opened
  for (let attempt = 1; ; attempt++) {
    try {
      return { kind: 'saved', camera: await store(base.atualizada_em) }
    } catch (error) {
      if (!(error instanceof VigiaError) || error.code !== 'conflito') throw error
      const current = await api.get(path, cameraSchema)
      // An unchanged camera: the conflict has another reason, such as a limit.
      if (current.atualizada_em === base.atualizada_em) throw error
      if (differs(opened, current, fields)) return { kind: 'changed', camera: current }
      if (attempt === ATTEMPTS) throw error
      base = current
    }
  }
}
