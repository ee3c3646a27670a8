// The nouns of `locais`, one line each.
export { cameras } from './cameras/noun.ts'
export { edges } from './edges/noun.ts'
export { gravadores } from './gravadores/noun.ts'
