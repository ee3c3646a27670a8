import type { Camera } from '@vigia/contracts/cameras'
import type { Empresa } from '@vigia/contracts/empresas'
import { invalid } from '@vigia/contracts/errors'
import type { Evento } from '@vigia/contracts/eventos'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { instanteComFusoSchema, textoCurto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool, type Picture, type ToolContext } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { camerasNamed } from './cameras.ts'
import {
  bestPicture,
  type EventoPicture,
  eventLink,
  eventoResumoSchema,
  resumeEvent,
  withBoxes,
} from './evento-list.ts'
import { askPage } from './paging.ts'

const DAY_MS = 86_400_000
const MAX_DIAS = 31
/** Cameras with the named text: more than that is no name that a person meant. */
const MAX_CAMERAS = 10
/** Events that are read, newest first, and the size of a page of the route. */
const READ = 2_000
const PAGE = 200
const PICTURES = 6
/** Some clients reject a result of 1 MB, and base64 makes pictures a third longer. */
const PICTURE_BYTES = 600_000

const contagem = {
  confirmados: z.int(),
  incertos: z.int().describe('A verificação não conseguiu decidir: confira a imagem.'),
  refutados: z.int(),
  pendentes: z.int(),
}
const contagemSchema = z.object(contagem)
type Contagem = z.infer<typeof contagemSchema>

export const summarizePeriod = defineTool({
  nome: 'resumo_periodo',
  titulo: 'Resumo de um período',
  descricao:
    'O que houve num período: contagens por hora, IA e veredito, e as imagens dos seis eventos mais certos e ' +
    'graves. Comece por aqui para contar o que aconteceu. Depois: ver_incidente.',
  entrada: z.strictObject({
    desde: instanteComFusoSchema.describe('ISO 8601 com fuso.'),
    ate: instanteComFusoSchema.describe(`Exclusive, até ${MAX_DIAS} dias depois.`),
    camera: textoCurto(200).optional().describe('Parte do nome: portão. Se faltar, todas.'),
  }),
  saida: z.object({
    cameras: z.array(z.string()).nullable().describe('As câmeras com esse nome; null: todas.'),
    total: z.int().describe('Eventos no período.'),
    parcial: z.boolean().describe(`true: só os ${READ} últimos foram contados; peça um período menor.`),
    por_veredito: contagemSchema.describe('Os eventos contados.'),
    por_hora: z
      .array(z.object({ hora: z.string(), ...contagem }))
      .describe('Só as horas com eventos, no fuso da Empresa: 2026-01-31 22h.'),
    por_tipo: z.array(z.object({ tipo: z.enum(nomesIas), ...contagem })).describe('Só as IAs com eventos.'),
    imagens: z
      .array(eventoResumoSchema.extend({ incidente_id: z.int().nullable() }))
      .describe('Os eventos das imagens que acompanham a resposta, na mesma ordem.'),
  }),
  operacoes: ['listarEventos', 'listarCameras', 'listarEmpresas', 'verImagem'],
  anotacoes: LEITURA,
  run: async ({ desde, ate, camera }, ctx) => {
    const lengthMs = Date.parse(ate) - Date.parse(desde)
    if (lengthMs <= 0) throw invalid(['body', 'ate'], 'O período precisa terminar depois de começar.')
    if (lengthMs > MAX_DIAS * DAY_MS)
      throw invalid(['body', 'ate'], `Peça no máximo ${MAX_DIAS} dias. Para mais, use consultar_relatorio.`)
    const cameras = camera === undefined ? null : await findCameras(camera, ctx)
    const { eventos, total } = await readEvents({ desde, ate }, cameras, ctx)
    const empresas = await ctx.json<Empresa[]>('listarEmpresas')
    const fusos = new Map(empresas.map(({ id, fuso_horario }) => [id, fuso_horario]))
    const hourOf = hourFormatter()
    const { imagens, shown } = await bestPictures(eventos, ctx)
    return {
      dados: {
        cameras: cameras?.map(({ nome }) => nome) ?? null,
        total,
        parcial: eventos.length < total,
        por_veredito: count(eventos),
        por_hora: grouped(eventos, ({ ocorrido_em, empresa_id }) => hourOf(ocorrido_em, fusos.get(empresa_id)))
          .map(([hora, some]) => ({ hora, ...count(some) }))
          .sort((a, b) => (a.hora < b.hora ? -1 : 1)),
        por_tipo: grouped(eventos, ({ tipo }) => tipo).map(([tipo, some]) => ({ tipo, ...count(some) })),
        imagens: shown.map((evento) => ({ ...resumeEvent(evento), incidente_id: evento.incidente_id })),
      },
      imagens,
      vinculos: shown.map(({ id }) => eventLink(id)),
    }
  },
})

