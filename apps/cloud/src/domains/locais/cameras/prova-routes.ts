import {
  andamentoProvaQuerySchema,
  andamentoProvaSchema,
  provaCreateSchema,
  provaEmCursoPutSchema,
  provaEmCursoSchema,
  provaSchema,
  provasQuerySchema,
} from '@vigia/contracts/provas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { answerPage } from '../../../http/page-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { createProva, followProva } from './create-prova.ts'
import { listVisibleProvas } from './list-provas.ts'
import { switchProva } from './switch-prova.ts'

const PATH = '/api/v1/cameras/{camera_id}/provas'
const params = z.object({ camera_id: idTexto })

export const provaRoutes = (deps: Parameters<typeof switchProva>[0]): Route[] => [
  defineRoute({
    method: 'post',
    path: PATH,
    operacao: 'registrarProva',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Guarda o resultado de uma prova de caminhada diante da câmera',
    descricao:
      'A prova termina na hora desta chamada e começou `duracao_s` antes. O servidor junta os eventos da câmera ' +
      'desse tempo e a configuração dela. Um registro não muda mais, e fica quando a câmera é removida.',
    params,
    json: provaCreateSchema,
    respostas: { 201: provaSchema },
    handler: async ({ caller, params: { camera_id }, json }) => ({
      status: 201,
      body: await createProva(deps, caller, camera_id, json),
    }),
  }),
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'listarProvas',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    efeito: null,
    resumo: 'Lista as provas de uma câmera, da mais nova à mais antiga',
    params,
    query: provasQuerySchema,
    respostas: { 200: z.array(provaSchema) },
    handler: async ({ caller, params: { camera_id }, query }) => {
      const path = PATH.replace('{camera_id}', String(camera_id))
      return answerPage(path, query, await listVisibleProvas(deps, caller, camera_id, query))
    },
  }),
  defineRoute({
    method: 'get',
    path: `${PATH}/andamento`,
    operacao: 'acompanharProva',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Diz até onde chegou uma prova que ainda corre',
    descricao: 'Nada é guardado. A tela de quem pergunta não conta como outra tela.',
    params,
    query: andamentoProvaQuerySchema,
    respostas: { 200: andamentoProvaSchema },
    handler: async ({ caller, params: { camera_id }, query }) => ({
      status: 200,
      body: await followProva(deps, caller, camera_id, query),
    }),
  }),
  defineRoute({
    method: 'put',
    path: `${PATH}/andamento`,
    operacao: 'mudarProvaEmCurso',
    acesso: 'escrita',
    efeito: null,
    resumo: 'Começa ou termina uma prova de caminhada',
    descricao:
      'Enquanto ela corre, no máximo cinco minutos, a caixa arma todas as IAs ligadas da câmera a qualquer hora. Os ' +
      'eventos desse tempo são de prova: aparecem nas telas e nos navegadores inscritos, e não vão aos canais nem ' +
      'contam nos relatórios. Uma caixa que não sabe armar é dita em `detalhe`, e a prova corre assim mesmo.',
    params,
    json: provaEmCursoPutSchema,
    respostas: { 200: provaEmCursoSchema },
    handler: async ({ caller, params: { camera_id }, json, request }) => ({
      status: 200,
      body: await switchProva(deps, caller, camera_id, json, request.signal),
    }),
  }),
]
