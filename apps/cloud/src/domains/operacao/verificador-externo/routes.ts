import { idTexto } from '@vigia/contracts/values'
import {
  usoVerificadorExternoSchema,
  verificadorExternoPatchSchema,
  verificadorExternoSchema,
} from '@vigia/contracts/verificador-externo'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { changeVerificadorExterno } from './change-verificador-externo.ts'
import { showVerificadorExterno } from './show-verificador-externo.ts'
import type { VlmDeps } from './vlm-account.ts'

const PATH = '/api/v1/verificador-externo'

export const verificadorExternoRoutes = (deps: VlmDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'verVerificadorExterno',
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'O modelo externo que confere alertas duvidosos, e o uso dele neste mês por Empresa',
    descricao: 'Só para quem administra. `servico` é null onde o operador não configurou nenhum.',
    query: z.object({ empresa_id: idTexto.optional() }),
    respostas: { 200: verificadorExternoSchema },
    handler: async ({ caller, query }) => ({
      status: 200,
      body: await showVerificadorExterno(deps, caller, query.empresa_id),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: `${PATH}/{empresa_id}`,
    operacao: 'alterarVerificadorExterno',
    acesso: 'escrita',
    efeito: 'reveals',
    erros: [409],
    resumo: 'Liga ou desliga o verificador externo de uma Empresa, ou muda o limite de chamadas',
    descricao:
      'Ligado, recortes e quadros dos eventos duvidosos vão para o servidor do serviço. Liga só um administrador da ' +
      'própria Empresa; desliga quem a administra; o limite muda só o operador. 409 sem um serviço configurado.',
    params: z.object({ empresa_id: idTexto }),
    json: verificadorExternoPatchSchema,
    respostas: { 200: usoVerificadorExternoSchema },
    handler: async ({ caller, params, json }) => ({
      status: 200,
      body: await changeVerificadorExterno(deps, caller, params.empresa_id, json),
    }),
  }),
]
