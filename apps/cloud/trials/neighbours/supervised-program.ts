import { BEAT_SETTING, START_MS } from '@vigia/runtime/life-sign'
import { type Program, type ProgramOptions, startProgram } from '@vigia/testing/program'

/** As the services of deploy/uma-maquina: `WatchdogSec=30`. */
const SILENCE_MS = 30_000
const BEAT_MS = 1_000

/** A program that is started again when it ends or falls silent, like a service under systemd. */
export interface SupervisedProgram {
  /** Times that it ended by itself or was killed for its silence. */
  restarts(): number
  stop(): Promise<void>
}

/** @param options of a program with a fixed port */
export async function startSupervised(options: ProgramOptions): Promise<SupervisedProgram> {
  const begin = () =>
    startProgram({ ...options, readyMs: START_MS, env: { ...options.env, [BEAT_SETTING]: String(BEAT_MS) } })
  const state = { restarts: 0, stopping: false, program: await begin() }
  const watch = async (program: Program): Promise<void> => {
    await program.killWhenSilent(SILENCE_MS)
    if (state.stopping) return
    state.restarts += 1
    state.program = await begin()
    return watch(state.program)
  }
  const watching = watch(state.program)
  return {
    restarts: () => state.restarts,
    async stop() {
      state.stopping = true
      await state.program.stop()
      await watching
    },
  }
}
