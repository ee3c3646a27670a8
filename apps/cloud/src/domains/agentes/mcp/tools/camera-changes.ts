import { type Camera, cameraCreateSchema, cameraPatchSchema } from '@vigia/contracts/cameras'
import { invalid } from '@vigia/contracts/errors'
import { isMasked } from '@vigia/rtsp/mask'
import { z } from 'zod'
import { bodyFields } from '../body-fields.ts'
import { defineTool, type ToolContext } from '../tool.ts'
import { ALTERACAO, CRIACAO } from './annotations.ts'
import { cameraLink, cameraResumoSchema, resumeCamera } from './camera-summary.ts'
import { cameraId } from './ids.ts'
import { somethingToChange } from './something-to-change.ts'

const URL_RTSP =
  'rtsp://usuario:senha@192.168.0.10:554/x; `@`, `/`, `?` e `#` da senha como `%40`, `%2F`, `%3F`, `%23`.'

const saida = z.object({ camera: cameraResumoSchema.describe('A câmera, resumida, como ficou.') })

const enderecos = ['rtsp_url', 'sub_rtsp_url'] as const

/**
 * A user may move a camera to another host and keep its password, but an agent may not. Injected text (a camera name, a
 * text in a picture) could make an agent set an attacker's address. The edge would send the password there.
 * @throws VigiaError `validacao` on the address field
 */
async function requireSameDevice(
  camera_id: number,
  sent: Readonly<Partial<Record<(typeof enderecos)[number], string | null | undefined>>>,
  ctx: ToolContext,
): Promise<void> {
  const masked = enderecos.filter((field) => isMasked(sent[field] ?? ''))
  if (masked.length === 0) return
  const camera = await ctx.ofRecord<Camera>('verCamera', camera_id)
  const hostOf = (url: string | null | undefined) => URL.parse(url ?? '')?.hostname.toLowerCase()
  for (const field of masked) {
    // A substream without its own password uses that of the main stream.
    const source = [camera[field], camera.rtsp_url].find((url) => isMasked(url ?? ''))
    if (source !== undefined && hostOf(sent[field]) !== hostOf(source))
      throw invalid(
        ['body', field],
        'Com **** a senha guardada só vale para o mesmo host. Peça a senha à pessoa',
        'host',
      )
  }
}

export const cameraChangeTools = [
  defineTool({
    nome: 'criar_camera',
    titulo: 'Criar câmera',
    descricao:
      'Cadastra uma câmera por `rtsp_url`, ou por um canal livre de um gravador (`gravador_id` e `canal`). ' +
      'Ocupa uma vaga. Vários canais: cadastrar_gravador.',
    entrada: z.strictObject({
      ...bodyFields(cameraCreateSchema, {
        nome: 'Até 200 letras.',
        rtsp_url: `Vídeo principal: ${URL_RTSP}`,
        sub_rtsp_url: 'Vídeo de baixa resolução.',
        gravador_id: 'Em lugar de rtsp_url.',
        canal: 'Com gravador_id; desde 1.',
        empresa_id: 'Se faltar, a do login.',
        edge_id: 'Se faltar, o menos cheio.',
        perfil: 'Perfil de listar_modelos_calibracao.',
        eventos_habilitados: 'IAs ligadas.',
        placas: 'Se lê placas.',
      }),
    }),
    saida,
    operacoes: ['criarCamera'],
    anotacoes: CRIACAO,
    run: async (entrada, ctx) => {
      const camera = await ctx.json<Camera>('criarCamera', { json: entrada })
      return { dados: { camera: resumeCamera(camera) }, vinculos: [cameraLink(camera.id)] }
    },
  }),
  defineTool({
    nome: 'alterar_camera',
    titulo: 'Alterar câmera',
    descricao:
      'Muda os campos enviados, na hora; uma lista substitui a anterior. Com outro endereço ou ' +
      '`ativa: false` ela deixa de vigiar. O resto: alterar_calibracao, alterar_agenda, ' +
      'alterar_zonas.',
    entrada: somethingToChange(
      z.strictObject({
        camera_id: cameraId,
        ...bodyFields(cameraPatchSchema, {
          nome: 'Até 200 letras.',
          ativa: 'false: nada é visto nem avisado.',
          eventos_habilitados: 'Todas as IAs que ficam ligadas.',
          instrucoes: 'À verificação: ["Ignore o cachorro"].',
          rtsp_url: `${URL_RTSP} Com \`****\` fica a senha guardada, no mesmo host.`,
          sub_rtsp_url: { nulo: 'Vídeo de baixa resolução; null: nenhum.' },
        }),
      }),
      'camera_id',
    ),
    saida,
    operacoes: ['verCamera', 'alterarCamera'],
    anotacoes: ALTERACAO,
    run: async ({ camera_id, ...json }, ctx) => {
      await requireSameDevice(camera_id, json, ctx)
      const camera = await ctx.ofRecord<Camera>('alterarCamera', camera_id, json)
      return { dados: { camera: resumeCamera(camera) }, vinculos: [cameraLink(camera_id)] }
    },
  }),
  defineTool({
    nome: 'reiniciar_camera',
    titulo: 'Reiniciar câmera',
    descricao:
      'Fecha e reabre o vídeo de uma câmera pela caixa; por segundos não vigia. Não reinicia o ' + 'equipamento.',
    entrada: z.strictObject({ camera_id: cameraId }),
    saida: z.object({
      camera_id: z.int().describe('A câmera cujo vídeo foi reaberto.'),
      reiniciada: z
        .literal(true)
        .describe('A caixa fechou o vídeo e o está abrindo. Confira o status em alguns segundos.'),
    }),
    operacoes: ['reiniciarCamera'],
    anotacoes: { ...ALTERACAO, destructiveHint: false, openWorldHint: true },
    run: async ({ camera_id }, ctx) => {
      await ctx.answer('reiniciarCamera', { params: { camera_id: String(camera_id) } })
      return { dados: { camera_id, reiniciada: true as const }, vinculos: [cameraLink(camera_id)] }
    },
  }),
]
