import { expect, it } from 'vitest'
import { NOVA_EMPRESA } from './camera-form.ts'
import { obviousOwner } from './use-owner.ts'

const empresas = [{ id: 3 }, { id: 4 }]
const choice = { own: null, chosen: undefined, empresas, creates: false }

it.each([
  ['the one that the page shows', { ...choice, own: 3, chosen: 4 }, '4'],
  ['else that of the login', { ...choice, own: 3 }, '3'],
  ['else the only one', { ...choice, empresas: [{ id: 4 }] }, '4'],
  ['else a new one, if there is none', { ...choice, empresas: [], creates: true }, NOVA_EMPRESA],
  ['no one of several', choice, ''],
  ['no other one than the demonstration that the page shows', { ...choice, chosen: 9, empresas: [{ id: 4 }] }, ''],
  ['not that of the login while the page shows a demonstration', { ...choice, own: 3, chosen: 9 }, ''],
  ['not that of a login whose list has not its own', { ...choice, own: 7 }, ''],
  ['none before the list is known', { ...choice, own: 3, empresas: undefined }, ''],
])('is %s', (_what, given, expected) => {
  expect(obviousOwner(given)).toBe(expected)
})
