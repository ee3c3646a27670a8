import { access, person } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Unused recovery codes; each is deleted on use. */
interface CodigosRecuperacaoTable {
  usuario_id: number
  /** SHA-256, hex. */
  codigo_hash: string
}

/** Second factor. */
export const segundoFator = defineNoun({
  tables: {
    codigos_recuperacao: table<CodigosRecuperacaoTable>()({
      ...access('hash of a code', person),
      readers: 'none',
      bound: { none: 'ten of each login' },
    }),
  },
})
