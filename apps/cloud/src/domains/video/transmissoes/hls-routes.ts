import { enderecosHlsSchema } from '@vigia/contracts/ao-vivo'
import { idTexto, inteiroTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { requireMaskedView } from '../../../scope/unmasked.ts'
import { requireCamera } from '../../locais/public.ts'
import { answerHls } from './answer-hls.ts'
import { signHls } from './hls-link.ts'
import { createHlsStreams } from './hls-streams.ts'
import type { ReceiveDeps } from './receive-upload.ts'
import { tokenOf } from './session-token.ts'
import type { ViewDeps } from './view-messages.ts'

type Deps = ViewDeps & Pick<ReceiveDeps, 'box' | 'clock'>

const camera = z.object({ camera_id: idTexto })

/** Live video over HLS: its signed addresses, playlists and segments. */
export function hlsRoutes(deps: Deps): Route[] {
  const { db, streams, box } = deps
  const hls = createHlsStreams(streams)
  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/hls_url',
      operacao: 'enderecosHls',
      acesso: 'sessao',
      efeito: null,
      erros: [404],
      resumo: 'Endereços HLS do vídeo ao vivo de uma câmera',
      descricao:
        'Um tocador de HLS abre o endereço sem cabeçalhos. O endereço abre só este vídeo, continua depois de a ' +
        'sessão ser renovada e deixa de valer quando ela acaba.',
      params: camera,
      respostas: { 200: enderecosHlsSchema },
      handler: async ({ caller, params: { camera_id }, request }) => {
        const row = await requireCamera(db, caller, camera_id)
        requireMaskedView(caller, row)
        const urlOf = (fluxo: 'principal' | 'secundario') => signHls(box, tokenOf(request), row.id, fluxo)
        const sub = row.sub_rtsp_url === null ? {} : { sub_hls_url: urlOf('secundario') }
        return { status: 200, body: { hls_url: urlOf('principal'), ...sub } }
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/cameras/{camera_id}/hls/{assinatura}/{arquivo}',
      operacao: 'lerHls',
      acesso: 'publico',
      efeito: null,
      erros: [401, 404, 503],
      resumo: 'Listas e trechos do vídeo ao vivo (HLS), pelo endereço assinado',
      params: camera.extend({ assinatura: z.string().max(512), arquivo: z.string().max(64) }),
      query: z.object({
        _HLS_msn: inteiroTexto(0, 2_147_483_647).optional(),
        _HLS_part: inteiroTexto(0, 65_535).optional(),
      }),
      respostas: { 200: { midia: '*/*' }, 400: { midia: '*/*' } },
      handler: ({ params: { camera_id, assinatura, arquivo }, query: { _HLS_msn: msn, _HLS_part: part }, request }) =>
        answerHls({ ...deps, hls }, { cameraId: camera_id, assinatura, file: arquivo, msn, part }, request),
    }),
  ]
}
