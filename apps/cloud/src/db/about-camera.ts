import type { Generated } from 'kysely'

/** Columns of a record about a camera. Without a foreign key: the record outlives its camera. */
export interface AboutCamera {
  id: Generated<number>
  empresa_id: number
  camera_id: number
  /** Name of the camera at that time. */
  camera_nome: string
}