/** @throws VigiaError `validacao` if the text is the name of no camera, or of too many */
async function findCameras(nome: string, ctx: ToolContext): Promise<Camera[]> {
  const found = camerasNamed(await ctx.json<Camera[]>('listarCameras'), nome)
  if (found.length === 0)
    throw invalid(['body', 'camera'], 'Nenhuma câmera tem isso no nome. Veja os nomes com listar_cameras.')
  if (found.length > MAX_CAMERAS)
    throw invalid(['body', 'camera'], `${found.length} câmeras têm isso no nome: diga mais do nome, ou deixe sem.`)
  return found
}

type Periodo = Readonly<Record<'desde' | 'ate', string>>

/** The newest events of the period without walk tests, of these cameras or of all, and their total number. */
async function readEvents(periodo: Periodo, cameras: readonly Camera[] | null, ctx: ToolContext) {
  const real = { ...periodo, prova: 'false' }
  const lists = await Promise.all(
    (cameras?.map(({ id }) => ({ ...real, camera_id: id })) ?? [real]).map((filtros) => readPages(filtros, ctx)),
  )
  const eventos = lists.flatMap((list) => list.eventos)
  return {
    eventos: eventos.sort((a, b) => Date.parse(b.ocorrido_em) - Date.parse(a.ocorrido_em)).slice(0, READ),
    total: lists.reduce((sum, list) => sum + list.total, 0),
  }
}

async function readPages(filtros: Periodo, ctx: ToolContext): Promise<{ eventos: Evento[]; total: number }> {
  const eventos: Evento[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await askPage<Evento>('listarEventos', { ...filtros, limite: PAGE, cursor }, ctx)
    eventos.push(...page.itens)
    if (page.proximo === null || eventos.length >= READ) return { eventos, total: page.total }
    cursor = page.proximo
  }
}

const isUncertain = ({ veredito }: Evento): boolean =>
  veredito?.decisao === 'confirmado' && veredito.certeza === 'baixa'

function count(eventos: readonly Evento[]): Contagem {
  const decided = (decisao: string) => eventos.filter(({ veredito }) => veredito?.decisao === decisao).length
  const incertos = eventos.filter(isUncertain).length
  return {
    confirmados: decided('confirmado') - incertos,
    incertos,
    refutados: decided('refutado'),
    pendentes: eventos.filter(({ veredito }) => veredito === null).length,
  }
}

/** Groups in the order of their first event. */
function grouped<Key>(eventos: readonly Evento[], keyOf: (evento: Evento) => Key): [Key, Evento[]][] {
  return [...Map.groupBy(eventos, keyOf)]
}

/** Building a formatter costs about a hundred times as much as a call. */
function hourFormatter(): (iso: string, fuso: string | undefined) => string {
  const formatters = new Map<string | undefined, Intl.DateTimeFormat>()
  return (iso, fuso) => {
    const formatter =
      formatters.get(fuso) ??
      new Intl.DateTimeFormat('sv-SE', {
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        hourCycle: 'h23',
        timeZone: fuso ?? 'UTC',
      })
    formatters.set(fuso, formatter)
    return `${formatter.format(Date.parse(iso))}h`
  }
}

/** Pictures of different incidentes: certain verdicts first, then the severity, then the confidence of the verdict. */
async function bestPictures(eventos: readonly Evento[], ctx: ToolContext) {
  const certainty = (evento: Evento) => (evento.veredito === null ? 0 : isUncertain(evento) ? 1 : 2)
  const ranked = eventos
    .filter(({ crop_url, veredito }) => crop_url !== null && veredito?.decisao !== 'refutado')
    .sort(
      (a, b) =>
        certainty(b) - certainty(a) ||
        gravidades.indexOf(b.gravidade) - gravidades.indexOf(a.gravidade) ||
        (b.veredito?.confianca ?? b.confianca) - (a.veredito?.confianca ?? a.confianca),
    )
  const first = new Map(ranked.toReversed().map((evento) => [evento.incidente_id ?? `evento ${evento.id}`, evento]))
  const found: { readonly evento: Evento; readonly picture: EventoPicture }[] = []
  for (const evento of ranked.filter((one) => first.get(one.incidente_id ?? `evento ${one.id}`) === one)) {
    if (found.length === PICTURES) break
    const picture = await bestPicture(evento, ctx)
    if (picture !== null) found.push({ evento, picture })
  }
  // Together, because one process draws them.
  const drawn = await Promise.all(found.map(({ evento, picture }) => withBoxes(picture, evento, ctx)))
  const imagens: Picture[] = []
  const shown: Evento[] = []
  let bytes = 0
  for (const [index, { evento }] of found.entries()) {
    const picture = drawn[index]
    if (picture === undefined || bytes + picture.bytes.length > PICTURE_BYTES) continue
    bytes += picture.bytes.length
    imagens.push(picture)
    shown.push(evento)
  }
  return { imagens, shown: found.map(({ evento }) => evento) }
}
