// The nouns of `mensagens`, one line each.
export { notificacoes } from './notificacoes/noun.ts'
export { push } from './push/noun.ts'
export { recolhimentos } from './recolhimentos/noun.ts'
export { remetentes } from './remetentes/noun.ts'
