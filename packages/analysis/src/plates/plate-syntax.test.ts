import { expect, it } from 'vitest'
import { joinSteps, plateSyntaxes, readSyntax, SYMBOLS, type TextSteps } from './plate-syntax.ts'

const WIDTH = SYMBOLS.length + 1

/** One step with these probabilities for each symbol, with a step without a symbol between. */
function stepsOf(symbols: readonly Readonly<Record<string, number>>[]): TextSteps {
  const count = 2 * symbols.length
  const values = new Float32Array(count * WIDTH)
  for (const [index, chances] of symbols.entries()) {
    for (const [symbol, chance] of Object.entries(chances)) values[2 * index * WIDTH + SYMBOLS.indexOf(symbol)] = chance
    values[(2 * index + 1) * WIDTH + SYMBOLS.length] = 1
  }
  return { count, values }
}
const sure = (text: string) => stepsOf([...text].map((symbol) => ({ [symbol]: 0.98 })))
const [antiga, mercosul] = plateSyntaxes as [(typeof plateSyntaxes)[number], (typeof plateSyntaxes)[number]]

it('reads each form, and nothing where the text does not fit', () => {
  expect(readSyntax(sure('ABC1234'), antiga)[0]).toMatchObject({ placa: 'ABC1234', syntax: { pais: 'BR' } })
  expect(readSyntax(sure('ABC1D23'), mercosul)[0]?.placa).toBe('ABC1D23')
  for (const text of ['ABC123', 'ABC12345', '1234ABC', 'ABC1X34'])
    expect(readSyntax(sure(text), antiga)[0]?.chance ?? 0, text).toBeLessThan(0.01)
})

it('reads equal neighbours', () => {
  expect(readSyntax(sure('AAA1111'), antiga)[0]?.placa).toBe('AAA1111')
})

it('decides similar shapes by the position and by the picture', () => {
  expect(readSyntax(sure('O8S0I2Z'), antiga)[0]?.placa).toBe('OBS0122')
  // The letter that the picture favours, although the digit has most probability.
  const [first] = readSyntax(
    stepsOf(
      [...'AB']
        .map((s) => ({ [s]: 1 }))
        .concat(
          [{ 0: 0.5, Q: 0.45, O: 0.05 } as never],
          [...'1234'].map((s) => ({ [s]: 1 })),
        ),
    ),
    antiga,
  )
  expect(first?.placa).toBe('ABQ1234')
})

it('gives an unclear text a low chance, and the other readings', () => {
  const unclear = stepsOf([...'ABC123'].map((s): Record<string, number> => ({ [s]: 1 })).concat({ 4: 0.5, 9: 0.4 }))
  const readings = readSyntax(unclear, antiga)
  expect(readings.slice(0, 2).map(({ placa }) => placa)).toEqual(['ABC1234', 'ABC1239'])
  expect(readings[0]?.chance).toBeCloseTo(0.5, 1)
})

it('joins the lines of a plate', () => {
  expect(readSyntax(joinSteps(sure('ABC'), sure('1D23')), mercosul)[0]?.placa).toBe('ABC1D23')
})
