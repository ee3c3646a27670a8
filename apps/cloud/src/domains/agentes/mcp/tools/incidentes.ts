import { type Camera, silenciarSchema, silencioSchema } from '@vigia/contracts/cameras'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import {
  atendimentoCreateSchema,
  type Incidente,
  type IncidenteDetalhe,
  incidenteDetalheSchema,
  incidenteSchema,
  situacoesIncidente,
} from '@vigia/contracts/incidentes'
import { instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { bodyFields } from '../body-fields.ts'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { ALTERACAO, CRIACAO, LEITURA } from './annotations.ts'
import { cameraLink } from './camera-summary.ts'
import { eventLink, eventoResumoSchema, framePicture, resumeEvent } from './evento-list.ts'
import { cameraId, empresaFiltro, incidenteId } from './ids.ts'
import { foundNothing } from './named-in-filter.ts'
import { askPage, paginaEntrada, paginaSaida } from './paging.ts'

/** The newest events that a tool shows: whole incidentes could fill the context of an agent. */
const SHOWN = 50

export const incidenteTools = [
  defineTool({
    nome: 'listar_incidentes',
    titulo: 'Listar incidentes',
    descricao:
      'Os incidentes, do mais novo ao mais antigo: cada um junta eventos próximos de uma câmera, e é o que as ' +
      'pessoas respondem. `atendido` false: a fila do plantão. Detecções: listar_eventos.',
    entrada: z.strictObject({
      camera_id: cameraId.optional().describe('Só desta câmera.'),
      empresa_id: empresaFiltro,
      tipo: z.enum(nomesIas).optional().describe('Só desta IA.'),
      gravidade: z.enum(gravidades).optional().describe('Só desta gravidade.'),
      veredito: z.enum(situacoesIncidente).optional().describe('Dos seus eventos.'),
      atendido: z.boolean().optional().describe('false: a fila; true: os que alguém respondeu.'),
      desde: instanteComFusoSchema.optional().describe('ISO 8601 com fuso.'),
      ate: instanteComFusoSchema.optional().describe('Até, exclusive.'),
      ...paginaEntrada,
    }),
    saida: z.object({ incidentes: z.array(incidenteSchema).describe('Os incidentes desta página.'), ...paginaSaida }),
    operacoes: ['listarIncidentes', 'verCamera'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { itens, ...pagina } = await askPage<Incidente>('listarIncidentes', entrada, ctx)
      if (pagina.total === 0) await foundNothing(entrada, ctx)
      return { dados: { incidentes: [...itens], ...pagina } }
    },
  }),
  defineTool({
    nome: 'ver_incidente',
    titulo: 'Ver incidente',
    descricao:
      'Um incidente com a imagem da capa (quadro inteiro), o resumo dos eventos e as respostas das pessoas. ' +
      'Use antes de falar de um incidente. Um evento com caixas: obter_evento.',
    entrada: z.strictObject({
      incidente_id: incidenteId,
      imagem: z.boolean().default(true).describe('false: sem a imagem da capa.'),
    }),
    saida: z.object({
      incidente: incidenteDetalheSchema.omit({ lista: true }).describe('O incidente e as respostas.'),
      eventos: z.array(eventoResumoSchema).describe(`Os ${SHOWN} últimos eventos, do mais antigo ao mais novo.`),
    }),
    operacoes: ['verIncidente', 'verEvento', 'verImagem'],
    anotacoes: LEITURA,
    run: async ({ incidente_id, imagem }, ctx) => {
      const params = { incidente_id: String(incidente_id) }
      const { lista, ...incidente } = await ctx.json<IncidenteDetalhe>('verIncidente', { params })
      const { capa_evento_id: capa } = incidente
      const cover = imagem ? await ctx.ofRecord<EventoDetalhe>('verEvento', capa) : null
      const picture = cover && (await framePicture(cover, ctx))
      return {
        dados: { incidente, eventos: lista.slice(-SHOWN).map(resumeEvent) },
        imagens: picture === null ? [] : [picture],
        vinculos: [eventLink(capa)],
      }
    },
  }),
  routeTool({
    nome: 'responder_incidente',
    titulo: 'Responder incidente',
    descricao:
      'Registra o que uma pessoa disse de um incidente. Só quando ela disse isso deste: sai da fila em todas ' +
      'as telas, em nome dela; de um administrador, é também revisão, para o treino.',
    rota: { operacao: 'atenderIncidente', json: atendimentoCreateSchema, resposta: incidenteSchema },
    registro: ['incidente_id', incidenteId],
    corpo: { resposta: 'O que a pessoa disse.', nota: 'O que a pessoa contou, até 500 letras.' },
    devolve: ['incidente', 'O incidente, com a resposta.'],
    anotacoes: CRIACAO,
  }),
  defineTool({
    nome: 'silenciar_camera',
    titulo: 'Silenciar câmera',
    descricao:
      'Para o som e os avisos de uma câmera; incidentes críticos e câmera obstruída ainda avisam, e todos ' +
      'ficam na fila. Só a pedido da pessoa. Desligar de vez: alterar_camera.',
    entrada: z.strictObject({
      camera_id: cameraId,
      ...bodyFields(silenciarSchema, { minutos: 'De 1 a 60; 0 volta ao normal.' }),
    }),
    saida: z.object({
      camera_id: z.int().describe('A câmera que mudou.'),
      silencio: silencioSchema.nullable().describe('Até quando, e por quem; null: não está silenciada.'),
    }),
    operacoes: ['silenciarCamera'],
    anotacoes: ALTERACAO,
    run: async ({ camera_id, minutos }, ctx) => {
      const { silencio } = await ctx.ofRecord<Camera>('silenciarCamera', camera_id, { minutos })
      return { dados: { camera_id, silencio }, vinculos: [cameraLink(camera_id)] }
    },
  }),
]
