import { describe, expect, it } from 'vitest'
import type { Ledger, StoredEvent, StoredGap } from '../../src/counting/ledger-store.ts'
import { shareDrops } from './drops.ts'
import { isClean, judge, summary } from './verdict.ts'

const event = (k: number, more: Partial<StoredEvent> = {}): StoredEvent => ({
  cameraId: 1,
  seq: k,
  k,
  picture: 'kept',
  ...more,
})
const gap = (from: number, to: number, reason = 'cota_de_disco'): StoredGap => ({ cameraId: 1, from, to, reason })
const ledger = (k: number, events: StoredEvent[], gaps: StoredGap[] = []): Ledger => ({
  produced: [{ cameraId: 1, k }],
  waiting: 0,
  events,
  gaps,
  evidence: { stored: 4, missing: 0 },
  discards: 2,
  extrasWaiting: 0,
  clipsAwaited: 0,
  clipsLost: 0,
})
const clean = { lost: 0, duplicated: 0, misordered: 0, unrecordedGaps: 0, clipsLost: 0 }

describe('the verdict on a run', () => {
  it('passes when every event is stored, or dropped and recorded', () => {
    const verdict = judge(ledger(5, [event(1), event(2, { picture: 'dropped' }), event(5)], [gap(3, 4)]))
    expect(verdict).toEqual({
      produced: 5,
      stored: 3,
      ...clean,
      droppedEvents: 2,
      droppedPictures: 1,
      evidence: 4,
      discards: 2,
      extrasWaiting: 0,
    })
    expect(isClean(verdict)).toBe(true)
    expect(summary(verdict, 10, 7, shareDrops([], [], { produced: 5, recorded: 2 }))).toBe(
      'produced=5 stored=3 lost=0 duplicated=0 misordered=0 unrecorded_gaps=0 evidence=4 rounds=10 seed=7 ' +
        'clips_lost=0 dropped=40.0% (otherwise 40.0%)',
    )
  })

  it.each([
    ['an event without a record', ledger(3, [event(1), event(3)]), { lost: 1, unrecordedGaps: 1 }],
    ['a missing newest event', ledger(2, [event(1)]), { lost: 1, unrecordedGaps: 1 }],
    ['a jump that only the cloud recorded', ledger(2, [event(2)], [gap(1, 1, 'salto_de_sequencia')]), { lost: 1 }],
    ['an event that never arrived', ledger(2, [event(2)], [gap(1, 1, 'a_caminho')]), { lost: 1, unrecordedGaps: 1 }],
    ['a lost picture', ledger(1, [event(1, { picture: 'missing' })]), { lost: 1 }],
    ['a lost further picture', { ...ledger(1, [event(1)]), evidence: { stored: 1, missing: 1 } }, { lost: 1 }],
    ['an event without a clip and without a reason', { ...ledger(1, [event(1)]), clipsLost: 1 }, { clipsLost: 1 }],
    ['an event that is stored twice', ledger(2, [event(1), event(2), event(2)]), { duplicated: 1 }],
    ['two events in the wrong order', ledger(2, [event(2), event(1)]), { misordered: 1 }],
    ['an event with a wrong number', ledger(2, [event(1), event(2, { seq: 3 })]), { misordered: 1 }],
    ['an event of a camera without a source', ledger(1, [event(1), event(1, { cameraId: 2 })]), { duplicated: 1 }],
  ])('reports %s', (_, given, wrong) => {
    const verdict = judge(given)
    expect(verdict).toMatchObject({ ...clean, ...wrong })
    expect(isClean(verdict)).toBe(false)
  })

  it('throws while records are undelivered', () => {
    expect(() => judge({ ...ledger(1, []), waiting: 1 })).toThrow('never delivered')
  })
})
