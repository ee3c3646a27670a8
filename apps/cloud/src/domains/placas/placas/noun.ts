import type { ListaPlaca } from '@vigia/contracts/placas'
import type { Generated } from 'kysely'
import { not, setting, stays } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

interface PlacasTable {
  id: Generated<number>
  empresa_id: number
  placa: string
  lista: ListaPlaca
  nota: string | null
  dono: string | null
  /** The entry counts before this time; null: always. */
  validade: number | null
  criada_em: number
  atualizada_em: number
}

/** Lists of plates. */
export const placas = defineNoun({
  chapter: 'Placas',
  segments: ['placas'],
  tables: {
    placas: table<PlacasTable>()({
      ...setting('plate, owner and note'),
      readers: 'placas',
      export: not('it has an export of its own on the page *Placas*'),
      plate: stays('na lista de placas: é cadastro. Apague a entrada na página Placas.'),
      bound: 'Plates: entries of the lists',
    }),
  },
  withoutEffect: {
    'POST /api/v1/placas': 'programs of condominiums write the lists',
    'POST /api/v1/placas/importar': 'programs of condominiums write the lists',
    'PATCH /api/v1/placas/{id}': 'programs of condominiums write the lists',
    'DELETE /api/v1/placas/{id}': 'programs of condominiums write the lists',
  },
})
