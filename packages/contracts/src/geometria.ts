import { z } from 'zod'
import { textoCurto } from './values.ts'

/** Coordinate as a fraction of the frame's width or height. */
const fracao = z.number().min(0).max(1)

/**
 * `zonas` in the API has two forms. Either each inner array is a point `[x, y]` of one polygon, or each is a polygon
 * `[x1, y1, x2, y2, …]` of at least three points. The empty list means the whole frame.
 */
export const zonasSchema = z
  .array(z.array(fracao).max(512))
  .max(512)
  .superRefine((zonas, ctx) => {
    const problem = zonasProblem(zonas)
    if (problem) ctx.addIssue({ code: 'custom', message: problem })
  })
  .meta({
    id: 'Zonas',
    description:
      'Frações de 0 a 1 da largura e da altura. Uma lista de pontos `[x, y]` é um polígono; listas `[x1, y1, x2, ' +
      'y2, …]` são um polígono cada. Pelo menos três pontos; vazio = quadro inteiro.',
  })
export type Zonas = z.infer<typeof zonasSchema>

/** Largest number of points of all polygons of a camera: each frame tests each object against all points. */
const MOST_POINTS = 512

/**
 * New zones must have an area. An edge accepts the looser `zonasSchema`, so that a new rule here rejects no stored
 * configuration. An outline may cross itself: by the even-odd rule its overlap is outside.
 */
export const zonasNovasSchema = zonasSchema
  .superRefine((zonas, ctx) => {
    if (zonas.length === 0 || zonasProblem(zonas)) return
    const single = zonas.every((inner) => inner.length === 2)
    const outlines = (single ? [zonas.flat()] : zonas).map(pairs)
    if (outlines.flat().length > MOST_POINTS)
      ctx.addIssue({ code: 'custom', message: `Use no máximo ${MOST_POINTS} pontos ao todo` })
    for (const [index, outline] of outlines.entries())
      if (isFlat(outline)) {
        const message = 'Uma zona precisa de área: ponha pelo menos três pontos fora de uma mesma reta'
        ctx.addIssue({ code: 'custom', message, path: single ? [] : [index] })
      }
  })
  .meta({ description: 'Como `Zonas`; cada polígono com área, e no máximo 512 pontos ao todo.' })

type Ponto = readonly [x: number, y: number]

function pairs(flat: readonly number[]): Ponto[] {
  const pontos: Ponto[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pontos.push([flat[i] ?? 0, flat[i + 1] ?? 0])
  return pontos
}

/** Distance to a line below which a point is on it, as a fraction of the frame. */
const ON_LINE = 1e-6

/** Whether all points are on one line or identical: such an outline has no inside. */
function isFlat(pontos: readonly Ponto[]): boolean {
  const [x0, y0] = pontos[0] ?? [0, 0]
  const away = pontos.map(([x, y]) => ({ x: x - x0, y: y - y0, length: Math.hypot(x - x0, y - y0) }))
  const far = away.reduce((farthest, at) => (at.length > farthest.length ? at : farthest))
  return far.length < ON_LINE || away.every(({ x, y }) => Math.abs(x * far.y - y * far.x) / far.length < ON_LINE)
}

function zonasProblem(zonas: readonly (readonly number[])[]): string | null {
  if (zonas.length === 0) return null
  const points = zonas.filter((inner) => inner.length === 2).length
  if (points === zonas.length) return points < 3 ? 'Uma zona precisa de pelo menos três pontos' : null
  if (points > 0) return 'Não misture pontos [x, y] com polígonos [x1, y1, x2, y2, …]'
  if (zonas.some((inner) => inner.length < 6)) return 'Uma zona precisa de pelo menos três pontos'
  if (zonas.some((inner) => inner.length % 2 === 1)) return 'Cada polígono precisa de pares x, y'
  return null
}

/** `linha`: `[[x1, y1], [x2, y2]]` or `[[x1, y1, x2, y2]]`; the empty list means no line. */
export const linhaSchema = z
  .array(z.array(fracao).max(4))
  .max(2)
  .superRefine((linha, ctx) => {
    if (linha.length === 0) return
    const flat = linha.flat()
    const shape = linha.map((inner) => inner.length).join(',')
    if (shape !== '2,2' && shape !== '4')
      ctx.addIssue({ code: 'custom', message: 'A linha precisa de dois pontos: [[x1, y1], [x2, y2]]' })
    else if (flat[0] === flat[2] && flat[1] === flat[3])
      ctx.addIssue({ code: 'custom', message: 'Os dois pontos da linha são iguais' })
  })
  .meta({
    id: 'Linha',
    description:
      '`[[x1, y1], [x2, y2]]` ou `[[x1, y1, x2, y2]]`, em frações de 0 a 1; dois pontos diferentes. Vazio = sem linha.',
  })
export type Linha = z.infer<typeof linhaSchema>

/** Names of the polygons of `zonas` in their order; null: no name. */
export const nomesZonasSchema = z.array(textoCurto(60).nullable()).max(512)

const imagemInteiraSchema = z
  .boolean()
  .describe('Sem zona de propósito: alguém disse que a câmera vigia a imagem inteira. Uma zona desenhada o desfaz.')

export const geometriaSchema = z
  .object({
    zonas: zonasSchema,
    nomes_zonas: nomesZonasSchema.describe('Um por polígono; null: sem nome.'),
    linha: linhaSchema,
    imagem_inteira: imagemInteiraSchema,
  })
  .meta({ id: 'Geometria' })
export type Geometria = z.infer<typeof geometriaSchema>

/** Number of polygons of `zonas`, in either form. */
export const countZonas = (zonas: Zonas): number =>
  zonas.length > 0 && zonas.every((inner) => inner.length === 2) ? 1 : zonas.length

/** Fields that are left out stay. CameraPatch has no names: its list of fields is closed. */
export const geometriaPatchSchema = z
  .strictObject({
    zonas: zonasNovasSchema.optional(),
    nomes_zonas: nomesZonasSchema
      .optional()
      .describe('Nomes dos polígonos, na ordem de `zonas`; null: sem nome. Os que faltam no fim ficam sem nome.'),
    linha: linhaSchema.optional(),
    imagem_inteira: imagemInteiraSchema.optional(),
  })
  .meta({
    id: 'GeometriaPatch',
    description: 'Muda só os campos enviados.',
    examples: [{ zonas: [[0.1, 0.2, 0.9, 0.2, 0.5, 0.9]], nomes_zonas: ['Portão'] }],
  })
export type GeometriaPatch = z.infer<typeof geometriaPatchSchema>
