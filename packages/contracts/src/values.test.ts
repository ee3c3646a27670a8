import { expect, it } from 'vitest'
import { z } from 'zod'
import { textoCurto } from './values.ts'

const nome = textoCurto(20)
const problem = (texto: unknown) => {
  const issue = nome.safeParse(texto).error?.issues[0]
  return issue?.code === 'custom' ? issue.params?.type : issue?.code
}

it.each([
  'Portão',
  'Joa\u0303o',
  "Sant'Ana & Filhos – 2º piso (№ 3) €",
  'Ñandú Łódź Ωmega Владимир',
  'مدخل הכניסה 正门',
  'Việt Nam',
  'a\u00a0b',
  '👍🏽 ❤️ 👨‍👩‍👧‍👦 🏳️‍🌈 🇧🇷 1️⃣',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🧑🏿‍🚒',
])('takes %s', (texto) => {
  expect(textoCurto(60).parse(texto)).toBe(texto)
})

it.each([
  ['a control character', 'a\u0007b'],
  ['a line', 'a\nb'],
  ['a C1 control', 'a\u0085b'],
  ['right-to-left override', 'cam\u202egpj.exe'],
  ['an isolate', 'a\u2066b\u2069'],
  ['a direction mark', 'a\u200eb'],
  ['a zero-width space', 'ad\u200bmin'],
  ['a joiner between letters', 'ad\u200dmin'],
  ['a non-joiner', 'ad\u200cmin'],
  ['a byte order mark inside', 'a\ufeffb'],
  ['a soft hyphen', 'ad\u00admin'],
  ['a variation selector after a letter', 'a\ufe0f'],
  ['a filler that is drawn as nothing', 'a\u3164b'],
  ['a blank that is no space', '\u2800'],
  ['a line separator', 'a\u2028b'],
  ['half a surrogate pair', 'a\ud83d'],
  ['tags outside a flag', 'a\u{e0061}\u{e0062}'],
  ['a noncharacter', 'a\uffff'],
])('refuses %s', (_name, texto) => {
  expect(problem(texto)).toBe('string_pattern_mismatch')
})

it('counts code points after trimming', () => {
  expect(nome.parse(`  ${'x'.repeat(20)}\u00a0`)).toHaveLength(20)
  expect(nome.parse('😀'.repeat(20))).toHaveLength(40)
  expect(problem('😀'.repeat(21))).toBe('string_too_long')
  expect(problem('x'.repeat(21))).toBe('string_too_long')
  expect(problem(' \u00a0 ')).toBe('too_small')
  expect(z.toJSONSchema(nome)).toMatchObject({ type: 'string', minLength: 1, maxLength: 20 })
})

it('rejects hostile texts in short time', () => {
  for (const piece of ['x', '\u200d', '👨‍', '\u{1f3f4}\u{e0061}', '1\ufe0f']) {
    // Processor time: other processes do not lengthen it.
    const before = process.cpuUsage()
    nome.safeParse(piece.repeat(200_000))
    textoCurto(1_000_000).safeParse(piece.repeat(200_000))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  }
})
