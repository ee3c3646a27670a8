import { setTimeout as delay } from 'node:timers/promises'
import type { FaultyProxy } from '@vigia/testing/faulty-proxy'
import type { Control, World } from '../../src/counting/world.ts'
import type { CloudDisk } from './cloud-disk.ts'

/** A fault in a round. At its end all programs and lines work again, but records may still wait for delivery. */
export interface Fault {
  readonly name: string
  /** Whether the fault makes the quota drop events. */
  readonly fills?: true
  /** One round never has two faults on the same target. */
  readonly on: 'edge' | 'cloud' | 'broker' | 'edge line' | 'cloud line' | 'both lines' | 'clock' | 'database'
  run(world: World, random: () => number): Promise<void>
}

/** Load of the source between the faults. */
export const everyday = ({ rate }: Pick<World, 'rate'>): Partial<Control> => ({
  rate,
  pictureBytes: 2_000,
  evidenceBytes: 1_000,
  clipBytes: 4_000,
  most: MOST_OF_ROUND,
})
/** Events of a camera in a round. On a slow machine a program is away for minutes, which must not fill the quota. */
const MOST_OF_ROUND = 80
const UNLIMITED = Number.MAX_SAFE_INTEGER
const DAY_MS = 86_400_000

export const between = (random: () => number, low: number, high: number) => Math.round(low + random() * (high - low))

const kill = (name: 'edge' | 'cloud' | 'broker'): Fault => ({
  name: `kill ${name}`,
  on: name,
  run: async ({ installation }, random) => {
    await installation.programs[name].kill()
    await delay(between(random, 0, 300))
    await installation.start(name)
  },
})

/** Shorter than the 30 s of an installation, to keep rounds short. */
const SILENCE_MS = 2_000

/** The cloud keeps its connections without answering, for a moment or until the watchdog kills it. */
const freezeCloud: Fault = {
  name: 'freeze cloud',
  on: 'cloud',
  run: async ({ installation }, random) => {
    const { cloud } = installation.programs
    process.kill(cloud.pid, 'SIGSTOP')
    if (random() < 0.5) {
      await delay(between(random, 200, SILENCE_MS))
      process.kill(cloud.pid, 'SIGCONT')
      return
    }
    await cloud.killWhenSilent(SILENCE_MS)
    await installation.start('cloud')
  },
}

const lineOf = ({ installation: { lines } }: World, side: 'edge' | 'cloud'): FaultyProxy => {
  if (lines === null) throw new Error('the installation has no lines')
  return lines[side]
}

const line = (
  side: 'edge' | 'cloud',
  verb: string,
  run: (line: FaultyProxy, random: () => number) => Promise<void>,
): Fault => ({
  name: `${verb} ${side}`,
  on: `${side} line`,
  run: (world, random) => run(lineOf(world, side), random),
})

const cut = (side: 'edge' | 'cloud') =>
  line(side, 'cut', async (proxy, random) => {
    for (let times = between(random, 1, 3); times > 0; times--) {
      proxy.cut()
      await delay(between(random, 50, 400))
    }
  })

/** Both ends keep the connection open; then the line works again or resets it. */
const halfOpen = (side: 'edge' | 'cloud') =>
  line(side, 'half-open', async (proxy, random) => {
    proxy.set({ frozen: true })
    await delay(between(random, 200, 1_200))
    if (random() < 0.5) proxy.cut()
    proxy.set({ frozen: false })
  })

const bothLines = (name: string, faults: Parameters<FaultyProxy['set']>[0]): Fault => ({
  name,
  on: 'both lines',
  run: async (world, random) => {
    const lines = [lineOf(world, 'edge'), lineOf(world, 'cloud')]
    for (const proxy of lines) proxy.set(faults)
    await delay(between(random, 500, 1_200))
    for (const proxy of lines) proxy.set({ latencyMs: 0, duplicate: 0 })
  },
})

/** More records than the quota arrive while the line is down: pictures are dropped first, then events. */
const fillQuota: Fault = {
  name: 'fill quota',
  fills: true,
  on: 'edge line',
  run: async (world, random) => {
    const proxy = lineOf(world, 'edge')
    proxy.set({ frozen: true })
    const load = random() < 0.5 ? { rate: 100, pictureBytes: 12_000 } : { rate: 500, pictureBytes: 0 }
    await world.control({ ...load, most: UNLIMITED })
    await delay(between(random, 700, 1_300))
    await world.control(everyday(world))
    proxy.set({ frozen: false })
  },
}

const jumpClock: Fault = {
  name: 'jump clock',
  on: 'clock',
  run: async (world, random) => {
    await world.control({ clockMs: between(random, -DAY_MS, DAY_MS) })
    await delay(between(random, 100, 600))
    if (random() < 0.5) await world.control({ clockMs: 0 })
  },
}

/**
 * The cloud cannot store records, so that edges keep them. Every second time the cloud is killed and starts on the full
 * disk.
 */
const fullCloudDisk = (disk: CloudDisk): Fault => ({
  name: 'full cloud disk',
  fills: true,
  on: 'cloud',
  run: async ({ installation }, random) => {
    disk.fill()
    try {
      await delay(between(random, 300, 1_200))
      if (random() < 0.5) {
        await installation.programs.cloud.kill()
        await installation.start('cloud')
        await delay(between(random, 300, 1_200))
      }
    } finally {
      disk.free()
    }
  },
})

const everywhere: readonly Fault[] = [
  kill('edge'),
  kill('cloud'),
  kill('broker'),
  freezeCloud,
  cut('edge'),
  cut('cloud'),
  halfOpen('edge'),
  halfOpen('cloud'),
  bothLines('delay', { latencyMs: 80 }),
  bothLines('duplicate', { duplicate: 0.5 }),
  fillQuota,
  jumpClock,
]

/** Faults of a cluster's edge, its line and the broker. */
export const outsideCloud: readonly Fault[] = everywhere.filter(
  ({ name }) => !['kill cloud', 'freeze cloud', 'cut cloud', 'half-open cloud'].includes(name),
)

/** Returns the faults that are possible on this machine. @param disk null: the cloud's disk cannot be filled */
export const possibleFaults = (disk: CloudDisk | null): readonly Fault[] =>
  disk === null ? everywhere : [...everywhere, fullCloudDisk(disk)]

/** Draws one to three faults for a round, each on another target. */
export function draw(faults: readonly Fault[], random: () => number): Fault[] {
  const drawn: Fault[] = []
  for (let count = between(random, 1, 3); count > 0; count--) {
    const fault = faults[Math.floor(random() * faults.length)]
    if (fault && !drawn.some(({ on }) => on === fault.on)) drawn.push(fault)
  }
  return drawn
}
