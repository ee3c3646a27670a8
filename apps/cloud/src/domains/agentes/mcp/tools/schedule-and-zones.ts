import { type Agenda, agendaSchema, janelaSchema } from '@vigia/contracts/agenda'
import type { Camera } from '@vigia/contracts/cameras'
import {
  type Geometria,
  geometriaPatchSchema,
  linhaSchema,
  nomesZonasSchema,
  zonasSchema,
} from '@vigia/contracts/geometria'
import { nomesIas } from '@vigia/contracts/ias'
import { z } from 'zod'
import { bodyFields } from '../body-fields.ts'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { ALTERACAO, LEITURA } from './annotations.ts'
import { cameraLink } from './camera-summary.ts'
import { cameraId } from './ids.ts'
import { somethingToChange } from './something-to-change.ts'

const DE_QUAL = 'De qual câmera é.'
const ARMADA = 'IA → janela em que fica armada (de várias, a que as contém), no fuso da Empresa. Sem janela: 24 horas.'
const doQue = z.int().describe(DE_QUAL)
const saidaZonas = z.object({
  camera_id: doQue,
  zonas: zonasSchema.describe(
    'Polígonos onde a detecção vale, em frações de 0 a 1 do quadro; vazio: o quadro inteiro.',
  ),
  nomes_zonas: nomesZonasSchema.describe('Nome de cada polígono, na ordem de `zonas`; null: sem nome.'),
  linha: linhaSchema.describe('Linha de cruzamento, do primeiro ao segundo ponto; vazio: não há.'),
})

export const scheduleAndZoneTools = [
  routeTool({
    nome: 'obter_agenda',
    titulo: 'Obter Agenda',
    descricao:
      'Em que dias e horas, no fuso da Empresa, cada IA de uma câmera está armada. Leia antes de ' + 'alterar_agenda.',
    rota: { operacao: 'verAgenda', resposta: agendaSchema },
    registro: ['camera_id', cameraId],
    repete: DE_QUAL,
    devolve: ['agenda', ARMADA],
    anotacoes: LEITURA,
  }),
  defineTool({
    nome: 'alterar_agenda',
    titulo: 'Alterar Agenda',
    descricao:
      'Muda, na hora, a janela das IAs enviadas de uma câmera; as outras ficam. Fora da janela a IA não vê ' +
      'nem avisa. Leia antes obter_agenda.',
    entrada: z.strictObject({
      camera_id: cameraId,
      janelas: z
        .partialRecord(z.enum(nomesIas), janelaSchema.nullable())
        .refine(
          (janelas) => Object.keys(janelas).length > 0,
          'Nada a mudar: mande a janela de ao menos uma IA, ou null.',
        )
        .describe(
          `IA → janela, ou null: 24 horas. Exemplo: {"${nomesIas[0]}": {"inicio": 22, "fim": 6, "dias": [0, 1]}}.`,
        ),
    }),
    saida: z.object({ camera_id: doQue, agenda: agendaSchema.describe(ARMADA) }),
    operacoes: ['verAgenda', 'alterarCamera'],
    anotacoes: ALTERACAO,
    run: async ({ camera_id, janelas }, ctx) => {
      const merged = { ...(await ctx.ofRecord<Agenda>('verAgenda', camera_id)), ...janelas }
      const agenda = Object.fromEntries(Object.entries(merged).filter(([, janela]) => janela !== null))
      const camera = await ctx.ofRecord<Camera>('alterarCamera', camera_id, { agenda })
      return { dados: { camera_id, agenda: camera.agenda }, vinculos: [cameraLink(camera_id)] }
    },
  }),
  defineTool({
    nome: 'obter_zonas',
    titulo: 'Obter zonas e linha',
    descricao:
      'Onde, no quadro de uma câmera, a detecção vale: polígonos (zonas) e linha de cruzamento, em frações de ' +
      '0 a 1 desde o canto superior esquerdo.',
    entrada: z.strictObject({ camera_id: cameraId }),
    saida: saidaZonas,
    operacoes: ['verGeometria'],
    anotacoes: LEITURA,
    run: async ({ camera_id }, ctx) => {
      const { zonas, nomes_zonas, linha } = await ctx.ofRecord<Geometria>('verGeometria', camera_id)
      return { dados: { camera_id, zonas, nomes_zonas, linha } }
    },
  }),
  defineTool({
    nome: 'alterar_zonas',
    titulo: 'Alterar zonas e linha',
    descricao:
      'Substitui, na hora, zonas, nomes ou linha de uma câmera; o que não for enviado fica. Fora das zonas ' +
      'nada é detectado. Para acrescentar uma, leia obter_zonas e mande as de antes e a nova.',
    entrada: somethingToChange(
      z.strictObject({
        camera_id: cameraId,
        ...bodyFields(geometriaPatchSchema, {
          zonas: 'Todos os polígonos, de três pontos ou mais: [[0.1, 0.2, 0.9, 0.2, 0.5, 0.9]]. []: o quadro inteiro.',
          nomes_zonas: 'Na ordem de `zonas`; null: sem nome.',
          linha: 'Dois pontos: [[0.1, 0.5], [0.9, 0.5]]; da esquerda para a direita da seta é `ab`. [] tira a linha.',
        }),
      }),
      'camera_id',
    ),
    saida: saidaZonas,
    operacoes: ['alterarGeometria'],
    anotacoes: ALTERACAO,
    run: async ({ camera_id, ...json }, ctx) => {
      const { zonas, nomes_zonas, linha } = await ctx.ofRecord<Camera>('alterarGeometria', camera_id, json)
      return { dados: { camera_id, zonas, nomes_zonas, linha }, vinculos: [cameraLink(camera_id)] }
    },
  }),
]
