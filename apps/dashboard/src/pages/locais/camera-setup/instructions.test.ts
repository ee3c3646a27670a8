import { cameraPatchSchema } from '@vigia/contracts/cameras'
import { expect, it } from 'vitest'
import { instructionsOf, problemOf, textOf } from './instructions.ts'

it('instructions are lines, and return to the same text', () => {
  expect(instructionsOf('  Ignore o cachorro\r\n\n Portão abre às 7 \n')).toEqual([
    'Ignore o cachorro',
    'Portão abre às 7',
  ])
  expect(textOf(['a', 'b'])).toBe('a\nb')
  expect(instructionsOf('')).toEqual([])
})

it.each([
  [Array.from({ length: 20 }, () => 'x'.repeat(500)), null],
  [Array.from({ length: 21 }, () => 'x'), 'demais'],
  [['x'.repeat(501)], 'longa'],
  [['😀'.repeat(500)], null],
])('the limits are those of the API (%#)', (instrucoes, problem) => {
  expect(problemOf(instrucoes)).toBe(problem)
  expect(cameraPatchSchema.safeParse({ instrucoes }).success).toBe(problem === null)
})
