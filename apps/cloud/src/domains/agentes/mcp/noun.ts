import { defineNoun } from '../../../nouns/define-noun.ts'

/** Tools of agents. */
export const mcp = defineNoun({
  chapter: 'Agentes',
  segments: ['mcp'],
  tables: {},
})
