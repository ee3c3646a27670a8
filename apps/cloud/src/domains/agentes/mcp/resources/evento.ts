import type { Evento, EventoDetalhe } from '@vigia/contracts/eventos'
import { idLongoTexto } from '@vigia/contracts/values'
import type { Resource } from '../resource.ts'
import type { ToolContext } from '../tool.ts'
import { framePicture } from '../tools/evento-list.ts'
import { recordId } from './record-id.ts'

/** The newest events, for the list of a client and for completions. */
const newest = (ctx: ToolContext, limit: number): Promise<Evento[]> =>
  ctx.json<Evento[]>('listarEventos', { query: { limit: String(limit) } })

/** The title quotes the name of the camera, because the name is user input. */
const title = ({ id, tipo, camera_nome }: Pick<Evento, 'id' | 'tipo' | 'camera_nome'>): string =>
  `Evento ${id}: ${tipo} em ${JSON.stringify(camera_nome)}`

export const eventoResource: Resource = {
  nome: 'evento',
  titulo: 'Evento',
  descricao: 'Um evento com o veredito completo, a revisão humana e a imagem com as caixas (JPEG), quando há.',
  uri: 'vigia://evento/{id}',
  operacoes: ['listarEventos', 'verEvento', 'verImagem'],
  read: async (variaveis, ctx) => {
    const id = recordId(variaveis, idLongoTexto)
    const evento = await ctx.json<EventoDetalhe>('verEvento', { params: { event_id: id } })
    const picture = await framePicture(evento, ctx)
    return { dados: { titulo: title(evento), evento }, imagens: picture === null ? [] : [picture] }
  },
  list: async (ctx) =>
    (await newest(ctx, 50)).map((evento) => ({ uri: `vigia://evento/${evento.id}`, nome: title(evento) })),
  complete: {
    id: async (typed, ctx) => (await newest(ctx, 200)).map(({ id }) => String(id)).filter((id) => id.startsWith(typed)),
  },
}
