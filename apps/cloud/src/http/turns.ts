import { setImmediate } from 'node:timers'
import { VigiaError } from '@vigia/contracts/errors'

/** Limits the concurrent requests of one Empresa, so that requests of other Empresas are not delayed. */
export interface Turns {
  /**
   * Runs `task` when a turn of `holder` is free, in the order of the calls.
   * @throws VigiaError `muitas_requisicoes` when too many requests of this holder wait already
   */
  run<T>(holder: string, task: () => Promise<T>): Promise<T>
}

export interface TurnLimits {
  /** Concurrent turns of one holder. */
  readonly atOnce: number
  /** Requests of one holder that may wait for a turn. */
  readonly waiting: number
  /**
   * Longest time that a task holds its turn. A slower task, which waits for an edge or a network, continues without a
   * turn.
   */
  readonly turnMs: number
}

/** Limits of one Empresa. */
export const TURNS: TurnLimits = { atOnce: 4, waiting: 256, turnMs: 250 }

/** Limits of all Empresas below a root together. */
export const ROOT_TURNS: TurnLimits = { ...TURNS, atOnce: 8, waiting: 1_024 }

interface Holder {
  taken: number
  readonly queue: (() => void)[]
}

/** Counted per process, because it protects the only thread of the process. */
export function createTurns({ atOnce, waiting, turnMs }: TurnLimits = TURNS): Turns {
  const holders = new Map<string, Holder>()

  function release(name: string, holder: Holder): void {
    const next = holder.queue.shift()
    // The next waiting request inherits the turn, so `taken` stays unchanged. It begins in a later turn of the event
    // loop: a microtask would begin it before the requests of other holders.
    if (next) setImmediate(next)
    else holder.taken -= 1
    if (holder.taken === 0) holders.delete(name)
  }

  async function take(name: string): Promise<() => void> {
    const holder = holders.get(name) ?? { taken: 0, queue: [] }
    holders.set(name, holder)
    if (holder.taken < atOnce) holder.taken += 1
    else {
      if (holder.queue.length >= waiting)
        throw new VigiaError('muitas_requisicoes', {
          detalhe: 'Muitos pedidos desta Empresa ao mesmo tempo. Aguarde um instante e tente outra vez.',
          tentarEmS: 1,
        })
      await new Promise<void>((resolve) => holder.queue.push(resolve))
    }
    let held = true
    return () => {
      if (held) release(name, holder)
      held = false
    }
  }

  return {
    async run(name, task) {
      const giveBack = await take(name)
      const timer = setTimeout(giveBack, turnMs)
      try {
        return await task()
      } finally {
        clearTimeout(timer)
        giveBack()
      }
    },
  }
}
