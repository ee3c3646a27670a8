import { chaveCreateSchema, chaveCriadaSchema, chaveSchema, chavesQuerySchema } from '@vigia/contracts/chaves'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { createChave } from './create-chave.ts'
import type { ChavesDeps } from './deps.ts'
import { listVisibleKeys } from './list-chaves.ts'
import { removeChave } from './remove-chave.ts'

const PATH = '/api/v1/chaves'

export const chavesRoutes = (deps: ChavesDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarChaves',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'Lista as chaves de integração no escopo, da mais nova à mais antiga',
    query: chavesQuerySchema,
    respostas: { 200: z.array(chaveSchema) },
    handler: async ({ caller, query }) => answerPage(PATH, query, await listVisibleKeys(deps, caller, query)),
  }),
  defineRoute({
    method: 'post',
    path: PATH,
    operacao: 'criarChave',
    erros: [409],
    acesso: 'escrita',
    efeito: 'grants',
    resumo: 'Cria uma chave de integração; só esta resposta a mostra inteira',
    descricao:
      'A chave vai em `Authorization: Bearer vigia_…` e age como um `administrador` (`escrita`) ou um `usuario` ' +
      '(`leitura`) da Empresa, até a validade ou até ser apagada. Ela não alcança logins, sessões, chaves, ' +
      'segundo fator ' +
      'nem o acesso de agentes (403), e não entra em `/mcp` (401). A auditoria diz o nome dela.',
    json: chaveCreateSchema,
    respostas: { 201: chaveCriadaSchema },
    handler: async ({ caller, json }) => ({
      status: 201,
      body: await createChave(deps, caller, json),
      headers: { 'cache-control': 'no-store' },
    }),
  }),
  defineRoute({
    method: 'delete',
    path: `${PATH}/{id}`,
    operacao: 'removerChave',
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'Apaga uma chave: ela deixa de valer na hora, também no que está aberto',
    params: z.object({ id: idTexto }),
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await removeChave(deps, caller, id)
      return { status: 204 }
    },
  }),
]
