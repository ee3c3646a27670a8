import type { ParteEntendida } from '@vigia/contracts/busca'
import { type Certeza, certezas } from '@vigia/contracts/eventos'
import { type Gravidade, gravidades, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { instantOf, period } from '../../../base/tempo/period.ts'

/** Filters of the URL that a part of a sentence may become. */
export interface ParteComoFiltro {
  readonly de?: string | undefined
  readonly ate?: string | undefined
  readonly das?: string | undefined
  readonly antes?: string | undefined
  readonly camera?: number
  readonly ia?: NomeIa | undefined
  readonly gravidade?: Gravidade | undefined
  readonly certeza?: Certeza | undefined
  readonly nota?: 'com' | 'sem'
}

/** The part as a filter with a field on the page; null: it has none, its words are changed in the sentence. */
export function filterOf({ campo, valor, ate }: ParteEntendida): ParteComoFiltro | null {
  switch (campo) {
    case 'periodo':
      return { de: valor, ate: ate ?? valor }
    case 'hora':
      return { das: valor, antes: ate ?? '00:00' }
    case 'camera':
      return { camera: Number(valor) }
    case 'tipo':
      return { ia: nomesIas.find((one) => one === valor) }
    case 'gravidade':
      return { gravidade: gravidades.find((one) => one === valor) }
    case 'certeza':
      return { certeza: certezas.find((one) => one === valor) }
    case 'nota':
      return { nota: valor === 'true' ? 'com' : 'sem' }
    default:
      return null
  }
}

/** The sentence without these parts; undefined: nothing is left. */
export function without(frase: string, partes: readonly ParteEntendida[]): string | undefined {
  const last = [...partes].sort((a, b) => b.inicio - a.inicio)
  const left = last.reduce((text, { inicio, fim }) => `${text.slice(0, inicio)} ${text.slice(fim)}`, frase)
  return left.replace(/\s+/g, ' ').trim() || undefined
}

/** Parts that change together: a night belongs to the day on which it begins. */
export const togetherWith = (parte: ParteEntendida, partes: readonly ParteEntendida[]): ParteEntendida[] =>
  partes.filter(({ campo }) =>
    parte.campo === 'periodo' || parte.campo === 'hora'
      ? campo === 'periodo' || campo === 'hora'
      : campo === parte.campo,
  )

/**
 * Days and hours of day as filters of the API. Hours that pass midnight belong to the day on which they begin. A single
 * bound lasts from or to midnight; two equal ones are none.
 */
export function timeFilter({ de, ate, das, antes }: Pick<ParteComoFiltro, 'de' | 'ate' | 'das' | 'antes'>, fuso: Fuso) {
  const days = period(de ?? null, ate ?? null, fuso)
  const [from, to] = [das ?? '00:00', antes ?? '00:00']
  if (from === to) return { ...days, hora_de: undefined, hora_ate: undefined }
  const [first = null, last = null] = de !== undefined && ate !== undefined && de > ate ? [ate, de] : [de, ate]
  const shifted =
    from < to
      ? days
      : {
          desde: first === null ? null : new Date(instantOf(first, secondsOf(from), fuso)).toISOString(),
          ate: last === null ? null : new Date(instantOf(last, DAY_S + secondsOf(to), fuso)).toISOString(),
        }
  return { ...shifted, hora_de: from, hora_ate: to }
}

const DAY_S = 86_400

/** Seconds after midnight of `HH:MM`. */
function secondsOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 3_600 + minutes * 60
}
