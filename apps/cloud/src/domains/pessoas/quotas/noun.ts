import { defineNoun } from '../../../nouns/define-noun.ts'

/** Limits of an Empresa. */
export const limites = defineNoun({
  chapter: 'Empresas',
  segments: ['limites'],
  tables: {},
})
