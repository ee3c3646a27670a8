import { describe, expect, it } from 'vitest'
import { fixtureEvento, fixtureVeredito } from '../alertas/evento-fixture.ts'
import { createRecentEventos } from './recent-eventos.ts'

const confirmed = fixtureEvento({ veredito: fixtureVeredito('confirmado') })

describe('events from the stream', () => {
  it('are new once after their confirmation, also when replayed', () => {
    const recent = createRecentEventos()
    expect(recent.add(fixtureEvento(), 100)).toBe(false)
    expect(recent.add(confirmed, 200)).toBe(true)
    expect(recent.add(confirmed, 300)).toBe(false)
    expect(recent.arrivedAt(1)).toBe(100)
  })

  it('are never new when refuted', () => {
    expect(createRecentEventos().add(fixtureEvento({ veredito: fixtureVeredito('refutado') }), 1)).toBe(false)
  })

  it('keep their verdict when a pending version follows, and are not new again', () => {
    const recent = createRecentEventos()
    recent.add(confirmed, 1)
    recent.add(fixtureEvento(), 2)
    expect(recent.all()).toEqual([confirmed])
    expect(recent.add(confirmed, 3)).toBe(false)
  })

  it('are dropped from the oldest above the capacity', () => {
    const recent = createRecentEventos()
    for (let id = 1; id <= 500; id++) recent.add(fixtureEvento({ id }), id)
    expect(recent.all()).toHaveLength(200)
    expect(recent.arrivedAt(300)).toBeNull()
    expect(recent.arrivedAt(301)).toBe(301)
  })
})
