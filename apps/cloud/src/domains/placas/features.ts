// The routes of the features of `placas`, one line each.
export { leituraPlacasRoutes } from './leitura-placas/routes.ts'
export { passagensRoutes } from './passagens/routes.ts'
export { placasRoutes } from './placas/routes.ts'
export { presencasRoutes } from './presencas/routes.ts'
