// The nouns of `placas`, one line each.
export { passagens } from './passagens/noun.ts'
export { placas } from './placas/noun.ts'
