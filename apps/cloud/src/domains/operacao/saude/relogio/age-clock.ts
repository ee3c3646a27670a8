import { type AgeState, stepAges, takenOver } from '../../../../adapters/age-step.ts'
import type { Clock } from '../../../../adapters/clock.ts'
import { listRootIds } from '../../../../db/empresas.ts'
import type { Database } from '../../../../db/open.ts'
import { transact } from '../../../../db/transaction.ts'
import type { Logger } from '../../../../http/request-log.ts'
import { enqueueAviso } from '../../../mensagens/public.ts'
import { confirmHeld, judgeStamps, listHeld, lockAges, newestStamp, readBoxClocks, saveAges } from './store.ts'
import { CLOCK_TEXT, CLOCK_TITLE } from './texts.ts'

/**
 * The time that every irreversible act by age asks for. It is the lower of the wall clock and of a stored time that
 * runs with the monotonic clock. Before the stored time is known it is 0, so that nothing is old.
 */
export interface AgeClock extends Clock {
  start(): Promise<void>
  stop(): Promise<void>
  /** Moves the stored time on. */
  step(): Promise<void>
  /** Whether the wall clock is in doubt. */
  isDoubtful(): boolean
  /** Whether a deletion by age waits for a confirmation. */
  isHolding(): boolean
  /** Takes over the wall clock and lets held deletions go on, because a person confirmed the time. */
  confirm(tx: Database): Promise<AgeState>
  readonly state: AgeState | null
}

interface AgeClockDeps {
  readonly db: Database
  readonly clock: Clock
  /** ms */
  readonly monotonic: () => number
  readonly log: Logger
}

const STEP_MS = 60_000
/** A box reports every few seconds. */
const LINKED_MS = 10 * 60_000
const AGREES_MS = 3_600_000

export function createAgeClock({ db, clock, monotonic, log }: AgeClockDeps): AgeClock {
  let state: AgeState | null = null
  let readAt = 0
  let held = 0
  let timer: NodeJS.Timeout | undefined
  let stepping: Promise<void> = Promise.resolve()

  /** The stored time, moved on by the monotonic clock. */
  const running = (): number => (state === null ? 0 : state.time + (monotonic() - readAt))

  function keep(next: AgeState): void {
    state = next
    readAt = monotonic()
  }

  async function step(): Promise<void> {
    const next = await transact(db, async (tx) => {
      const wall = clock.now()
      const stored = await lockAges(tx)
      const before = stored ?? takenOver((await newestStamp(tx)) ?? wall, null)
      // Another process may have moved it on, or taken over a wall clock that was set back.
      const elapsedMs = Math.max(0, Math.min(monotonic() - readAt, running() - before.time))
      const boxes = await readBoxClocks(tx, before.time + elapsedMs - LINKED_MS, AGREES_MS)
      const after = stepAges(before, { elapsedMs: state === null ? 0 : elapsedMs, wall, boxes })
      await saveAges(tx, after)
      await judgeStamps(tx, wall, after, after.time - before.time - elapsedMs)
      if (after.duvidaDesde !== null && after.duvidaDesde !== before.duvidaDesde) await report(tx, after.duvidaDesde)
      return after
    })
    if (next.duvidaDesde !== null && state?.duvidaDesde !== next.duvidaDesde)
      log.error({ desvio_ms: next.desvioMs }, 'the clock of this machine is in doubt: deletions by age wait')
    keep(next)
    held = (await listHeld(db)).length
  }

  async function report(tx: Database, desde: number): Promise<void> {
    for (const empresaId of await listRootIds(tx)) {
      const aviso = { titulo: CLOCK_TITLE, texto: CLOCK_TEXT, desde: Math.round(desde) }
      await enqueueAviso(tx, { tipo: 'relogio.duvidoso', empresaId, ...aviso }, clock.now())
    }
  }

  const planned = (): Promise<void> => {
    stepping = stepping.then(step).catch((err) => log.warn({ err }, 'time of ages not moved on; will retry'))
    return stepping
  }

  return {
    now: () => Math.floor(Math.min(clock.now(), running())),
    step,
    isDoubtful: () => state?.duvidaDesde != null,
    isHolding: () => held > 0,
    get state() {
      return state
    },
    async confirm(tx) {
      await lockAges(tx)
      const before = running()
      const next = takenOver(clock.now(), null)
      await saveAges(tx, next)
      await judgeStamps(tx, next.time, next, next.time - before)
      await confirmHeld(tx)
      keep(next)
      held = 0
      return next
    },
    async start() {
      await planned()
      timer = setInterval(() => void planned(), STEP_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await stepping
    },
  }
}
