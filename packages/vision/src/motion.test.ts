import { describe, expect, it } from 'vitest'
import { createMotionGate, type Motion, type MotionGate } from './motion.ts'

const WIDTH = 160
const HEIGHT = 90

/** Repeatable noise of ± `amount`. */
function grain(amount: number): () => number {
  let state = 99
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return (state / 2147483648 - 0.5) * 2 * amount
  }
}

interface Scene {
  readonly light?: number
  readonly noise?: () => number
  /** Left edge and top of a "person" of 8 x 24 pixels. */
  readonly person?: readonly [number, number]
}

function frame({ light = 0, noise = () => 0, person }: Scene): Uint8Array {
  const gray = new Uint8Array(WIDTH * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const inside = person && x >= person[0] && x < person[0] + 8 && y >= person[1] && y < person[1] + 24
      const value = (inside ? 30 : 100 + ((x * 7 + y * 3) % 40)) + light + noise()
      gray[y * WIDTH + x] = Math.max(0, Math.min(255, Math.round(value)))
    }
  }
  return gray
}

/** Feeds `count` frames at 5 a second from `fromMs` on; returns the last result. */
function show(gate: MotionGate, count: number, fromMs: number, scene: (index: number) => Scene): Motion[] {
  return Array.from({ length: count }, (_, index) =>
    gate.update(frame(scene(index)), WIDTH, HEIGHT, fromMs + index * 200),
  )
}

const box = (x: number, y: number) => ({ x: x / WIDTH, y: y / HEIGHT, w: 8 / WIDTH, h: 24 / HEIGHT })

describe('createMotionGate', () => {
  it('opens for the first frame, without a background, and reports no motion', () => {
    const motion = createMotionGate().update(frame({ person: [20, 30] }), WIDTH, HEIGHT, 0)
    expect(motion).toMatchObject({ active: true, moved: 0, global: false })
    expect(motion.overlap(box(20, 30))).toBe(0)
  })

  it('stays closed over a still picture with sensor noise', () => {
    const noise = grain(8)
    const motions = show(createMotionGate(), 100, 0, () => ({ noise }))
    expect(motions.slice(1).filter((motion) => motion.active || motion.moved > 0)).toEqual([])
  })

  it('opens for a walking person and reports the region', () => {
    const gate = createMotionGate()
    show(gate, 10, 0, () => ({}))
    const motions = show(gate, 20, 2000, (index) => ({ person: [20 + index * 4, 40] }))
    expect(motions.every((motion) => motion.active)).toBe(true)
    expect(motions.every((motion, index) => motion.overlap(box(20 + index * 4, 40)) > 0.5)).toBe(true)
    expect(motions.every((motion) => motion.overlap({ x: 0, y: 0, w: 1, h: 0.2 }) === 0)).toBe(true)
  })

  it('stays open for holdMs after the last motion, then closes', () => {
    const gate = createMotionGate({ holdMs: 1000 })
    show(gate, 10, 0, () => ({}))
    show(gate, 3, 2000, (index) => ({ person: [20 + index * 4, 40] }))
    const after = show(gate, 8, 2600, () => ({}))
    expect(after.map((motion) => motion.active)).toEqual([true, true, true, true, true, false, false, false])
  })

  it('ignores a slow change of light', () => {
    const motions = show(createMotionGate(), 100, 0, (index) => ({ light: index * 0.8 }))
    expect(motions.slice(1).some((motion) => motion.active)).toBe(false)
  })

  it('compensates a jump of brightness and still detects a moving person', () => {
    const gate = createMotionGate()
    show(gate, 10, 0, () => ({}))
    const [still] = show(gate, 1, 2000, () => ({ light: 40 }))
    expect(still).toMatchObject({ moved: 0, global: false })
    const [walking] = show(gate, 1, 2200, () => ({ light: 40, person: [60, 40] }))
    expect(walking?.overlap(box(60, 40))).toBeGreaterThan(0.5)
  })

  it('reports a new scene as a global change without regions and learns it at once', () => {
    const gate = createMotionGate({ holdMs: 0 })
    show(gate, 10, 0, () => ({}))
    const other = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) => (index * 89) % 256)
    const changed = gate.update(other, WIDTH, HEIGHT, 2000)
    expect(changed).toMatchObject({ active: true, global: true })
    expect(changed.overlap(box(20, 30))).toBe(0)
    expect(gate.update(other, WIDTH, HEIGHT, 2200)).toMatchObject({ active: false, moved: 0 })
  })

  it('absorbs permanent motion such as a burnt-in clock', () => {
    const gate = createMotionGate({ holdMs: 0 })
    const clock = (index: number): Scene => (index % 10 < 5 ? { person: [4, 4] } : {})
    const motions = show(gate, 600, 0, clock)
    expect(motions.slice(10, 30).some((motion) => motion.active)).toBe(true)
    expect(motions.slice(450).some((motion) => motion.active)).toBe(false)
  })

  it('restarts when the size changes, time goes back or the stream pauses', () => {
    const gate = createMotionGate({ holdMs: 0 })
    show(gate, 5, 20_000, () => ({}))
    expect(gate.update(frame({ person: [20, 30] }), WIDTH, HEIGHT, 100)).toMatchObject({ active: true, moved: 0 })
    expect(gate.update(frame({}), WIDTH, HEIGHT, 30_000)).toMatchObject({ active: true, moved: 0 })
    expect(gate.update(new Uint8Array(80 * 45), 80, 45, 30_200)).toMatchObject({ active: true, moved: 0 })
  })

  it('rejects a buffer of the wrong size', () => {
    expect(() => createMotionGate().update(new Uint8Array(10), WIDTH, HEIGHT, 0)).toThrow(RangeError)
  })
})
