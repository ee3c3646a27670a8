import { gravacaoSchema } from '@vigia/contracts/gravacoes'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { notFound } from '../../../../http/caller.ts'
import { defineRoute, type Route } from '../../../../http/route.ts'
import { requireMaskedPicture } from '../../../../scope/unmasked.ts'
import { answerFile } from '../answer-file.ts'
import { cameraRoutes } from './camera-routes.ts'
import type { ListDeps } from './list-gravacao.ts'
import { type RemoveDeps, removeGravacao } from './remove-gravacao.ts'
import { requireGravacao } from './require-gravacao.ts'
import { findFile } from './store.ts'
import { viewGravacao } from './view-gravacao.ts'

const params = z.object({ id: idTexto })

/** Routes of the recorder's archive. `wake`: there is a new request. */
export const gravacoesRoutes = (deps: RemoveDeps & ListDeps & { readonly wake: () => void }): Route[] => [
  ...cameraRoutes(deps),
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
