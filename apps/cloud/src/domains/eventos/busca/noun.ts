import type { Generated } from 'kysely'
import { goesWith, machine, not, owner, part, period } from '../../../db/data-register/entry.ts'
import { defineNoun, program, table } from '../../../nouns/define-noun.ts'

/** Terms of an evento or incidente. */
interface BuscaPostingsTable {
  termo_id: number
  /** No foreign key: a check would cost a read for each row, and the search reads the record anyway. */
  alvo_id: number
}

/** The different words of an Empresa. */
interface BuscaTermosTable {
  id: Generated<number>
  empresa_id: number
  /** Without accents, lower case; a name after `=` is a field and no word of a text. */
  palavra: string
}

/** Records of earlier releases that are not indexed yet; no row: none. */
interface BuscaPreenchimentoTable {
  alvo: 'eventos' | 'atendimentos'
  /** Only records with a lower id remain. */
  ate_id: number
}

/** Search index. */
export const busca = defineNoun({
  chapter: 'Busca',
  segments: ['busca'],
  tables: {
    busca_eventos: table<BuscaPostingsTable>()({
      ...part('words of an event', 'eventos'),
      export: not('made from the event'),
      readers: 'none',
      bound: { none: 'the words of a text with a length' },
    }),
    busca_incidentes: table<BuscaPostingsTable>()({
      ...part('words of an answer', 'incidentes'),
      export: not('made from the answer'),
      readers: 'none',
      bound: { none: 'the words of a text with a length' },
    }),
    busca_termos: table<BuscaTermosTable>()({
      ...machine(owner('busca_eventos')),
      period: goesWith('busca_eventos'),
      bound: { none: 'the words of the records' },
    }),
    busca_preenchimento: table<BuscaPreenchimentoTable>()({
      ...machine(period('when all earlier records are indexed')),
      bound: program,
    }),
  },
})
