import {
  type Camera,
  cameraCreateSchema,
  cameraPatchSchema,
  canalSchema,
  rtspUrlSchema,
} from '@vigia/contracts/cameras'
import { invalid } from '@vigia/contracts/errors'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { isMasked } from '@vigia/rtsp/mask'
import { z } from 'zod'
import { defineTool, type ToolContext } from '../tool.ts'
import { ALTERACAO, CRIACAO } from './annotations.ts'
import { cameraLink, cameraResumoSchema, resumeCamera } from './camera-summary.ts'
import { exampleIas } from './example-ias.ts'
import { cameraId, edgeId, empresaId, gravadorId } from './ids.ts'
import { somethingToChange } from './something-to-change.ts'

const URL_RTSP =
  'rtsp:// ou rtsps:// com usuário e senha, por exemplo rtsp://admin:senha@192.168.0.10:554/caminho. Na senha e ' +
  'no caminho, ' +
  '`@` é `%40`, `/` é `%2F`, `?` é `%3F` e `#` é `%23`.'

const ias = cameraCreateSchema.shape.eventos_habilitados.unwrap().unwrap()

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
  const camera = await ctx.json<Camera>('verCamera', { params: { camera_id: String(camera_id) } })
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
      'Cadastra uma câmera: pelo endereço (`rtsp_url`), ou por um canal livre de um gravador já cadastrado ' +
      '(`gravador_id` e ' +
      '`canal`), um dos dois e não ambos. Vários canais de um gravador novo: cadastrar_gravador. Ocupa uma vaga ' +
      'da Empresa. Para ' +
      'saber se o endereço responde antes, testar_conexao.',
    entrada: z.strictObject({
      nome: cameraCreateSchema.shape.nome.describe('Nome que as pessoas vão ler, até 200 caracteres. Exemplo: Portão.'),
      rtsp_url: rtspUrlSchema.optional().describe(`Endereço do vídeo principal: ${URL_RTSP}`),
      sub_rtsp_url: rtspUrlSchema.optional().describe('Endereço do vídeo de baixa resolução, se a câmera tiver um.'),
      gravador_id: gravadorId.optional().describe('Em lugar de rtsp_url: o gravador (id de listar_gravadores).'),
      canal: canalSchema.optional().describe('Com gravador_id: o canal dele, a partir de 1.'),
      empresa_id: empresaId.optional().describe('De qual Empresa é. Se faltar, a do login; o operador precisa dizer.'),
      edge_id: edgeId.optional().describe('Qual edge lê a câmera. Se faltar, o da Empresa com menos câmeras.'),
      perfil: z
        .enum(nomesPerfis)
        .optional()
        .describe('Caso de uso pronto, que aplica IAs, calibração e Agenda (listar_modelos_calibracao os descreve).'),
      eventos_habilitados: ias.optional().describe(`IAs ligadas. Exemplo: ${exampleIas}.`),
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
      'Muda só os campos enviados de uma câmera. Vale na hora: com outro endereço ou `ativa: false` a câmera ' +
      'para de vigiar como ' +
      'antes. Uma lista enviada substitui a anterior inteira. Calibração, Agenda e zonas têm ferramentas próprias: ' +
      'alterar_calibracao, alterar_agenda, alterar_zonas.',
    entrada: somethingToChange(
      z.strictObject({
        camera_id: cameraId,
        nome: cameraCreateSchema.shape.nome.optional().describe('Novo nome, até 200 caracteres.'),
        ativa: z.boolean().optional().describe('false desliga a câmera: nada é visto nem avisado até ligar de novo.'),
        eventos_habilitados: ias
          .optional()
          .describe('Todas as IAs que ficam ligadas; as que não estiverem aqui são desligadas.'),
        instrucoes: cameraPatchSchema.shape.instrucoes
          .unwrap()
          .unwrap()
          .optional()
          .describe(
            'Todas as instruções à verificação, até 20 de 500 caracteres. Exemplo: ["Ignore o cachorro da casa"].',
          ),
        rtsp_url: rtspUrlSchema
          .optional()
          .describe(
            `Novo endereço do vídeo: ${URL_RTSP} Com \`****\` no lugar da senha, a senha guardada fica, se o ` +
              'host é o mesmo.',
          ),
        sub_rtsp_url: rtspUrlSchema
          .nullable()
          .optional()
          .describe('Novo vídeo de baixa resolução; null tira o que há.'),
      }),
      'camera_id',
    ),
    saida,
    operacoes: ['verCamera', 'alterarCamera'],
    anotacoes: ALTERACAO,
    run: async ({ camera_id, ...json }, ctx) => {
      await requireSameDevice(camera_id, json, ctx)
      const camera = await ctx.json<Camera>('alterarCamera', { params: { camera_id: String(camera_id) }, json })
      return { dados: { camera: resumeCamera(camera) }, vinculos: [cameraLink(camera_id)] }
    },
  }),
  defineTool({
    nome: 'reiniciar_camera',
    titulo: 'Reiniciar câmera',
    descricao:
      'Faz o edge fechar o vídeo da câmera e abri-lo de novo, na hora; por alguns segundos ela não vigia. Use ' +
      'quando a imagem ' +
      'parou ou a câmera está `offline` sem motivo claro. Não reinicia o equipamento em si.',
    entrada: z.strictObject({ camera_id: cameraId }),
    saida: z.object({
      camera_id: z.int().describe('A câmera cujo vídeo foi reaberto.'),
      reiniciada: z
        .literal(true)
        .describe('O edge fechou o vídeo e o está abrindo. Confira o status em alguns segundos.'),
    }),
    operacoes: ['reiniciarCamera'],
    anotacoes: { ...ALTERACAO, destructiveHint: false, openWorldHint: true },
    run: async ({ camera_id }, ctx) => {
      await ctx.answer('reiniciarCamera', { params: { camera_id: String(camera_id) } })
      return { dados: { camera_id, reiniciada: true as const }, vinculos: [cameraLink(camera_id)] }
    },
  }),
]
