import type { EdgeDb } from './db/edge-db.ts'
import type { EdgeAppOptions } from './edge-options.ts'
import { beganAt, type EdgeIdentity } from './link/identity.ts'
import { createMachine } from './status/machine.ts'
import { readBoot } from './time/boot.ts'
import { createBootStore } from './time/boot-store.ts'
import { createClockOffset } from './time/clock-offset.ts'
import { createEdgeTime, type TimeState } from './time/edge-time.ts'

interface StartTimeOptions extends Pick<EdgeAppOptions, 'config' | 'log' | 'clocks'> {
  readonly db: EdgeDb
  readonly identity: EdgeIdentity
  onState(state: TimeState): void
}

/** The machine with its clock, that of the cloud beside it, and the time that follows from both. */
export function createClocks({ config, clocks, db, identity, log, onState }: StartTimeOptions) {
  const machine = createMachine(config.dataDir)
  const { boot, now } = clocks ?? { boot: readBoot(), now: Date.now }
  const clock = createClockOffset({ now, monotonic: boot.monotonic })
  const notBefore = beganAt(identity)
  const store = createBootStore(db)
  const time = createEdgeTime({ boot, store, clock, machine: clocks ?? machine, notBefore, now, log, onState })
  return { machine, clock, time, now }
}
