import { auditoriaQuerySchema, registroAuditoriaSchema } from '@vigia/contracts/auditoria'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { listVisibleRecords } from './list-registros.ts'

const PATH = '/api/v1/auditoria'

export const auditoriaRoutes = (deps: { readonly db: Database }): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarAuditoria',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Lista quem mudou o quê, do mais novo ao mais antigo',
    descricao:
      'Cada mudança, venha do painel, da API, de um agente ou de uma caixa, fica registrada na mesma transação que a ' +
      'faz, e o registro não muda mais nem é apagado. `antes` e `depois` têm só os campos que mudaram; senhas, ' +
      'códigos e tokens nunca aparecem. O que não é de Empresa nenhuma só o operador da instalação vê.',
    query: auditoriaQuerySchema,
    respostas: { 200: z.array(registroAuditoriaSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listVisibleRecords(deps, caller, query)),
  }),
]
