import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accountBelow,
  explain,
  fill,
  isSettled,
  type Lacuna,
  type Reserved,
  restart,
  type Sequence,
} from './sequence.ts'

const show = ({ lacunas }: Sequence) =>
  lacunas
    .toSorted((a, b) => a.de - b.de)
    .map(({ de, ate, motivo, reservado }) => `${de}-${ate} ${motivo}${reservado === null ? '' : ` @${reservado}`}`)
const start: Sequence = { ultimo: 0, lacunas: [] }
const keep = (first: number) => (count: number) => ({ first, count })
const none = () => ({ first: 0, count: 0 })
const below = (sequence: Sequence, de: number, base: number, reserve: (n: number) => Reserved = keep(100)) =>
  accountBelow(sequence, { de, base, now: 1 }, reserve)
const why = { motivo: 'cota_de_disco', uuid: 'u', ocorridoDe: 1, ocorridoAte: 2, registradaEm: 3 } as const

describe('below a record', () => {
  it.each([
    ['nothing is missing', 1, 1, []],
    ['what the edge no longer has was lost', 6, 6, ['1-5 salto_de_sequencia']],
    ['what the edge still has is on its way, with ids kept for it', 6, 1, ['1-5 a_caminho @100']],
    ['some was lost, some is on its way', 6, 4, ['1-3 salto_de_sequencia', '4-5 a_caminho @100']],
  ])('%s', (_what, de, base, gaps) => {
    const sequence = below(start, de, base)
    expect(show(sequence)).toEqual(gaps)
    expect(sequence.ultimo).toBe(de - 1)
  })

  it('keeps the ids of expected numbers that were lost, for a late arrival', () => {
    const sequence = below({ ...below(start, 6, 1), ultimo: 6 }, 7, 3)
    expect(show(sequence)).toEqual(['1-2 salto_de_sequencia @100', '3-5 a_caminho @102'])
    expect(fill(sequence, 2)).toMatchObject({ esperado: true, atrasado: true, reservado: 101 })
  })

  it('reserves nothing without budget', () => {
    expect(show(below(start, 3, 1, none))).toEqual(['1-2 a_caminho'])
  })

  it('gives scarce ids to the newest numbers', () => {
    const two = () => ({ first: 100, count: 2 })
    expect(show(below(start, 6, 1, two))).toEqual(['1-3 a_caminho', '4-5 a_caminho @100'])
  })
})

describe('a number', () => {
  const overtaken = { ...below(start, 6, 1), ultimo: 6 }

  it('takes its id from any position of the gap after it was overtaken', () => {
    const taken = [1, 5, 3].reduce(
      ({ sequence, ids }, seq) => {
        const filled = fill(sequence, seq)
        return { sequence: filled.sequence, ids: [...ids, filled.reservado] }
      },
      { sequence: overtaken, ids: [] as (number | null)[] },
    )
    expect(taken.ids).toEqual([100, 104, 102])
    expect(show(taken.sequence)).toEqual(['2-2 a_caminho @101', '4-4 a_caminho @103'])
  })

  it('leaves the row to the first remaining piece of its gap', () => {
    const row = overtaken.lacunas.map((gap) => ({ ...gap, id: 9 }))
    expect(fill({ ultimo: 6, lacunas: row }, 3).sequence.lacunas.map(({ id }) => id)).toEqual([9, null])
    expect(fill({ ultimo: 6, lacunas: row }, 1).sequence.lacunas.map(({ id }) => id)).toEqual([9])
  })

  it('that is already stored changes nothing and is reported', () => {
    expect(fill(overtaken, 6)).toEqual({ sequence: overtaken, esperado: false, atrasado: false, reservado: null })
    const explained = explain({ ultimo: 2, lacunas: [] }, { de: 3, ate: 4 }, why)
    expect(fill(explained, 3)).toMatchObject({ sequence: explained, esperado: false })
  })
})

describe('an explanation', () => {
  it('covers only its missing numbers, under one uuid', () => {
    // 1 stored, 2-4 expected, 5 stored, 6-7 lost, 8 stored.
    const lost: Lacuna = { ...(below(start, 8, 8).lacunas[0] as Lacuna), de: 6, ate: 7 }
    const sequence = { ultimo: 8, lacunas: [...below({ ultimo: 1, lacunas: [] }, 5, 2).lacunas, lost] }
    const explained = explain(sequence, { de: 4, ate: 10 }, why)
    expect(show(explained)).toEqual([
      '2-3 a_caminho @100',
      '4-4 cota_de_disco @102',
      '6-7 cota_de_disco',
      '9-10 cota_de_disco',
    ])
    expect(explained.ultimo).toBe(10)
    expect(explained.lacunas.filter(({ uuid }) => uuid === 'u')).toHaveLength(1)
  })
})

it('turns expected numbers into a jump after a new outbox', () => {
  const sequence = restart({ ...below(start, 6, 1), ultimo: 6 }, 40, 1)
  expect(show(sequence)).toEqual(['1-5 salto_de_sequencia @100', '7-39 fila_recomecada'])
  expect(sequence.ultimo).toBe(39)
  expect(show(restart({ ultimo: 6, lacunas: [] }, 1, 1))).toEqual(['7-0 fila_recomecada'])
})

