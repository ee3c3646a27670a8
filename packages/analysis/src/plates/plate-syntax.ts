/** One form of a plate: `L` a letter, `N` a digit. */
export interface PlateSyntax {
  readonly pais: string
  readonly forma: 'antiga' | 'mercosul' | 'outra'
  readonly pattern: string
}

/** Forms of plates; another country is another entry. */
export const plateSyntaxes: readonly PlateSyntax[] = [
  // Resolution CONTRAN 231/2007.
  { pais: 'BR', forma: 'antiga', pattern: 'LLLNNNN' },
  // Resolution CONTRAN 969/2022.
  { pais: 'BR', forma: 'mercosul', pattern: 'LLLNLNN' },
]

export const DIGITS = '0123456789'
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const SYMBOLS = DIGITS + LETTERS

/**
 * Share of a symbol's probability that counts for a symbol of the other class with a similar shape. The position says
 * whether a letter or a digit stands there; the picture says which one.
 */
const LOOKALIKES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '0': { O: 0.9, Q: 0.5, D: 0.5, U: 0.1 },
  '1': { I: 0.9, L: 0.4, J: 0.2, T: 0.1 },
  '2': { Z: 0.9 },
  '3': { B: 0.1 },
  '4': { A: 0.5 },
  '5': { S: 0.9 },
  '6': { G: 0.7, C: 0.1 },
  '7': { T: 0.4, Y: 0.2, Z: 0.2 },
  '8': { B: 0.9 },
  A: { 4: 0.4 },
  B: { 8: 0.9, 3: 0.2 },
  D: { 0: 0.4 },
  G: { 6: 0.8 },
  I: { 1: 0.9 },
  J: { 1: 0.1 },
  L: { 1: 0.1 },
  O: { 0: 0.9 },
  Q: { 0: 0.3 },
  S: { 5: 0.9 },
  T: { 7: 0.4, 1: 0.1 },
  Y: { 7: 0.1 },
  Z: { 2: 0.9, 7: 0.1 },
}

/** Recognised text: for each step the probabilities of SYMBOLS and, last, of no new symbol. */
export interface TextSteps {
  readonly count: number
  /** `count` rows of SYMBOLS.length + 1 values. */
  readonly values: Float32Array
}

export interface PlateReading {
  /** Upper-case letters and digits. */
  readonly placa: string
  readonly syntax: PlateSyntax
  /** Probability of this text in this form, 0–1. */
  readonly chance: number
}

const WIDTH = SYMBOLS.length + 1
const BLANK = SYMBOLS.length
const indexOf = new Map([...SYMBOLS].map((symbol, index) => [symbol, index]))
const lookalikes = [...SYMBOLS].map((symbol) =>
  Object.entries(LOOKALIKES[symbol] ?? {}).map(([other, share]) => [indexOf.get(other) ?? 0, share] as const),
)
const membersOf = (kind: string): readonly number[] =>
  [...(kind === 'L' ? LETTERS : DIGITS)].map((symbol) => indexOf.get(symbol) ?? 0)

interface Beam {
  readonly symbols: readonly number[]
  /** Probability of this prefix, ending in no symbol, and in its last symbol. */
  blank: number
  last: number
}

const BEAM_WIDTH = 16
/** A symbol below this probability begins no new prefix. */
const SYMBOL_MIN = 0.002

/**
 * The most probable texts of one form, best first, by the prefix search of Connectionist Temporal Classification
 * (Graves et al. 2006), restricted to the symbols that the form allows at each position.
 */
export function readSyntax(steps: TextSteps, syntax: PlateSyntax): PlateReading[] {
  const classes = [...syntax.pattern].map(membersOf)
  let beams: Beam[] = [{ symbols: [], blank: 1, last: 0 }]
  const row = new Float64Array(WIDTH)
  for (let step = 0; step < steps.count; step++) {
    withLookalikes(steps.values, step * WIDTH, row)
    beams = advance(beams, row, classes)
  }
  return beams
    .filter(({ symbols }) => symbols.length === classes.length)
    .map(({ symbols, blank, last }) => ({
      placa: symbols.map((symbol) => SYMBOLS[symbol]).join(''),
      syntax,
      chance: Math.min(1, blank + last),
    }))
    .sort((a, b) => b.chance - a.chance)
}

/** Adds to each symbol the share of its look-alikes. */
function withLookalikes(values: Float32Array, at: number, row: Float64Array): void {
  for (let symbol = 0; symbol < WIDTH; symbol++) {
    let value = values[at + symbol] ?? 0
    for (const [other, share] of lookalikes[symbol] ?? []) value += share * (values[at + other] ?? 0)
    row[symbol] = Math.min(1, value)
  }
}

function advance(beams: readonly Beam[], row: Float64Array, classes: readonly (readonly number[])[]): Beam[] {
  const next = new Map<string, Beam>()
  const at = (symbols: readonly number[]): Beam => {
    const key = symbols.join()
    const known = next.get(key)
    if (known) return known
    const fresh = { symbols, blank: 0, last: 0 }
    next.set(key, fresh)
    return fresh
  }
  for (const { symbols, blank, last } of beams) {
    const same = at(symbols)
    same.blank += (blank + last) * (row[BLANK] ?? 0)
    const final = symbols.at(-1)
    if (final !== undefined) same.last += last * (row[final] ?? 0)
    for (const symbol of classes[symbols.length] ?? []) {
      const chance = row[symbol] ?? 0
      if (chance < SYMBOL_MIN) continue
      // A repeated symbol needs a step without a symbol between.
      at([...symbols, symbol]).last += (symbol === final ? blank : blank + last) * chance
    }
  }
  return [...next.values()].sort((a, b) => b.blank + b.last - a.blank - a.last).slice(0, BEAM_WIDTH)
}

/** Both texts one behind the other, as the lines of a motorcycle's plate. */
export function joinSteps(upper: TextSteps, lower: TextSteps): TextSteps {
  const gap = new Float32Array(WIDTH)
  gap[BLANK] = 1
  const values = new Float32Array(upper.values.length + WIDTH + lower.values.length)
  values.set(upper.values)
  values.set(gap, upper.values.length)
  values.set(lower.values, upper.values.length + WIDTH)
  return { count: upper.count + 1 + lower.count, values }
}
