import type { ParteEntendida } from '@vigia/contracts/busca'
import type { Found } from './sentence-found.ts'
import { hoursIn } from './sentence-hours.ts'
import { periodIn } from './sentence-period.ts'
import { colourIn, iaIn, plateIn, recordIn, thingIn } from './sentence-things.ts'

/** A name by which a sentence may mean a camera. */
export interface CameraName {
  readonly nome: string
  readonly cameraId: number
}

interface Context {
  /** Today in the time zone of the Empresa, `2026-11-21`. */
  readonly hoje: string
  readonly cameraNames: readonly CameraName[]
  /** Whether the login sees plates; else their words stay a text search, with its refusal. */
  readonly plates: boolean
}

interface Understood {
  readonly partes: readonly ParteEntendida[]
  /** The words that no rule understood, as typed, without small words; null: none. */
  readonly resto: string | null
}

interface Word {
  /** Without accents, lower case, without the hyphen of a plate. */
  readonly folded: string
  readonly inicio: number
  readonly fim: number
}

/** Dates, hours, plates, text between quotation marks, words. */
const WORD =
  /"[^"]*"|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?![\d/])|\d{1,2}:\d{2}|[A-Za-z]{3}[-.]?\d[A-Za-z\d]\d{2}(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}*]+/gu

/** Words without a meaning of their own beside understood ones. */
const SMALL = new Set(
  (
    'a as o os e em no na nos nas de do da dos das ao aos um uma uns umas ' +
    'com por pela pelo para que entre ate desde'
  ).split(' '),
)

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^([a-z]{3})[-.](\d[a-z\d]\d\d)$/, '$1$2')

/** Replaces understood words: no rule matches across it. */
const CUT = '\u0000'

/**
 * Understands time, place, thing, colour and plate in a Portuguese sentence, by rules. Text between quotation marks
 * stays text. Each kind is understood once; further words of it stay text.
 */
export function understand(frase: string, { hoje, cameraNames, plates }: Context): Understood {
  const words: Word[] = [...frase.matchAll(WORD)].map(({ 0: text, index }) => ({
    folded: text.startsWith('"') ? CUT : fold(text),
    inicio: index,
    fim: index + text.length,
  }))
  const partes: ParteEntendida[] = []
  const used = new Set<number>()
  let line = words.map(({ folded }) => folded).join(' ')
  const take = (campo: ParteEntendida['campo'], found: Found | null) => {
    if (found === null) return
    const first = line.slice(0, found.index).split(' ').length - 1
    const count = line.slice(found.index, found.index + found.length).split(' ').length
    const own = words.slice(first, first + count)
    for (let i = first; i < first + count; i += 1) used.add(i)
    line = line
      .split(' ')
      .map((word, i) => (i >= first && i < first + count ? CUT.repeat(word.length) : word))
      .join(' ')
    const { valor, ate = null } = found
    partes.push({ campo, valor, ate, inicio: own[0]?.inicio ?? 0, fim: own.at(-1)?.fim ?? 0 })
  }
  if (plates) take('placa', plateIn(line))
  // A name of several words is a name, also when one of them is a day or a colour.
  const longNames = cameraIn(line, cameraNames, 2)
  take('camera', longNames)
  const [period, colour] = [periodIn(line, hoje), colourIn(line)]
  take('hora', hoursIn(line))
  take('periodo', period)
  if (longNames === null) take('camera', cameraIn(line, cameraNames, 1))
  take('cor', colour)
  take('tipo', iaIn(line))
  take('coisa', thingIn(line))
  for (const campo of ['gravidade', 'certeza', 'nota'] as const) take(campo, recordIn(line, campo))
  if (partes.length === 0) return { partes, resto: frase.trim() || null }
  const left = words.filter(({ folded }, i) => !used.has(i) && !SMALL.has(folded))
  const resto = left.map(({ inicio, fim }) => frase.slice(inicio, fim)).join(' ')
  return { partes: partes.sort((a, b) => a.inicio - b.inicio), resto: resto || null }
}

/** The longest name with at least `least` words that only one camera has. */
function cameraIn(line: string, cameraNames: readonly CameraName[], least: number): Found | null {
  const byName = new Map<string, Set<number>>()
  for (const { nome, cameraId } of cameraNames) {
    const name = [...nome.matchAll(WORD)].map(({ 0: text }) => fold(text)).join(' ')
    byName.set(name, (byName.get(name) ?? new Set()).add(cameraId))
  }
  const named = [...byName]
    .filter(([name]) => name.split(' ').length >= least && ` ${line} `.includes(` ${name} `))
    .sort(([a], [b]) => b.length - a.length)[0]
  const [only, ...others] = named?.[1] ?? []
  if (!named || only === undefined || others.length > 0) return null
  return { index: ` ${line} `.indexOf(` ${named[0]} `), length: named[0].length, valor: String(only) }
}
