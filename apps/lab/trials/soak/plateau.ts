import { median } from '@vigia/testing/stats'
import type { Sample } from './processes.ts'

/** A sample of one process with its time since the run began. */
export interface TimedSample extends Sample {
  readonly atMs: number
}

export interface RoleVerdict {
  readonly role: string
  /** Number of processes with this role during the run. */
  readonly processes: number
  readonly memory: Growth
  readonly openFiles: Growth
  readonly threads: Growth
  readonly ok: boolean
}

/** Medians of the middle third of the run (the plateau) and of the last third. */
interface Growth {
  readonly plateau: number
  readonly end: number
}

/** Largest accepted ratio of final memory to its plateau. */
const MEMORY_SHARE = 1.1

/**
 * Compares the use of each role on its plateau and at the end of a run of `lengthMs`; processes of one role are added
 * up.
 */
export function judgeGrowth(samples: readonly TimedSample[], lengthMs: number): RoleVerdict[] {
  const roles = [...new Set(samples.map(({ role }) => role))].sort()
  return roles.map((role) => {
    const own = samples.filter((sample) => sample.role === role)
    const growth = (key: 'memory' | 'openFiles' | 'threads'): Growth => ({
      plateau: medianOfSums(own, key, lengthMs / 3, (2 * lengthMs) / 3),
      end: medianOfSums(own, key, (2 * lengthMs) / 3, Number.POSITIVE_INFINITY),
    })
    const [memory, openFiles, threads] = [growth('memory'), growth('openFiles'), growth('threads')]
    return {
      role,
      processes: new Set(own.map(({ pid }) => pid)).size,
      memory,
      openFiles,
      threads,
      ok:
        memory.end <= memory.plateau * MEMORY_SHARE &&
        openFiles.end <= openFiles.plateau &&
        threads.end <= threads.plateau,
    }
  })
}

function medianOfSums(
  samples: readonly TimedSample[],
  key: 'memory' | 'openFiles' | 'threads',
  fromMs: number,
  toMs: number,
): number {
  const sums = new Map<number, number>()
  for (const sample of samples)
    if (sample.atMs >= fromMs && sample.atMs < toMs) sums.set(sample.atMs, (sums.get(sample.atMs) ?? 0) + sample[key])
  return median([...sums.values()])
}
