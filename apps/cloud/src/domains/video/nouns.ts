// The nouns of `video`, one line each.

export { gravacoes } from './clipes/gravacoes/noun.ts'
export { clipes } from './clipes/noun.ts'
export { transmissoes } from './transmissoes/noun.ts'
