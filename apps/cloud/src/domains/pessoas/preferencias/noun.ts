import type { Generated } from 'kysely'
import { access } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

/** Settings that a login keeps for its screens (contracts, preferencias.ts). */
interface PreferenciasTable {
  usuario_id: number
  frases_json: Generated<string>
  mosaicos_json: Generated<string>
}

/** Phrases and layouts of the mosaic. */
export const preferencias = defineNoun({
  tables: {
    preferencias: table<PreferenciasTable>()({
      ...access('phrases that a person wrote'),
      bound: ofOne('login'),
    }),
  },
})
