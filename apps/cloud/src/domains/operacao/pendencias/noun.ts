import { defineNoun } from '../../../nouns/define-noun.ts'

/** Stopped work. */
export const pendencias = defineNoun({
  chapter: 'Pendências',
  segments: ['pendencias'],
  tables: {},
  withoutEffect: {
    'POST /api/v1/pendencias/repetir': 'repeats work',
  },
})
