import { gravacaoCreateSchema, gravacaoListadaSchema, gravacaoSchema } from '@vigia/contracts/gravacoes'
import { idTexto, instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../../http/route.ts'
import { requireCamera } from '../../../locais/public.ts'
import { createGravacao } from './create-gravacao.ts'
import { type ListDeps, listGravacao } from './list-gravacao.ts'
import { listGravacoes } from './store.ts'
import { viewGravacao } from './view-gravacao.ts'

const params = z.object({ camera_id: idTexto })

interface CameraRoutesDeps extends ListDeps {
  /** There is a new request. */
  readonly wake: () => void
}

/** The recorder's archive of a camera: requests, requested parts, and the list of what the recorder holds. */
export const cameraRoutes = (deps: CameraRoutesDeps): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/cameras/{camera_id}/gravacoes',
    operacao: 'buscarGravacao',
    acesso: 'trabalho',
    efeito: 'so_login',
    erros: [409, 429, 503],
    resumo: 'Busca um trecho da gravação de uma câmera no gravador',
    descricao:
      'No máximo 15 minutos. O gravador reproduz no tempo do trecho, uma gravação por vez; a detecção e o ao vivo ' +
      'vêm antes. Acompanhe em `GET /gravacoes/{id}`. Um login busca 2 de cada vez, e de um gravador se buscam 4.',
    params,
    json: gravacaoCreateSchema,
    respostas: { 202: gravacaoSchema },
    handler: async ({ caller, params: { camera_id }, json }) => {
      const body = await createGravacao(deps, caller, camera_id, json)
      deps.wake()
      return { status: 202, body }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/gravacoes',
    operacao: 'listarGravacoes',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Gravações de uma câmera que foram buscadas no gravador, da mais nova à mais antiga',
    descricao: 'As últimas 200. Cada uma fica guardada por 7 dias.',
    params,
    respostas: { 200: gravacaoSchema.array() },
    handler: async ({ caller, params: { camera_id } }) => {
      const { empresa_id } = await requireCamera(deps.db, caller, camera_id)
      const listed = await listGravacoes(deps.db, camera_id, empresa_id)
      return { status: 200, body: listed.map(({ row, file }) => viewGravacao(row, file)) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/cameras/{camera_id}/gravacao',
    operacao: 'listarGravacaoGravador',
    acesso: 'sessao',
    efeito: null,
    erros: [409, 429, 503],
    resumo: 'O que o gravador e a caixa têm gravado de uma câmera em um período',
    descricao:
      'No máximo 24 horas. A caixa pergunta ao gravador na hora; sem a lista dele, `detalhe` diz por quê. Ao todo 40 ' +
      'vezes em 10 minutos por login, e por gravador.',
    params,
    query: z.object({
      inicio: instanteComFusoSchema.optional().describe('Com fuso; sem o campo: 24 horas antes do fim.'),
      fim: instanteComFusoSchema.optional().describe('Sem o campo: agora.'),
    }),
    respostas: { 200: gravacaoListadaSchema },
    handler: async ({ caller, params: { camera_id }, query, request }) => ({
      status: 200,
      body: await listGravacao(deps, caller, camera_id, query, request.signal),
    }),
  }),
]
