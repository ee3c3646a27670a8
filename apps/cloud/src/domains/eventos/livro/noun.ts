import type { ColumnType, Generated } from 'kysely'
import { age, not } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Hand-overs from one shift to the next. Append-only. */
interface PassagensDeTurnoTable {
  id: Generated<number>
  empresa_id: ColumnType<number, number, never>
  /** Name of the login, quiosque or API key. */
  autor: ColumnType<string, string, never>
  texto: ColumnType<string, string, never>
  em: ColumnType<number, number, never>
}

const why = 'a text about a shift, not a record of a camera'

/** Hand-overs of shifts; the book of occurrences lists them with the answers. */
export const livro = defineNoun({
  chapter: 'Incidentes',
  segments: ['livro'],
  tables: {
    passagens_de_turno: table<PassagensDeTurnoTable>()({
      personal: 'author and text about a shift',
      ends: [age('eventos')],
      held: false,
      export: not('the book has a page of its own, which prints'),
      period: not(why),
      plate: not(why),
      login: 'name stays',
      masks: false,
      readers: 'every papel',
      shortens: 'administrador',
      bound: 'Records: audit log',
    }),
  },
  withoutEffect: {
    'POST /api/v1/livro': 'adds a record',
  },
})
