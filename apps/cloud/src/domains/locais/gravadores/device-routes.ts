import { diagnosticoGravadorSchema } from '@vigia/contracts/diagnostico-gravador'
import { descobrirSchema, imagemCanalSchema, resultadoCanalSchema } from '@vigia/contracts/gravadores'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { callerKey } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { createSlots } from '../../../http/slots.ts'
import type { Probing } from '../edges/ask/probing.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { captureCanal } from './capture-canal.ts'
import { diagnoseGravador } from './diagnose-gravador.ts'
import { discoverChannels } from './discover-canais.ts'
import { inspectCanais } from './inspect-canais.ts'

const params = z.object({ gravador_id: idTexto })

/** A page requests two pictures at a time. */
const PICTURES_PER_LOGIN = 4
const pictureSlots = () =>
  createSlots(PICTURES_PER_LOGIN, {
    detalhe: 'Este login já espera por imagens demais. Tente de novo quando elas chegarem.',
    tentarEmS: 1,
  })

/** Questions to a recorder: its canais, a picture of one, its diagnosis. */
export const deviceRoutes = (deps: DesiredDeps & { readonly probing: Probing }, slots = pictureSlots()): Route[] => [
  defineRoute({
    method: 'post',
    path: '/api/v1/gravadores/descobrir',
    operacao: 'descobrirCanais',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: ['grants'],
    resumo: 'Procura os canais de um gravador, sem guardar nada',
    json: descobrirSchema,
    respostas: { 200: z.array(resultadoCanalSchema) },
    handler: async ({ caller, json, request }) => ({
      status: 200,
      body: await discoverChannels(deps, caller, json, (inspection) =>
        inspectCanais(deps, caller, inspection, request),
      ),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/gravadores/imagem',
    operacao: 'verImagemCanal',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: ['grants'],
    resumo: 'Uma imagem de um canal, antes de haver câmera; nada é guardado',
    json: imagemCanalSchema,
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ caller, json, request }) => {
      const release = slots.take(callerKey(caller))
      try {
        const jpeg = await captureCanal(deps, caller, json, request.signal)
        const headers = { 'content-type': 'image/jpeg', 'cache-control': 'no-store' }
        return new Response(new Uint8Array(jpeg), { headers })
      } finally {
        release()
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/gravadores/{gravador_id}/diagnostico',
    operacao: 'diagnosticarGravador',
    erros: [409, 429, 503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Faz cada chamada de leitura no gravador e diz o que ela quer dizer',
    descricao:
      'Pela caixa, com o endereço de uma câmera ativa dele. Leva até 100 s e não muda nada no gravador. O relatório ' +
      'não traz endereço, usuário, senha nem número de série.',
    params,
    respostas: { 200: diagnosticoGravadorSchema },
    handler: async ({ caller, params: { gravador_id }, request }) => ({
      status: 200,
      body: await diagnoseGravador(deps, caller, gravador_id, request.signal),
    }),
  }),
]
