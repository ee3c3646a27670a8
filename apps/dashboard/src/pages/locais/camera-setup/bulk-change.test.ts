import type { Camera } from '@vigia/contracts/cameras'
import { expect, it } from 'vitest'
import { type BulkAction, bulkChanges, eachAtMost } from './bulk-change.ts'

const camera = (over: Partial<Camera>) =>
  ({ id: 1, eventos_habilitados: ['invasao'], config_ia: {}, agenda: {}, ...over }) as Camera
const night = { inicio: 22, fim: 6, dias: [] }
const one = (of: Camera, action: BulkAction) => bulkChanges([of], action)[0]

it('IAs are switched on and off without touching the others', () => {
  const action = { kind: 'ias', liga: ['fogo'], desliga: ['invasao'] } as const
  const mixed = camera({ eventos_habilitados: ['invasao', 'epi'] })
  expect(one(mixed, action)?.patch).toEqual({ eventos_habilitados: ['epi', 'fogo'] })
  expect(one(mixed, action)?.changes.map(({ kind, ia }) => `${kind} ${ia}`)).toEqual(['desliga invasao', 'liga fogo'])
  expect(one(camera({ eventos_habilitados: ['fogo'] }), action)?.changes).toEqual([])
})

it('an Agenda applies to one IA, or to each enabled one, and keeps the entries of the others', () => {
  const both = camera({ eventos_habilitados: ['invasao', 'epi'], agenda: { fogo: night } })
  expect(one(both, { kind: 'agenda', ia: 'epi', janela: night })?.patch).toEqual({
    agenda: { fogo: night, epi: night },
  })
  expect(one(both, { kind: 'agenda', ia: null, janela: night })?.patch).toEqual({
    agenda: { fogo: night, invasao: night, epi: night },
  })
  expect(one(both, { kind: 'agenda', ia: null, janela: null })?.changes).toEqual([])
  expect(both.agenda).toEqual({ fogo: night })
})

it('a Perfil leaves a camera alone that already has it', () => {
  const action = { kind: 'perfil', nome: 'comercio', placas: new Set<number>() } as const
  const before = camera({})
  const patch = one(before, action)?.patch
  expect(one(before, action)?.changes.length).toBeGreaterThan(0)
  expect(one({ ...before, ...patch } as Camera, action)?.changes).toEqual([])
})

it('a Perfil of plates makes only the named cameras read them, and another Perfil changes nothing about plates', () => {
  const reads = (of: Camera, nome: 'condominio' | 'comercio', placas: readonly number[]) =>
    one(of, { kind: 'perfil', nome, placas: new Set(placas) })?.patch.eventos_habilitados?.includes('placa')
  const reading = camera({ eventos_habilitados: ['placa'] })
  expect([reads(camera({}), 'condominio', [1]), reads(camera({}), 'condominio', [2])]).toEqual([true, false])
  expect([reads(reading, 'condominio', []), reads(reading, 'comercio', [])]).toEqual([false, true])
})

it('work runs for every item, and never for more than the width at a time', async () => {
  let [running, most] = [0, 0]
  const done: number[] = []
  await eachAtMost([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    done.push(item)
  })
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(most).toBe(3)
})
