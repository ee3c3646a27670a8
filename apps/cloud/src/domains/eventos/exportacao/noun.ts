import { defineNoun } from '../../../nouns/define-noun.ts'

/** Training data. */
export const treinamento = defineNoun({
  chapter: 'Eventos',
  segments: ['treinamento'],
  tables: {},
})
