import type { TipoRemetente } from '@vigia/contracts/remetentes'
import { setting } from '../../../db/data-register/entry.ts'
import { defineNoun, program, table } from '../../../nouns/define-noun.ts'

/** Settings of the senders; one row per kind. */
interface RemetentesTable {
  /** Fixed per kind, because the seal of the secret includes it. */
  id: number
  tipo: TipoRemetente
  /** Values of contracts/remetentes.ts; null: nothing was entered. */
  valores_json: string | null
  /** Sealed (sealed-columns.ts): password or token; null: none. */
  segredo_cifrado: string | null
}

/** Settings of the senders. */
export const remetentes = defineNoun({
  chapter: 'Notificações',
  segments: ['remetentes'],
  tables: {
    remetentes: table<RemetentesTable>()({
      ...setting(null),
      readers: 'operador',
      shortens: 'operador',
      bound: program,
    }),
  },
})
