import { z } from 'zod'
import { defineRoute, type Route } from '../../http/route.ts'

export const saudeRoutes = (): Route[] => [
  defineRoute({
    method: 'get',
    path: '/healthz',
    operacao: 'verSaude',
    acesso: 'publico',
    resumo: 'O serviço está de pé',
    respostas: { 200: z.object({ status: z.literal('ok') }) },
    handler: () => ({ status: 200, body: { status: 'ok' as const } }),
  }),
]
