import { defineNoun } from '../../../nouns/define-noun.ts'

/** State of the verification. */
export const verificacao = defineNoun({
  chapter: 'Eventos',
  segments: ['verificacao'],
  tables: {},
})
