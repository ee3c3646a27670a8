import { filaVerificacaoQuerySchema, filaVerificacaoSchema } from '@vigia/contracts/pendencias'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { waitingByEmpresa } from './queue-state-store.ts'

interface VerificacaoDeps {
  readonly db: Database
  readonly clock: Clock
  /** Age of the oldest event above which the verification counts as late. */
  readonly lateMs: number
}

export const verificacaoRoutes = ({ db, clock, lateMs }: VerificacaoDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/verificacao',
    operacao: 'verFilaVerificacao',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Quantos eventos esperam o veredito em cada Empresa, e há quanto tempo',
    descricao: 'Só as Empresas em que algum evento espera. O que está parado não conta: veja `/pendencias`.',
    query: filaVerificacaoQuerySchema,
    respostas: { 200: z.array(filaVerificacaoSchema) },
    handler: async ({ caller, query }) => {
      const empresas = await narrowScope(db, caller, query.empresa_id)
      const now = clock.now()
      const body = (await waitingByEmpresa(db, empresas)).map(({ empresa_id, esperando, desde }) => ({
        empresa_id,
        esperando,
        mais_antigo_em: new Date(desde).toISOString(),
        espera_s: Math.max(0, Math.round((now - desde) / 1000)),
        atrasada: now - desde > lateMs,
      }))
      return { status: 200, body }
    },
  }),
]
