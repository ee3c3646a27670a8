import type { Generated } from 'kysely'
import { age, machine } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Quedas of edges (`camera_id` null) and of cameras. */
interface QuedasTable {
  id: Generated<number>
  empresa_id: number | null
  edge_id: number | null
  camera_id: number | null
  nome: string
  inicio: number
  /** null: still open. */
  fim: number | null
  motivo: string
}

/** Outages. */
export const quedas = defineNoun({
  chapter: 'Quedas',
  segments: ['quedas'],
  tables: {
    quedas: table<QuedasTable>()({
      ...machine(age('quedas')),
      readers: 'every papel',
      shortens: 'administrador',
      bound: { none: 'one of each outage of a camera, edge or gravador; a state lasts some seconds at least' },
    }),
  },
})
