// The routes of the features of `eventos`, one line each.
export { alertasRoutes } from './alertas/routes.ts'
export { buscaRoutes } from './busca/routes.ts'
export { eventosRoutes } from './eventos/routes.ts'
export { exportacaoRoutes } from './exportacao/routes.ts'
export { incidentesRoutes } from './incidentes/routes.ts'
export { livroRoutes } from './livro/routes.ts'
export { relatoriosRoutes } from './relatorios/routes.ts'
