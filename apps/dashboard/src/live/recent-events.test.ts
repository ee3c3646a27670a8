import { describe, expect, it } from 'vitest'
import { fixtureEvento, fixtureVeredito } from '../alertas/evento-fixture.ts'
import { createRecentEvents } from './recent-events.ts'

const confirmed = fixtureEvento({ veredito: fixtureVeredito('confirmado') })

describe('events that the stream brought', () => {
  it('calls a confirmed event news once, also when it is replayed', () => {
    const recent = createRecentEvents()
    expect(recent.add(fixtureEvento(), 100)).toBe(false)
    expect(recent.add(confirmed, 200)).toBe(true)
    expect(recent.add(confirmed, 300)).toBe(false)
    expect(recent.arrivedAt(1)).toBe(100)
  })

  it('never calls a refuted event news', () => {
    expect(createRecentEvents().add(fixtureEvento({ veredito: fixtureVeredito('refutado') }), 1)).toBe(false)
  })

  it('keeps the verdict when a pending version comes after it, and does not call it news again', () => {
    const recent = createRecentEvents()
    recent.add(confirmed, 1)
    recent.add(fixtureEvento(), 2)
    expect(recent.all()).toEqual([confirmed])
    expect(recent.add(confirmed, 3)).toBe(false)
  })

  it('forgets the oldest beyond its capacity', () => {
    const recent = createRecentEvents()
    for (let id = 1; id <= 500; id++) recent.add(fixtureEvento({ id }), id)
    expect(recent.all()).toHaveLength(200)
    expect(recent.arrivedAt(300)).toBeNull()
    expect(recent.arrivedAt(301)).toBe(301)
  })
})
