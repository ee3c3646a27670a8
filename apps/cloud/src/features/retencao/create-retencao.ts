import type { Route } from '../../http/route.ts'
import { createDescartadosSweep } from '../eventos/delete-descartados.ts'
import { createApagamentoWorker } from './apagamentos/apagamento-worker.ts'
import type { ApagamentoDeps } from './apagamentos/create-apagamento.ts'
import { apagamentosRoutes } from './apagamentos/routes.ts'
import { createReconciler } from './conciliacao/reconcile-service.ts'
import { createMediaCount } from './espaco/count-existing.ts'
import { retencaoRoutes } from './routes.ts'
import type { SweepDeps } from './sweep-empresa.ts'
import { createRetentionSweep } from './sweep-worker.ts'
import type { RetencaoDeps } from './view-retencao.ts'

/** Deletion by age, size and period: its routes, and the sweeps of events and of discarded candidates. */
export function createRetencao(deps: SweepDeps & RetencaoDeps & ApagamentoDeps) {
  const apagamentos = createApagamentoWorker(deps)
  return {
    services: [
      createDescartadosSweep(deps),
      createRetentionSweep(deps),
      apagamentos,
      createReconciler(deps),
      createMediaCount(deps),
    ],
    routes: (): Route[] => [...retencaoRoutes(deps), ...apagamentosRoutes({ ...deps, wake: apagamentos.wake })],
  }
}
