import { setImmediate } from 'node:timers/promises'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import type { Login } from '../../../http/caller.ts'
import { createSessionMonitor } from './session-monitor.ts'

const login: Login = {
  usuarioId: 1,
  username: 'ana',
  papel: 'usuario',
  empresaId: 7,
  alcance: [7, 8],
  escopo: new Set([7, 8]),
  placasOcultas: new Set<number>(),
  efeitos: new Set<never>(),
}

/** Monitors sessions by token; `logins` holds the present result of each check. */
function monitorOf(logins: Map<string, Login | null | Error>) {
  const asked: string[] = []
  const changed: string[] = []
  const monitor = createSessionMonitor(async (token) => {
    asked.push(token)
    const result = logins.get(token) ?? null
    if (result instanceof Error) throw result
    return result
  }, 1)
  const watch = (token: string) => monitor.watch({ token, login, changed: () => changed.push(token) })
  return { asked, changed, watch }
}

it.each([
  ['ended', null],
  ['has another role', { ...login, papel: 'vigilante' }],
  ['hides plates now', { ...login, placasOcultas: new Set([7]) }],
  ['lost an Empresa', { ...login, escopo: new Set([7]) }],
  ['has another Empresa', { ...login, escopo: new Set([7, 9]) }],
  ['has every Empresa', { ...login, escopo: 'tudo' }],
  ['could not be checked', new Error('disk')],
] as const)('reports a session that %s, and no other', async (_, result) => {
  const { asked, changed, watch } = monitorOf(
    new Map<string, Login | null | Error>([
      ['same', { ...login, escopo: new Set([8, 7]) }],
      ['other', result],
    ]),
  )
  const stops = [watch('same'), watch('other')]
  await waitFor('three checks', () => asked.filter((token) => token === 'same').length >= 3, { everyMs: 1 })
  for (const stop of stops) stop()
  expect(changed).toContain('other')
  expect(changed).not.toContain('same')
})

it('begins all checks in one turn of the event loop', async () => {
  const tokens = ['a', 'b', 'c', 'd']
  const counts: number[] = []
  let asked = 0
  const monitor = createSessionMonitor(async () => {
    if (asked === 0) void setImmediate().then(() => counts.push(asked))
    asked += 1
    return login
  }, 20)
  const stops = tokens.map((token) => monitor.watch({ token, login, changed: () => {} }))
  await waitFor('the first checks', () => counts.length === 1, { everyMs: 1 })
  for (const stop of stops) stop()
  expect(counts).toEqual([tokens.length])
})

it('has no timer without a stream, and checks a later one', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { asked, watch } = monitorOf(new Map([['a', login]]))
  const before = timers()
  const stop = watch('a')
  expect(timers()).toBe(before + 1)
  stop()
  expect(timers()).toBe(before)
  const again = watch('a')
  await waitFor('a check', () => asked.length > 0, { everyMs: 1 })
  again()
})
