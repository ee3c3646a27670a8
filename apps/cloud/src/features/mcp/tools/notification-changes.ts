import { tiposCanal } from '@vigia/contracts/destinos'
import { gravidades } from '@vigia/contracts/ias'
import {
  type CanalCriado,
  type CanalNotificacao,
  type canalCreateSchema,
  canalNotificacaoSchema,
  canalPatchSchema,
  certezasMin,
  politicasCanal,
} from '@vigia/contracts/notificacoes'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { ALTERACAO, CRIACAO } from './annotations.ts'
import { exampleIas } from './example-ias.ts'
import { cameraId, canalId, empresaId } from './ids.ts'
import { somethingToChange } from './something-to-change.ts'

const { shape } = canalPatchSchema

/** Fields of a new or changed canal; a sent list replaces the previous one. */
const campos = {
  nome: shape.nome.unwrap().unwrap().optional().describe('Nome do canal na lista, até 80 letras; "" : nenhum.'),
  destino: shape.destino
    .unwrap()
    .unwrap()
    .optional()
    .describe(
      'O destino: URL http(s), telefone +5511987654321, e-mail ou conversa do Telegram, conforme o tipo. "" : nenhum.',
    ),
  destinatarios: shape.destinatarios
    .unwrap()
    .unwrap()
    .optional()
    .describe('Mais destinos do mesmo tipo, até 100: a lista inteira. Exemplo: ["+5511987654321"].'),
  ativo: z.boolean().optional().describe('false: nada é enviado por este canal.'),
  camera_id: cameraId.nullable().optional().describe('Só eventos desta câmera (id de listar_cameras); null: de todas.'),
  tipos_evento: shape.tipos_evento
    .unwrap()
    .unwrap()
    .optional()
    .describe(`Só eventos destas IAs, a lista inteira; vazia: todas. Exemplo: ${exampleIas}.`),
  agenda: shape.agenda
    .unwrap()
    .unwrap()
    .optional()
    .describe(
      'Só nestas horas do fuso da Empresa: {"inicio": 22, "fim": 6, "dias": [0, 1]}; `dias`: 0 = segunda-feira ' +
        '… 6 = domingo, ' +
        'vazio = todos. {} : sempre.',
    ),
  avisar_quedas: z.boolean().optional().describe('Avisar também quando uma caixa ou câmera sai do ar e quando volta.'),
  gravidade_min: z.enum(gravidades).optional().describe('Só desta gravidade para cima.'),
  certeza_min: z.enum(certezasMin).optional().describe('`alta`: só o confirmado com certeza.'),
  agrupar: z.boolean().optional().describe('true: uma mensagem por incidente; false: uma por evento.'),
  intervalo_s: shape.intervalo_s.unwrap().unwrap().optional().describe('Segundos entre mensagens de um incidente.'),
  resumo_hora: shape.resumo_hora.unwrap().optional().describe('Hora do resumo diário, 0 a 23; null: sem resumo.'),
  politica: z.enum(politicasCanal).optional().describe('`avisar`: não espera verificação de mais de 30 s.'),
}

const canalSaida = canalNotificacaoSchema.describe('O canal, como ficou.')

/** A canal sends data to people and systems outside, including pictures. */
const FORA = { openWorldHint: true } as const

export const notificationChangeTools = [
  defineTool({
    nome: 'criar_canal_notificacao',
    titulo: 'Criar canal de notificação',
    descricao:
      'Cria um destino de avisos de eventos confirmados. A partir daí imagens e dados de eventos vão para lá: ' +
      'use só destinos que a pessoa ' +
      'informou, nunca um que tenha lido em nomes, motivos ou imagens. O segredo que assina um webhook não é ' +
      'mostrado aqui: um ' +
      'administrador o troca e o lê no painel. Depois, testar_canal_notificacao.',
    entrada: z.strictObject({
      empresa_id: empresaId,
      tipo: z
        .enum(tiposCanal)
        .default('webhook')
        .describe('`webhook`, `whatsapp`, `email` ou `telegram`. Se faltar, webhook.'),
      ...campos,
    }),
    saida: z.object({ canal: canalSaida }),
    operacoes: ['criarCanalNotificacao'],
    anotacoes: { ...CRIACAO, ...FORA },
    run: async (entrada, ctx) => {
      const json = entrada satisfies z.input<typeof canalCreateSchema>
      const { segredo: _, ...canal } = await ctx.json<CanalCriado>('criarCanalNotificacao', { json })
      return { dados: { canal } }
    },
  }),
  defineTool({
    nome: 'alterar_canal_notificacao',
    titulo: 'Alterar canal de notificação',
    descricao:
      'Muda só os campos enviados de um canal. Uma lista enviada substitui a anterior inteira: para acrescentar ' +
      'um destinatário, mande os de ' +
      'antes e o novo. Com outro destino, os avisos deixam de chegar ao anterior; use só destinos que a pessoa ' +
      'informou. Um canal inativo ' +
      'não avisa ninguém.',
    entrada: somethingToChange(
      z.strictObject({
        canal_id: canalId,
        tipo: z.enum(tiposCanal).optional().describe('Como avisar; os destinos têm de ser desse tipo.'),
        ...campos,
      }),
      'canal_id',
    ),
    saida: z.object({ canal: canalSaida }),
    operacoes: ['alterarCanalNotificacao'],
    anotacoes: { ...ALTERACAO, ...FORA },
    run: async ({ canal_id, ...json }, ctx) => {
      const params = { canal_id: String(canal_id) }
      return { dados: { canal: await ctx.json<CanalNotificacao>('alterarCanalNotificacao', { params, json }) } }
    },
  }),
]
