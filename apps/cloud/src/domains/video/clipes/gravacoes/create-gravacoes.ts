import type { Route } from '../../../../http/route.ts'
import { createCompletion } from './complete-eventos.ts'
import { createGravacaoFetches } from './fetch-gravacoes.ts'
import type { ListDeps } from './list-gravacao.ts'
import type { RemoveDeps } from './remove-gravacao.ts'
import { gravacoesRoutes } from './routes.ts'

/** Parts of recorders' archives: the routes, and the worker that has the edges fetch them. */
export function createGravacoes(deps: RemoveDeps & ListDeps) {
  const fetches = createGravacaoFetches(deps)
  const completion = createCompletion({ ...deps, wake: fetches.wake })
  return { services: [fetches, completion], routes: (): Route[] => gravacoesRoutes({ ...deps, wake: fetches.wake }) }
}
