import { defineNoun } from '../../../nouns/define-noun.ts'

/** Defaults of the calibration. */
export const calibracao = defineNoun({
  chapter: 'Calibração',
  segments: ['calibracao'],
  tables: {},
})
