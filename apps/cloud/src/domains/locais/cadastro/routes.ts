import { cadastrarSchema, resultadoCadastroSchema } from '@vigia/contracts/gravadores'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { inspectCanais } from '../gravadores/inspect-canais.ts'
import { registerGravador } from './register-gravador.ts'

export const cadastroRoutes = (deps: DesiredDeps & { readonly probing: Probing }): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/gravadores/cadastrar',
    operacao: 'cadastrarGravador',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: ['reveals', 'grants', 'destroys'],
    resumo: 'Cadastra um gravador e uma câmera para cada canal escolhido',
    json: cadastrarSchema,
    respostas: { 201: resultadoCadastroSchema },
    handler: async ({ caller, json, request }) => ({
      status: 201,
      body: await registerGravador(deps, caller, json, (inspection) =>
        inspectCanais(deps, caller, inspection, request),
      ),
    }),
  }),
]
