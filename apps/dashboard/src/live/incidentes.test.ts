import { describe, expect, it, vi } from 'vitest'
import { fixtureIncidente } from '../test/incidente-fixture.ts'
import { createIncidentes } from './incidentes.ts'

describe('the known incidentes', () => {
  it('keep the version with the highest number, whatever the order of arrival', () => {
    const incidentes = createIncidentes()
    const second = fixtureIncidente({ versao: 2, eventos: 2 })
    incidentes.put([second], 'stream')
    const listener = vi.fn()
    incidentes.subscribe(listener)
    incidentes.put([fixtureIncidente({ versao: 1 })], 'api')
    expect([incidentes.all().get(1), listener.mock.calls.length]).toEqual([{ incidente: second, live: true }, 0])
    const third = fixtureIncidente({ versao: 3 })
    incidentes.put([third], 'api')
    expect([incidentes.all().get(1), listener.mock.calls.length]).toEqual([{ incidente: third, live: true }, 1])
  })

  it('drop the least recently changed above their limit, and no listener stays', () => {
    const incidentes = createIncidentes()
    const stop = incidentes.subscribe(() => {
      throw new Error('a removed listener')
    })
    stop()
    const list = Array.from({ length: 700 }, (_, index) => fixtureIncidente({ id: index + 1 }))
    incidentes.put(list.slice(0, 600), 'api')
    incidentes.put([fixtureIncidente({ id: 1, versao: 2 })], 'stream')
    incidentes.put(list.slice(600), 'api')
    expect(incidentes.all().size).toBe(600)
    expect([incidentes.all().has(1), incidentes.all().has(2), incidentes.all().has(700)]).toEqual([true, false, true])
  })
})
