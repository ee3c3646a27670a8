import { VigiaError } from '@vigia/contracts/errors'
import { type EventoDetalhe, eventoDetalheSchema, revisaoCreateSchema } from '@vigia/contracts/eventos'
import { z } from 'zod'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { ALTERACAO, LEITURA } from './annotations.ts'
import {
  eventLink,
  eventoResumoSchema,
  eventPicture,
  framePicture,
  listaEventosSchema,
  listEvents,
} from './evento-list.ts'
import { eventoId } from './ids.ts'
import { foundNothing } from './named-in-filter.ts'
import { paginaSaida } from './paging.ts'

export const eventTools = [
  defineTool({
    nome: 'listar_eventos',
    titulo: 'Listar eventos',
    descricao:
      'Os eventos (detecções) um a um, do mais novo ao mais antigo; `total` conta os dos filtros. De um ' +
      'período: resumo_periodo. Imagem e caixas: obter_evento.',
    entrada: listaEventosSchema,
    saida: z.object({ eventos: z.array(eventoResumoSchema).describe('Os eventos desta página.'), ...paginaSaida }),
    operacoes: ['listarEventos', 'verCamera'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const dados = await listEvents(entrada, ctx)
      if (dados.total === 0) await foundNothing(entrada, ctx)
      return { dados }
    },
  }),
  defineTool({
    nome: 'obter_evento',
    titulo: 'Obter evento',
    descricao:
      'Um evento inteiro: veredito com motivo, caixas, revisão humana e a imagem. O que a câmera ' +
      'mostra agora: capturar_imagem.',
    entrada: z.strictObject({
      evento_id: eventoId,
      imagem: z
        .enum(['crop', 'quadro', 'nenhuma'])
        .default('quadro')
        .describe('`quadro`: inteiro, com as caixas; se faltar, o recorte.'),
    }),
    saida: z.object({
      evento: eventoDetalheSchema.describe('O evento inteiro.'),
      imagem: z.enum(['crop', 'quadro']).nullable().describe('Que imagem acompanha a resposta; null: nenhuma.'),
    }),
    operacoes: ['verEvento', 'verImagem'],
    anotacoes: LEITURA,
    run: async ({ evento_id, imagem }, ctx) => {
      const evento = await ctx.json<EventoDetalhe>('verEvento', { params: { event_id: String(evento_id) } })
      const ask = {
        nenhuma: () => null,
        crop: () => eventPicture(evento, 'crop', ctx),
        quadro: () => framePicture(evento, ctx),
      }
      const picture = await ask[imagem]()
      return {
        dados: { evento, imagem: picture?.imagem ?? null },
        imagens: picture === null ? [] : [picture],
      }
    },
  }),
  defineTool({
    nome: 'ver_clipe',
    titulo: 'Ver clipe',
    descricao: 'Até sete imagens do clipe de um evento, lado a lado, em ordem: o que aconteceu ali.',
    entrada: z.strictObject({ evento_id: eventoId }),
    saida: z.object({ situacao: z.string().nullable().describe('Por que não há clipe; null: há.') }),
    operacoes: ['verEvento', 'verTiraDoClipe'],
    anotacoes: LEITURA,
    run: async ({ evento_id }, ctx) => {
      const params = { event_id: String(evento_id) }
      const { clip_detalhe } = await ctx.json<EventoDetalhe>('verEvento', { params })
      const tira = await ctx.picture('verTiraDoClipe', { params }).catch((error: unknown) => {
        if (error instanceof VigiaError && error.code === 'nao_encontrado') return null
        throw error
      })
      return {
        dados: { situacao: clip_detalhe },
        imagens: tira === null ? [] : [tira],
        vinculos: [eventLink(evento_id)],
      }
    },
  }),
  routeTool({
    nome: 'revisar_evento',
    titulo: 'Revisar evento',
    descricao:
      'Registra o que uma pessoa diz de um evento: aconteceu, ou falso alarme. Só quando ela disse isso deste ' +
      'evento: vai para os dados de treino e substitui a revisão anterior. O veredito fica.',
    rota: { operacao: 'revisarEvento', json: revisaoCreateSchema, resposta: eventoDetalheSchema },
    registro: ['evento_id', eventoId],
    corpo: { rotulo_humano: 'refutado: falso.', revisor: 'Nome da pessoa que julgou.' },
    devolve: ['evento', 'O evento, com a revisão.'],
    anotacoes: ALTERACAO,
    vinculo: eventLink,
  }),
]
