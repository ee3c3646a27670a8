// The routes of the features of `operacao`, one line each.
export { calibracaoRoutes } from './calibracao/routes.ts'
export { lacunasRoutes } from './lacunas/routes.ts'
export { linhaDoTempoRoutes } from './linha-do-tempo/routes.ts'
export { pendenciasRoutes } from './pendencias/routes.ts'
export { quedasRoutes } from './quedas/routes.ts'
export { saudeRoutes } from './saude/routes.ts'
export { verificacaoRoutes } from './verificacao/routes.ts'
export { verificadorExternoRoutes } from './verificador-externo/routes.ts'