/** States of the numbers up to LAST: stored, expected, lost, explained or beyond. */
const LAST = 4
const states = ['there', 'a_caminho', 'salto_de_sequencia', 'cota_de_disco'] as const
type State = (typeof states)[number]

/** Builds a sequence from the states; equal neighbours share a gap or have one each. */
function sequenceOf(numbers: readonly State[], merged: boolean): Sequence {
  const lacunas: Lacuna[] = []
  for (const [i, motivo] of numbers.entries()) {
    const before = lacunas.at(-1)
    if (motivo === 'there') continue
    if (merged && before?.motivo === motivo && before.ate === i) lacunas[lacunas.length - 1] = { ...before, ate: i + 1 }
    else
      lacunas.push({ ...(below(start, 2, 2).lacunas[0] as Lacuna), de: i + 1, ate: i + 1, motivo, reservado: 1001 + i })
  }
  return { ultimo: numbers.length, lacunas }
}

/** The inverse: the state of each number from 1 to `ultimo`. Fails if a number lies in two gaps. */
function statesOf({ ultimo, lacunas }: Sequence): string[] {
  return Array.from({ length: ultimo }, (_, i) => {
    const covering = lacunas.filter(({ de, ate }) => de <= i + 1 && i + 1 <= ate)
    expect(covering.length).toBeLessThan(2)
    for (const { de, reservado } of covering)
      if (reservado !== null && reservado < 2000) expect(reservado + i + 1 - de).toBe(1001 + i)
    return covering[0]?.motivo ?? 'there'
  })
}

/** Every sequence of up to LAST numbers. */
function* everySequence(): Generator<{ numbers: State[]; sequence: Sequence }> {
  for (let length = 0; length <= LAST; length += 1)
    for (let code = 0; code < states.length ** length; code += 1) {
      const numbers = Array.from(
        { length },
        (_, i) => states[Math.floor(code / states.length ** i) % states.length] as State,
      )
      for (const merged of [true, false]) yield { numbers, sequence: sequenceOf(numbers, merged) }
    }
}

describe('every sequence of up to four numbers', () => {
  it('finds settled numbers', () => {
    for (const { numbers, sequence } of everySequence())
      for (let de = 1; de <= LAST + 1; de += 1)
        for (let ate = de - 1; ate <= LAST + 1; ate += 1) {
          const plain = Array.from({ length: ate - de + 1 }, (_, i) => numbers[de + i - 1] ?? 'beyond')
          if (isSettled(sequence, { de, ate }) !== plain.every((state) => state !== 'a_caminho' && state !== 'beyond'))
            expect({ numbers, de, ate }).toBe('settled as explained')
        }
  })

  it('has the expected states after any number', () => {
    for (const { numbers, sequence } of everySequence())
      for (let seq = 1; seq <= numbers.length + 1; seq += 1) {
        const { sequence: next, esperado, atrasado, reservado } = fill(sequence, seq)
        const was = numbers[seq - 1] ?? 'beyond'
        const open = was === 'a_caminho' || was === 'salto_de_sequencia'
        expect([esperado, atrasado, reservado]).toEqual([open || was === 'beyond', open, open ? 1000 + seq : null])
        const plain: string[] = [...numbers]
        if (was !== 'cota_de_disco') plain[seq - 1] = 'there'
        expect(statesOf(next)).toEqual(plain)
      }
  })

  it('has the expected states below any record and after any explanation', () => {
    for (const { numbers, sequence } of everySequence())
      for (let de = 1; de <= LAST + 2; de += 1)
        for (let x = 1; x <= de; x += 1) {
          const plain: string[] = numbers.map((state, i) =>
            state === 'a_caminho' && i + 1 < x ? 'salto_de_sequencia' : state,
          )
          for (let seq = plain.length + 1; seq < de; seq += 1) plain.push(seq < x ? 'salto_de_sequencia' : 'a_caminho')
          expect(statesOf(below(sequence, de, x, keep(2001)))).toEqual(plain)

          const explained: string[] = [...numbers]
          for (let seq = x; seq <= de; seq += 1)
            if (
              seq > explained.length ||
              explained[seq - 1] === 'a_caminho' ||
              explained[seq - 1] === 'salto_de_sequencia'
            )
              explained[seq - 1] = 'recusado'
          if (x <= numbers.length + 1)
            expect(statesOf(explain(sequence, { de: x, ate: de }, { ...why, motivo: 'recusado' }))).toEqual(explained)
        }
  })
})

it('keeps the id of each number for every way to cut a gap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.array(fc.nat(9999), { maxLength: 20 }), (length, picks) => {
      let sequence: Sequence = { ...below(start, length + 1, 1, keep(501)), ultimo: length + 1 }
      const seen = new Set<number>()
      for (const pick of picks) {
        const seq = 1 + (pick % length)
        const filled = fill(sequence, seq)
        expect(filled.reservado).toBe(seen.has(seq) ? null : 500 + seq)
        seen.add(seq)
        sequence = filled.sequence
      }
      const missing = sequence.lacunas.reduce((sum, { de, ate }) => sum + ate - de + 1, 0)
      expect(missing).toBe(length - seen.size)
    }),
  )
})
