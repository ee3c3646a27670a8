import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import type { RoleVerdict } from './plateau.ts'
import { runSoak } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Compares each program at the end of the run (its last third) with its plateau (the middle third). */
export async function carryOut({ minutes, seed }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const lengthMs = minutes * 60_000
  print(`${minutes} minutes, seed ${seed}`)
  const { roles, flaps, changes, interruptions } = await runSoak(lengthMs, seed, (doneMs) =>
    progress(doneMs / lengthMs, `${Math.round(doneMs / 60_000)} of ${minutes} min`),
  )
  print(`the recorder went away ${flaps.recorder} times, the line ${flaps.line} times`)
  const { reboots, counted, open } = interruptions
  const { size, loss, clock } = changes
  print(`another one rebooted ${reboots} times; turns: ${size} size, ${loss} loss over UDP, ${clock} clock`)
  print(`${counted} interruptions counted for it; without an end: ${open.join(', ') || 'none'}`)
  const areCounted = counted >= reboots && open.length === 0
  return { passed: areCounted && roles.every(({ ok }) => ok), rows: roles.map(rowOf) }
}

const rowOf = ({ role, processes, memory, openFiles, threads, ok }: RoleVerdict) => ({
  program: role,
  growth: ok ? 'ok' : 'GROWS',
  processes,
  plateau_mb: megabytes(memory.plateau),
  end_mb: megabytes(memory.end),
  plateau_files: openFiles.plateau,
  end_files: openFiles.end,
  plateau_threads: threads.plateau,
  end_threads: threads.end,
})

const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2)
