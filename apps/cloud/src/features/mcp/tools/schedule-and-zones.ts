import { type Agenda, agendaSchema, janelaSchema } from '@vigia/contracts/agenda'
import type { Camera } from '@vigia/contracts/cameras'
import {
  type Geometria,
  linhaSchema,
  nomesZonasSchema,
  zonasNovasSchema,
  zonasSchema,
} from '@vigia/contracts/geometria'
import { nomesIas } from '@vigia/contracts/ias'
import { z } from 'zod'
import { defineTool, type ToolContext } from '../tool.ts'
import { ALTERACAO, LEITURA } from './annotations.ts'
import { cameraLink } from './camera-summary.ts'
import { cameraId } from './ids.ts'
import { somethingToChange } from './something-to-change.ts'

const doQue = z.int().describe('De qual câmera é.')
const saidaAgenda = z.object({
  camera_id: doQue,
  agenda: agendaSchema.describe('IA → janela em que fica armada, no fuso da Empresa. IA sem janela: armada 24 horas.'),
})
const saidaZonas = z.object({
  camera_id: doQue,
  zonas: zonasSchema.describe(
    'Polígonos onde a detecção vale, em frações de 0 a 1 do quadro; vazio: o quadro inteiro.',
  ),
  nomes_zonas: nomesZonasSchema.describe('Nome de cada polígono, na ordem de `zonas`; null: sem nome.'),
  linha: linhaSchema.describe('Linha de cruzamento, do primeiro ao segundo ponto; vazio: não há.'),
})

const readAgenda = (ctx: ToolContext, camera_id: number) =>
  ctx.json<Agenda>('verAgenda', { params: { camera_id: String(camera_id) } })

export const scheduleAndZoneTools = [
  defineTool({
    nome: 'obter_agenda',
    titulo: 'Obter Agenda',
    descricao:
      'Em que dias e horas cada IA de uma câmera está armada. As horas são do fuso da Empresa ' +
      '(listar_empresas). Leia antes de ' +
      'alterar_agenda, e ao investigar por que um alerta não veio.',
    entrada: z.strictObject({ camera_id: cameraId }),
    saida: saidaAgenda,
    operacoes: ['verAgenda'],
    anotacoes: LEITURA,
    run: async ({ camera_id }, ctx) => ({ dados: { camera_id, agenda: await readAgenda(ctx, camera_id) } }),
  }),
  defineTool({
    nome: 'alterar_agenda',
    titulo: 'Alterar Agenda',
    descricao:
      'Muda a janela das IAs enviadas de uma câmera; as outras IAs ficam como estão. Fora da janela a IA não vê ' +
      'nada nem avisa. ' +
      'null tira a janela: a IA fica armada 24 horas. Vale na hora. Se outra pessoa mudar a Agenda da mesma ' +
      'câmera no mesmo ' +
      'instante, vale inteira a que foi gravada por último.',
    entrada: z.strictObject({
      camera_id: cameraId,
      janelas: z
        .partialRecord(z.enum(nomesIas), janelaSchema.nullable())
        .refine(
          (janelas) => Object.keys(janelas).length > 0,
          'Nada a mudar: mande a janela de ao menos uma IA, ou null.',
        )
        .describe(
          `IA (${nomesIas.join(', ')}) → janela, ou null para armá-la 24 horas. ` +
            '`inicio` de 0 a 23 e `fim` de 0 a 24, horas inteiras do fuso da Empresa; ' +
            '`inicio` maior que `fim` passa da meia-noite; `dias`: 0 = segunda-feira … 6 = domingo, vazio = todos. ' +
            `Exemplo: {"${nomesIas[0]}": {"inicio": 22, "fim": 6, "dias": [0, 1, 2, 3, 4]}}.`,
        ),
    }),
    saida: saidaAgenda,
    operacoes: ['verAgenda', 'alterarCamera'],
    anotacoes: ALTERACAO,
    run: async ({ camera_id, janelas }, ctx) => {
      const merged = { ...(await readAgenda(ctx, camera_id)), ...janelas }
      const agenda = Object.fromEntries(Object.entries(merged).filter(([, janela]) => janela !== null))
      const params = { camera_id: String(camera_id) }
      const camera = await ctx.json<Camera>('alterarCamera', { params, json: { agenda } })
      return { dados: { camera_id, agenda: camera.agenda }, vinculos: [cameraLink(camera_id)] }
    },
  }),
  defineTool({
    nome: 'obter_zonas',
    titulo: 'Obter zonas e linha',
    descricao:
      'Onde, no quadro de uma câmera, a detecção vale: os polígonos (zonas) e a linha de cruzamento, em frações ' +
      'de 0 a 1 a partir ' +
      'do canto superior esquerdo. Para ver a cena por baixo, capturar_imagem.',
    entrada: z.strictObject({ camera_id: cameraId }),
    saida: saidaZonas,
    operacoes: ['verGeometria'],
    anotacoes: LEITURA,
    run: async ({ camera_id }, ctx) => {
      const params = { camera_id: String(camera_id) }
      return { dados: { camera_id, ...(await ctx.json<Geometria>('verGeometria', { params })) } }
    },
  }),
  defineTool({
    nome: 'alterar_zonas',
    titulo: 'Alterar zonas e linha',
    descricao:
      'Substitui as zonas, os nomes delas ou a linha de uma câmera (o que não for enviado fica). Fora das zonas nada ' +
      'é detectado; zonas vazias valem ' +
      'o quadro inteiro. Vale na hora. Leia antes com obter_zonas: para acrescentar uma zona, mande as de antes ' +
      'e a nova.',
    entrada: somethingToChange(
      z.strictObject({
        camera_id: cameraId,
        zonas: zonasNovasSchema
          .optional()
          .describe(
            'Todos os polígonos, cada um [x1, y1, x2, y2, x3, y3, …] em frações de 0 a 1 da largura e da ' +
              'altura, a partir do canto ' +
              'superior esquerdo; ao menos três pontos, até 512 ao todo. [] tira as zonas. Exemplo: [[0.1, 0.2, ' +
              '0.9, 0.2, 0.5, 0.9]].',
          ),
        nomes_zonas: nomesZonasSchema
          .optional()
          .describe('Nomes dos polígonos, na ordem de `zonas`; null: sem nome. Exemplo: ["Portão"].'),
        linha: linhaSchema
          .optional()
          .describe(
            'Dois pontos, [[x1, y1], [x2, y2]]: passar da esquerda para a direita da seta é o sentido `ab`. [] ' +
              'tira a linha. ' +
              'Exemplo: [[0.1, 0.5], [0.9, 0.5]].',
          ),
      }),
      'camera_id',
    ),
    saida: saidaZonas,
    operacoes: ['alterarGeometria'],
    anotacoes: ALTERACAO,
    run: async ({ camera_id, ...json }, ctx) => {
      const params = { camera_id: String(camera_id) }
      const { zonas, nomes_zonas, linha } = await ctx.json<Camera>('alterarGeometria', { params, json })
      return { dados: { camera_id, zonas, nomes_zonas, linha }, vinculos: [cameraLink(camera_id)] }
    },
  }),
]
