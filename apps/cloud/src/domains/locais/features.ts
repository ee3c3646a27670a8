// The routes of the features of `locais`, one line each.
export { cadastroRoutes } from './cadastro/routes.ts'
export { camerasRoutes } from './cameras/routes.ts'
export { edgesRoutes } from './edges/routes.ts'
export { gravadoresRoutes } from './gravadores/routes.ts'
export { instalacaoRoutes } from './instalacao/routes.ts'
