import { segundoFatorPedidoSchema, segundoFatorSchema } from '@vigia/contracts/segundo-fator'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { SegundoFatorDeps } from './deps.ts'
import { changeOwnFactor } from './own-factor.ts'
import { resetFactor } from './reset-factor.ts'

export const segundoFatorRoutes = (deps: SegundoFatorDeps): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/me/segundo-fator',
    operacao: 'mudarSegundoFator',
    erros: [409, 429],
    // Changes only the own login, so a `usuario` may call it too.
    acesso: 'sessao',
    efeito: 'so_login',
    semSegundoFator: true,
    resumo: 'Liga ou desliga o segundo fator do próprio login, ou troca os códigos de recuperação',
    json: segundoFatorPedidoSchema,
    respostas: { 200: segundoFatorSchema },
    handler: async ({ caller, json }) => ({
      status: 200,
      body: await changeOwnFactor(deps, caller, json),
      headers: { 'cache-control': 'no-store' },
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/usuarios/{usuario_id}/segundo-fator',
    operacao: 'redefinirSegundoFator',
    erros: [409],
    acesso: 'escrita',
    efeito: 'grants',
    resumo: 'Desliga o segundo fator de outro login, que perdeu o celular; as sessões dele acabam',
    descricao:
      'De um `usuario`, quem administra a Empresa; de um `administrador`, quem administra uma Empresa acima, ou ' +
      'o operador. ' +
      'O de um operador é redefinido na máquina da central.',
    params: z.object({ usuario_id: idTexto }),
    respostas: { 204: null },
    handler: async ({ caller, params }) => {
      await resetFactor(deps, caller, params.usuario_id)
      return { status: 204 }
    },
  }),
]
