import { expect, it } from 'vitest'
import { parseRange } from './byte-range.ts'

it.each([
  [undefined, null],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['bytes=8-', { first: 8, last: 9 }],
  ['bytes=8-99', { first: 8, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['bytes=10-', 'fora'],
  ['bytes=-0', 'fora'],
  ['bytes=5-2', null],
  ['bytes=0-1,3-4', null],
  ['bytes=-', null],
  ['items=0-1', null],
  ['bytes=a-b', null],
])('reads %j of ten bytes', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range)
})
