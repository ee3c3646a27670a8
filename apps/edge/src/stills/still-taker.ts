import type { ChildProcess } from 'node:child_process'
import { boundChild, DECODING_CHILD_BYTES } from '@vigia/runtime/process-memory'
import { hasVideoPackage } from '@vigia/video/video-package'
import type { Logger } from 'pino'
import { forkChild } from '../supervisor/fork-child.ts'
import type { StillAnswer, StillRequest } from './protocol.ts'

/** Takes single pictures in a process that runs only while they are needed. */
export interface StillTaker {
  /** Resolves at the latest shortly after the time limit of the request, also when the process crashes. */
  take(request: Omit<StillRequest, 'ticket'>): Promise<Omit<StillAnswer, 'ticket'>>
  stop(): void
}

/** A wizard requests the pictures of a recorder one after another; the native libraries load once for all of them. */
const IDLE_MS = 15_000
/** Time for the start of the process and for its answer after the time limit. */
const GRACE_MS = 4_000
const NO_PICTURE = { still: null, failure: null, detail: null } as const
const NO_VIDEO = { still: null, failure: 'sem_pacote_video', detail: null } as const

export function createStillTaker({ log }: { readonly log: Logger }): StillTaker {
  const waiting = new Map<number, (answer: Omit<StillAnswer, 'ticket'>) => void>()
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let tickets = 0

  function end(): void {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = null
    for (const give of waiting.values()) give(NO_PICTURE)
    waiting.clear()
  }

  function start(): ChildProcess {
    const started = forkChild(new URL('main.ts', import.meta.url))
    boundChild(started, DECODING_CHILD_BYTES, (bytes) => log.error({ bytes }, 'still process above its memory: killed'))
    started.on('message', ({ ticket, ...answer }: StillAnswer) => {
      waiting.get(ticket)?.(answer)
      waiting.delete(ticket)
    })
    started.on('error', (err) => log.error({ err }, 'still process'))
    started.on('close', (code, signal) => {
      if (child !== started) return
      log.warn({ code, signal }, 'still process ended')
      end()
    })
    return started
  }

  return {
    async take(request) {
      if (!hasVideoPackage()) return NO_VIDEO
      clearTimeout(idle)
      child ??= start()
      tickets += 1
      const ticket = tickets
      const { promise, resolve } = Promise.withResolvers<Omit<StillAnswer, 'ticket'>>()
      waiting.set(ticket, resolve)
      child.send(
        { ticket, ...request } satisfies StillRequest,
        (err) => err && log.debug({ err }, 'still not requested'),
      )
      // A process that does not answer hangs in native code.
      const hung = setTimeout(end, request.timeoutMs + GRACE_MS)
      const answer = await promise
      clearTimeout(hung)
      if (waiting.size === 0) idle = setTimeout(end, IDLE_MS).unref()
      return answer
    },
    stop: end,
  }
}
