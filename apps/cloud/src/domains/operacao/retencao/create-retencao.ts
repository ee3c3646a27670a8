import type { Route } from '../../../http/route.ts'
import { createDescartadosSweep } from '../../eventos/public.ts'
import { enqueueAviso } from '../../mensagens/public.ts'
import { createApagamentoWorker } from './apagamentos/apagamento-worker.ts'
import type { ApagamentoDeps } from './apagamentos/create-apagamento.ts'
import { apagamentosRoutes } from './apagamentos/routes.ts'
import { createReconciler } from './conciliacao/reconcile-service.ts'
import { createMediaCount } from './espaco/count-existing.ts'
import { retencaoRoutes } from './routes.ts'
import { createRetentionSweep, type SweepWorkerDeps } from './sweep-worker.ts'
import type { RetencaoDeps } from './view-retencao.ts'

/** Deletion by age, size and period: its routes, and the sweeps of events and of discarded candidates. */
export function createRetencao(deps: SweepWorkerDeps & RetencaoDeps & ApagamentoDeps) {
  const apagamentos = createApagamentoWorker(deps)
  // Ages and holds count against the time of ages; work items against the wall clock.
  const aged = { ...deps, clock: deps.ages }
  return {
    services: [
      createDescartadosSweep({ ...aged, warn: enqueueAviso }),
      createRetentionSweep(deps),
      apagamentos,
      createReconciler(aged),
      createMediaCount(deps),
    ],
    routes: (): Route[] => [...retencaoRoutes(deps), ...apagamentosRoutes({ ...deps, wake: apagamentos.wake })],
  }
}
