import { testeCanalSchema } from '@vigia/contracts/notificacoes'
import {
  remetentesPatchSchema,
  remetentesSchema,
  remetenteTesteSchema,
  tiposRemetente,
} from '@vigia/contracts/remetentes'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { changeRemetentes } from './change-remetentes.ts'
import type { RemetentesDeps } from './deps.ts'
import { testRemetente } from './test-remetente.ts'
import { viewRemetentes } from './view-remetentes.ts'

const PATH = '/api/v1/remetentes'

export const remetentesRoutes = (deps: RemetentesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'verRemetentes',
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'Com que contas a instalação envia e-mail, WhatsApp e Telegram, sem as senhas',
    descricao: 'Só para o operador da instalação.',
    respostas: { 200: remetentesSchema },
    handler: async ({ caller }) => ({ status: 200, body: await viewRemetentes(deps, caller) }),
  }),
  defineRoute({
    method: 'patch',
    path: PATH,
    operacao: 'alterarRemetentes',
    acesso: 'escrita',
    efeito: 'so_login',
    erros: [409],
    resumo: 'Muda as contas com que a instalação envia',
    descricao: 'Só para o operador. 409 para um serviço que as variáveis de ambiente do servidor definem.',
    json: remetentesPatchSchema,
    respostas: { 200: remetentesSchema },
    handler: async ({ caller, json }) => ({ status: 200, body: await changeRemetentes(deps, caller, json) }),
  }),
  defineRoute({
    method: 'post',
    path: `${PATH}/{tipo}/teste`,
    operacao: 'testarRemetente',
    acesso: 'escrita',
    efeito: 'so_login',
    erros: [429],
    resumo: 'Envia uma mensagem de teste com as contas que valem agora',
    descricao: 'Só para o operador. `erros` diz o que falta ou o que o serviço recusou.',
    params: z.object({ tipo: z.enum(tiposRemetente) }),
    json: remetenteTesteSchema,
    respostas: { 200: testeCanalSchema },
    handler: async ({ caller, params: { tipo }, json: { destino }, request }) => ({
      status: 200,
      body: await testRemetente(deps, caller, { tipo, destino }, request.signal),
    }),
  }),
]
