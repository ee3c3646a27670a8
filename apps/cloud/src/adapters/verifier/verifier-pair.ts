import { createDecodingProcess, type DecodingProcess, type DecodingProcessOptions } from '../decoding-process.ts'
import { createHungCandidates } from './hung-candidates.ts'
import type { FalhaVerificacao } from './interface.ts'

/** A request without an answer for this time no longer delays the following ones. */
export const TAKEOVER_MS = 2_000
/** A loaded machine answers late, so that a late request is not given up at once. */
const OVERDUE = 5
export const OVERDUE_MS = OVERDUE * TAKEOVER_MS

/** The process gave no answer about this request in its time, and was ended. */
export class VerifierHung extends Error {
  readonly falha: FalhaVerificacao

  constructor(falha: FalhaVerificacao, cause: unknown) {
    super('verifier gave no answer about one candidate', { cause })
    this.falha = falha
  }
}

/** A process that answers requests, and its stand-in. */
export interface VerifierPair<Request, Reply> {
  /**
   * @param empresaId Empresa that alone pauses when its requests hang; undefined: nobody pauses
   * @throws VerifierHung if the process gave no answer; Error if it ended, or is stopping, or if the Empresa pauses
   */
  ask(request: Request, empresaId: number | undefined): Promise<Reply>
  stop(): Promise<void>
}

interface PairOptions extends Omit<DecodingProcessOptions, 'name'> {
  readonly takeoverMs?: number
}

interface Member<Request, Reply> {
  readonly process: DecodingProcess<Request, Reply>
  /** `late`: it works on a request longer than TAKEOVER_MS; `overdue`: OVERDUE times as long. */
  state: 'free' | 'busy' | 'late' | 'overdue'
  isGivenUp: boolean
}

/**
 * Answers requests one after the other in a process. A late request keeps its process, and a second one takes over. If
 * a request is late there too, the first one is given up once it is overdue. One process remains when no request is
 * late.
 */
export function createVerifierPair<Request extends object, Reply extends object>({
  takeoverMs = TAKEOVER_MS,
  ...options
}: PairOptions): VerifierPair<Request, Reply> {
  const hung = createHungCandidates(() => performance.now())
  const members = Array.from({ length: 2 }, (): Member<Request, Reply> => {
    return {
      process: createDecodingProcess<Request, Reply>({ ...options, name: 'verifier' }),
      state: 'free',
      isGivenUp: false,
    }
  })
  const waiting: ((member: Member<Request, Reply>) => void)[] = []
  /** Served the last request, so that its models are loaded. */
  let warm = members[0]

  function pump(): void {
    if (waiting.length === 0 || members.some(({ state }) => state === 'busy')) return
    const free = members.filter(({ state }) => state === 'free')
    const member = free.find((one) => one === warm) ?? free[0]
    if (!member) return
    member.state = 'busy'
    warm = member
    waiting.shift()?.(member)
  }

  const otherOf = (member: Member<Request, Reply>) => members.find((other) => other !== member)

  function becomeLate(member: Member<Request, Reply>): void {
    member.state = 'late'
    const other = otherOf(member)
    if (other?.state === 'overdue') giveUp(other)
    pump()
  }

  function becomeOverdue(member: Member<Request, Reply>): void {
    member.state = 'overdue'
    const other = otherOf(member)
    if (other?.state === 'late' || other?.state === 'overdue') giveUp(member)
  }

  function giveUp(member: Member<Request, Reply>): void {
    member.isGivenUp = true
    member.process.end()
  }

  function release(member: Member<Request, Reply>): void {
    member.state = 'free'
    pump()
  }

  async function askAt(
    member: Member<Request, Reply>,
    request: Request,
    empresaId: number | undefined,
  ): Promise<Reply> {
    let timers: NodeJS.Timeout[] = []
    member.isGivenUp = false
    const onSent = () => {
      timers = [
        setTimeout(() => becomeLate(member), takeoverMs),
        setTimeout(() => becomeOverdue(member), OVERDUE * takeoverMs),
        setTimeout(() => giveUp(member), options.timeoutMs),
      ]
    }
    try {
      const reply = await member.process.ask(request, onSent)
      hung.answered()
      return reply
    } catch (error) {
      if (!member.isGivenUp) {
        // Its next start may have to wait.
        warm = otherOf(member)
        throw error
      }
      throw new VerifierHung(hung.hung(empresaId), error)
    } finally {
      for (const timer of timers) clearTimeout(timer)
      // The other one has the models by now.
      if (member.state !== 'busy' && member !== warm) member.process.end()
      release(member)
    }
  }

  return {
    async ask(request, empresaId) {
      if (hung.isPaused(empresaId)) throw paused()
      const member = await new Promise<Member<Request, Reply>>((resolve) => {
        waiting.push(resolve)
        pump()
      })
      // A candidate of the same Empresa may have hung while this one waited.
      if (hung.isPaused(empresaId)) {
        release(member)
        throw paused()
      }
      return askAt(member, request, empresaId)
    },
    async stop() {
      await Promise.all(members.map(({ process }) => process.stop()))
    },
  }
}

const paused = (): Error => new Error('paused after candidates of this Empresa that hung')
