import { gravacaoCreateSchema, gravacaoListadaSchema, gravacaoSchema } from '@vigia/contracts/gravacoes'
import { idTexto, instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { notFound } from '../../../../http/caller.ts'
import { defineRoute, type Route } from '../../../../http/route.ts'
import { requireMaskedPicture } from '../../../../scope/unmasked.ts'
import { requireCamera } from '../../../locais/public.ts'
import { answerFile } from '../answer-file.ts'
import { createGravacao } from './create-gravacao.ts'
import { type ListDeps, listGravacao } from './list-gravacao.ts'
import { type RemoveDeps, removeGravacao } from './remove-gravacao.ts'
import { requireGravacao } from './require-gravacao.ts'
import { findFile, listGravacoes } from './store.ts'
import { viewGravacao } from './view-gravacao.ts'

const params = z.object({ id: idTexto })

/** Routes of the recorder's archive. `wake`: there is a new request. */
export const gravacoesRoutes = (deps: RemoveDeps & ListDeps & { readonly wake: () => void }): Route[] => [
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
    params: z.object({ camera_id: idTexto }),
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
    params: z.object({ camera_id: idTexto }),
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
    params: z.object({ camera_id: idTexto }),
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
  defineRoute({
    method: 'get',
    path: '/api/v1/gravacoes/{id}',
    operacao: 'verGravacao',
    acesso: 'sessao',
    efeito: 'so_login',
    resumo: 'Andamento de uma gravação buscada no gravador',
    params,
    respostas: { 200: gravacaoSchema },
    handler: async ({ caller, params: { id } }) => {
      const row = await requireGravacao(deps.db, caller, id)
      return { status: 200, body: viewGravacao(row, await findFile(deps.db, row)) }
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/gravacoes/{id}',
    operacao: 'removerGravacao',
    acesso: 'trabalho',
    efeito: 'destroys',
    resumo: 'Cancela a busca de uma gravação, ou apaga o arquivo buscado',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params: { id } }) => {
      await removeGravacao(deps, caller, id)
      return { status: 204 }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/gravacoes/{id}/arquivo',
    operacao: 'verArquivoGravacao',
    acesso: 'sessao',
    efeito: 'so_login',
    resumo: 'O vídeo de uma gravação buscada (MP4), inteiro ou em partes',
    descricao: 'Aceita `Range`, `If-Range` e HEAD. Enquanto o arquivo não chegou: 404.',
    cabecalhos: ['ETag', 'Accept-Ranges', 'Content-Range'],
    params,
    respostas: { 200: { midia: 'video/mp4' }, 206: { midia: 'video/mp4' }, 416: { midia: 'application/json' } },
    handler: async ({ caller, params: { id }, request }) => {
      const { db, media } = deps
      const row = await requireGravacao(db, caller, id)
      // Fetched from the recorder, which knows no masks.
      await requireMaskedPicture(db, caller, row.camera_id, { recebido_em: row.criada_em, ocorrido_em: row.criada_em })
      const file = await findFile(db, row)
      const size = file?.estado === 'guardado' ? await media.size(file.caminho) : null
      if (!file || size === null) throw notFound('O arquivo desta gravação ainda não chegou. Espere ele ficar pronto.')
      return answerFile(deps, { ...file, tamanho: size }, request)
    },
  }),
]
