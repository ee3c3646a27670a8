import { VigiaError } from '@vigia/contracts/errors'
import { gravacaoContinuaPutSchema, gravacaoContinuaSchema } from '@vigia/contracts/gravacao-continua'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeCamera } from './change-camera.ts'
import { requireCamera } from './require-camera.ts'
import { findRecordingEdge } from './store.ts'
import { refusalOf, viewGravacaoContinua } from './view-gravacao-continua.ts'

const params = z.object({ camera_id: idTexto })

export function gravacaoContinuaRoutes(deps: DesiredDeps): Route[] {
  const { db } = deps
  const read = async (caller: Caller, id: number) => {
    const row = await requireCamera(db, caller, id)
    return { row, edge: row.edge_id === null ? null : await findRecordingEdge(db, row.edge_id) }
  }
  const view = async (caller: Caller, id: number) => {
    const { row, edge } = await read(caller, id)
    return viewGravacaoContinua(row, edge)
  }
  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/gravacao-continua',
      operacao: 'verGravacaoContinua',
      acesso: 'sessao',
      efeito: null,
      resumo: 'Gravação contínua de uma câmera na caixa',
      params,
      respostas: { 200: gravacaoContinuaSchema },
      handler: async ({ caller, params: { camera_id } }) => ({ status: 200, body: await view(caller, camera_id) }),
    }),
    defineRoute({
      method: 'put',
      path: '/api/v1/cameras/{camera_id}/gravacao-continua',
      operacao: 'definirGravacaoContinua',
      erros: [409],
      acesso: 'escrita',
      efeito: ['destroys'],
      resumo: 'Liga ou desliga a gravação contínua de uma câmera na caixa',
      descricao:
        'A caixa grava o fluxo secundário no disco dela, sem parar, e apaga o mais antigo quando passa do espaço ' +
        'definido em `PATCH /edges/{edge_id}`. Desligar apaga o que está gravado. 409 com a razão: câmera com ' +
        'máscara, caixa antiga, ou cartão SD, eMMC ou pendrive como disco. `If-Match` vale como em ' +
        '`PATCH /cameras/{camera_id}`.',
      params,
      json: gravacaoContinuaPutSchema,
      respostas: { 200: gravacaoContinuaSchema },
      handler: async ({ caller, params: { camera_id }, json, request }) => {
        requireWrite(caller)
        const { row, edge } = await read(caller, camera_id)
        const refusal = json.ligada ? refusalOf(row, edge) : null
        if (refusal !== null) throw new VigiaError('conflito', { detalhe: refusal })
        const patch = { gravacao_continua: json.ligada }
        await changeCamera(deps, caller, camera_id, patch, request.header('if-match') ?? null)
        return { status: 200, body: await view(caller, camera_id) }
      },
    }),
  ]
}
