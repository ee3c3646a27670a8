import { defineNoun } from '../../../nouns/define-noun.ts'

/** Reports. */
export const relatorios = defineNoun({
  chapter: 'Relatórios',
  segments: ['relatorios', 'concordancia'],
  tables: {},
})
