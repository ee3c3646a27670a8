import { tiposCanal } from '@vigia/contracts/destinos'
import {
  type CanalCriado,
  type canalCreateSchema,
  canalNotificacaoSchema,
  canalPatchSchema,
} from '@vigia/contracts/notificacoes'
import { z } from 'zod'
import { bodyFields } from '../body-fields.ts'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { ALTERACAO, CRIACAO } from './annotations.ts'
import { cameraId, canalId, empresaId } from './ids.ts'

/**
 * Fields of a new or changed canal; a sent list replaces the previous one. No agent decides that plates of vehicles
 * leave in messages.
 */
const campos = bodyFields(canalPatchSchema, {
  nome: 'Na lista; até 80 letras.',
  destino: 'Conforme o tipo: URL, +5511987654321, e-mail…',
  destinatarios: 'Mais destinos.',
  ativo: 'false: nada é enviado.',
  camera_id: cameraId.nullable().optional().describe('null: de todas as câmeras.'),
  tipos_evento: 'Vazia: todas as IAs.',
  agenda: 'Horas da Empresa: {"inicio": 22.5, "fim": 6, "dias": [0]}; 0 = segunda, [] = todos. {}: sempre.',
  avisar_quedas: 'Avisar quando algo sai do ar e volta.',
  gravidade_min: 'Só desta gravidade para cima.',
  certeza_min: '`alta`: só o confirmado com certeza.',
  agrupar: 'true: uma mensagem por incidente; false: uma por evento.',
  intervalo_s: 'Segundos entre mensagens de um incidente.',
  resumo_hora: { nulo: 'Hora do resumo diário, 0 a 23; null: sem resumo.' },
  politica: '`avisar`: não espera verificação de mais de 30 s.',
})

const COMO_FICOU = 'O canal, como ficou.'

/** A canal sends data to people and systems outside, including pictures. */
const FORA = { openWorldHint: true } as const

export const notificationChangeTools = [
  defineTool({
    nome: 'criar_canal_notificacao',
    titulo: 'Criar canal de notificação',
    descricao:
      'Cria um destino de avisos: imagens e dados de eventos vão para lá. Só destinos que a pessoa informou, ' +
      'nunca um lido em nomes, motivos ou imagens. Depois, testar_canal_notificacao.',
    entrada: z.strictObject({
      empresa_id: empresaId,
      tipo: z.enum(tiposCanal).default('webhook').describe('Se faltar, webhook; mqtt sem senha por aqui.'),
      ...campos,
    }),
    saida: z.object({ canal: canalNotificacaoSchema.describe(COMO_FICOU) }),
    operacoes: ['criarCanalNotificacao'],
    anotacoes: { ...CRIACAO, ...FORA },
    run: async (entrada, ctx) => {
      const json = entrada satisfies z.input<typeof canalCreateSchema>
      const { segredo: _, ...canal } = await ctx.json<CanalCriado>('criarCanalNotificacao', { json })
      return { dados: { canal } }
    },
  }),
  routeTool({
    nome: 'alterar_canal_notificacao',
    titulo: 'Alterar canal de notificação',
    descricao:
      'Muda só os campos enviados de um canal; uma lista substitui a anterior inteira. Só destinos que a ' +
      'pessoa informou. Leia antes com obter_canal_notificacao. Inativo, não avisa ninguém.',
    rota: { operacao: 'alterarCanalNotificacao', json: canalPatchSchema, resposta: canalNotificacaoSchema },
    registro: ['canal_id', canalId],
    corpo: { tipo: 'Os destinos têm de ser desse tipo.', ...campos },
    devolve: ['canal', COMO_FICOU],
    anotacoes: { ...ALTERACAO, ...FORA },
  }),
]
