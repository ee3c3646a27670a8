import { z } from 'zod'

/** Coordinate as a fraction of the frame's width or height. */
const fracao = z.number().min(0).max(1)

/**
 * `zonas` as the interface takes it: either every inner array is one point `[x, y]` and all of them are one polygon, or
 * every inner array is one polygon `[x1, y1, x2, y2, …]` of three points or more. The empty list is the whole frame.
 */
export const zonasSchema = z
  .array(z.array(fracao).max(512))
  .max(512)
  .superRefine((zonas, ctx) => {
    const problem = zonasProblem(zonas)
    if (problem) ctx.addIssue({ code: 'custom', message: problem })
  })
export type Zonas = z.infer<typeof zonasSchema>

function zonasProblem(zonas: readonly (readonly number[])[]): string | null {
  if (zonas.length === 0) return null
  const points = zonas.filter((inner) => inner.length === 2).length
  if (points === zonas.length) return points < 3 ? 'Uma zona precisa de pelo menos três pontos' : null
  if (points > 0) return 'Não misture pontos [x, y] com polígonos [x1, y1, x2, y2, …]'
  if (zonas.some((inner) => inner.length < 6)) return 'Uma zona precisa de pelo menos três pontos'
  if (zonas.some((inner) => inner.length % 2 === 1)) return 'Cada polígono precisa de pares x, y'
  return null
}

/** `linha`: `[[x1, y1], [x2, y2]]` or `[[x1, y1, x2, y2]]`; the empty list is no line. */
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
export type Linha = z.infer<typeof linhaSchema>

export const geometriaSchema = z.object({ zonas: zonasSchema, linha: linhaSchema })
export type Geometria = z.infer<typeof geometriaSchema>
