import { VigiaError } from '@vigia/contracts/errors'
import { decimalTexto, idTexto, inteiroTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { callerKey } from '../../../http/caller.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { createSlots } from '../../../http/slots.ts'
import { streamBody } from '../../../http/stream-body.ts'
import { asMjpeg, asMosaic, MJPEG, MJPEG_TYPE, MOSAIC, MOSAIC_TYPE } from './mjpeg.ts'
import { type LiveViewDeps, openLiveView } from './open-live-view.ts'
import { type MosaicDeps, openMosaic } from './open-mosaic.ts'

/** Largest number of simultaneous views of one login. */
const VIEWS_PER_LOGIN = 32

const query = z.object({
  lado: inteiroTexto(160, 1280).optional().describe('Maior lado da imagem, em pixels; 640 se não for dito'),
  fps: decimalTexto(0.2, 5).optional().describe('Quadros por segundo; 2 se não for dito'),
})

/** Largest number of simultaneous mosaics of one login. */
const MOSAICS_PER_LOGIN = 16
/** Largest number of cameras in one mosaic; more do not fit on a screen. */
const MAX_TILES = 64

const mosaicQuery = z.object({
  cameras: z
    .string()
    .regex(/^\d{1,10}(,\d{1,10}){0,63}$/, { error: `Use de 1 a ${MAX_TILES} ids de câmeras separados por vírgula` })
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(idTexto))
    .describe(`Ids das câmeras que a tela mostra, separados por vírgula; até ${MAX_TILES}.`),
  grande: idTexto.optional().describe('A que a tela mostra maior.'),
})

const streamHeaders = (type: string) => ({
  'content-type': type,
  'cache-control': 'no-store',
  // Without this header, reverse proxies (nginx) buffer small chunks.
  'x-accel-buffering': 'no',
})

export function aovivoRoutes(deps: LiveViewDeps & MosaicDeps & { readonly log: Logger }): Route[] {
  const slots = createSlots(VIEWS_PER_LOGIN, {
    detalhe: 'Este login já vê câmeras demais ao vivo. Feche as que não usa.',
    tentarEmS: 30,
  })
  const mosaics = createSlots(MOSAICS_PER_LOGIN, {
    detalhe: 'Este login já tem telas demais com o mosaico aberto. Feche as que não usa.',
    tentarEmS: 30,
  })
  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/aovivo',
      operacao: 'verAoVivo',
      erros: [429, 503],
      acesso: 'sessao',
      efeito: null,
      resumo: 'O que a câmera mostra, quadro a quadro (MJPEG)',
      descricao:
        'Um navegador mostra este endereço num `<img>`. Quem vê a mesma câmera divide um só envio da caixa, no maior ' +
        'tamanho e ritmo pedidos; numa linha lenta vêm menos quadros. Termina com a sessão, ou quando os quadros ' +
        'param por 15 s. O cabeçalho `X-Caixas` de cada quadro tem o que a última análise viu: ' +
        '`[["person", confiança, x, y, largura, altura]]`, em frações do quadro; falta em caixas antigas.',
      params: z.object({ camera_id: idTexto }),
      query,
      respostas: { 200: { midia: MJPEG } },
      handler: async ({ caller, params: { camera_id }, query: { lado = 640, fps = 2 }, request }) => {
        const { token } = request
        if (token === null) throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar.' })
        const release = slots.take(callerKey(caller))
        const asked = { id: camera_id, view: { lado, fps }, token }
        const view = await openLiveView(deps, caller, asked, request.signal).catch((error: unknown) => {
          release()
          throw error
        })
        const finished = () => {
          release()
          view.leave()
        }
        const failed = (err: unknown) => {
          const isExpected = err instanceof VigiaError
          deps.log[isExpected ? 'debug' : 'error']({ err, id: request.id }, 'live view ended')
        }
        const body = streamBody(asMjpeg(view.frames), { finished, failed, disconnect: request.disconnect })
        return new Response(body, { headers: streamHeaders(MJPEG_TYPE) })
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/miniaturas',
      operacao: 'verMosaico',
      erros: [404, 429, 503],
      acesso: 'sessao',
      efeito: null,
      resumo: 'Imagens pequenas de várias câmeras, no máximo uma por segundo de cada',
      descricao:
        'Cada parte traz o JPEG de uma câmera, com o id dela em `X-Camera-Id` e o tamanho em `Content-Length`. Todas ' +
        'as telas dividem um só envio da caixa, do fluxo secundário. Os eventos passam na frente: numa linha lenta, ' +
        'ou com eventos esperando na caixa, cada câmera manda até uma imagem a cada 10 s. Peça só as câmeras que a ' +
        'tela mostra agora, e abra de novo quando mudarem. Termina com a sessão, ou após 45 s sem imagem.',
      query: mosaicQuery,
      respostas: { 200: { midia: MOSAIC } },
      handler: async ({ caller, query: { cameras, grande }, request }) => {
        const { token } = request
        if (token === null) throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar.' })
        const release = mosaics.take(callerKey(caller))
        const mosaic = await openMosaic(deps, caller, { ids: cameras, grande, token }).catch((error: unknown) => {
          release()
          throw error
        })
        const finished = () => {
          release()
          mosaic.leave()
        }
        const failed = (err: unknown) => deps.log.error({ err, id: request.id }, 'mosaic ended')
        const body = streamBody(asMosaic(mosaic.pictures), { finished, failed, disconnect: request.disconnect })
        return new Response(body, { headers: streamHeaders(MOSAIC_TYPE) })
      },
    }),
  ]
}
