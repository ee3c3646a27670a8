import type { motivosFalta } from '@vigia/contracts/eventos'
import type { Generated } from 'kysely'
import { age, fixed, machine } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Candidates that will never arrive, or that the edge still has to send (`a_caminho`); contracts, eventos.ts. */
interface LacunasTable {
  id: Generated<number>
  /** The edge's UUID of the gap record; null: the cloud detected the jump. */
  uuid: string | null
  edge_id: number
  camera_id: number
  de_seq: number
  ate_seq: number
  ocorrido_de: number | null
  ocorrido_ate: number | null
  motivo: (typeof motivosFalta)[number]
  registrada_em: number
  /** Event id reserved for number `de_seq`; following numbers have the following ids. */
  id_reservado: Generated<number | null>
  /** Missing numbers from `de_seq` to `ate_seq` in a merged row; null: all. */
  faltam: Generated<number | null>
}

/** Gaps. */
export const lacunas = defineNoun({
  chapter: 'Eventos',
  segments: ['lacunas'],
  tables: {
    lacunas: table<LacunasTable>()({
      ...machine(age('lacunas'), fixed('lacunas_sem_camera')),
      readers: 'every papel',
      shortens: 'administrador',
      bound: 'Records: gaps in the numbers of a camera',
    }),
  },
})
