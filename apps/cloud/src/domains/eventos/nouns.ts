// The nouns of `eventos`, one line each.
export { alertas } from './alertas/noun.ts'
export { busca } from './busca/noun.ts'
export { eventos } from './eventos/noun.ts'
export { treinamento } from './exportacao/noun.ts'
export { incidentes } from './incidentes/noun.ts'
export { livro } from './livro/noun.ts'
export { relatorios } from './relatorios/noun.ts'
