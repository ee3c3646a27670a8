import { segredoCanalSchema, testeCanalSchema } from '@vigia/contracts/notificacoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { NotificacoesDeps } from './deps.ts'
import { rotateSecret } from './rotate-secret.ts'
import { testCanal } from './test-canal.ts'

const params = z.object({ canal_id: idTexto })

/** The use of a canal at its receiver: a test message, and the secret that signs webhooks. */
export const useRoutes = (deps: NotificacoesDeps): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/notificacoes/{canal_id}/teste',
    operacao: 'testarCanalNotificacao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Envia uma notificação de teste a todos os destinos do canal',
    descricao:
      'Também de um canal inativo. `erros` tem uma frase para cada destino que falhou. No WhatsApp, `ok` diz que a ' +
      'Twilio aceitou a mensagem, não que ela chegou.',
    params,
    erros: [429],
    respostas: { 200: testeCanalSchema },
    handler: async ({ caller, params: { canal_id }, request }) => ({
      status: 200,
      body: await testCanal(deps, caller, canal_id, request.signal),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/notificacoes/{canal_id}/segredo',
    operacao: 'trocarSegredoCanalNotificacao',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Troca o segredo de assinatura de um webhook e mostra o novo, uma única vez',
    descricao: 'O segredo anterior deixa de valer na hora.',
    params,
    erros: [409],
    respostas: { 200: segredoCanalSchema },
    handler: async ({ caller, params: { canal_id } }) => ({
      status: 200,
      body: await rotateSecret(deps, caller, canal_id),
    }),
  }),
]
