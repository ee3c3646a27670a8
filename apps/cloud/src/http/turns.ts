import { VigiaError } from '@vigia/contracts/errors'

/** Bounds how many requests of one Empresa run side by side, so that those of another one find the process free. */
export interface Turns {
  /**
   * Runs `task` when a turn of `holder` is free; turns are given in the order of the calls.
   * @throws VigiaError `muitas_requisicoes` when too many requests of this holder wait already
   */
  run<T>(holder: string, task: () => Promise<T>): Promise<T>
}

export interface TurnLimits {
  /** Turns of one holder at a time. */
  readonly atOnce: number
  /** Requests of one holder that may wait for a turn. */
  readonly waiting: number
  /** A task that takes longer waits for an edge or a network: it goes on, but its turn is free again after this time, ms. */
  readonly turnMs: number
}

const DEFAULTS: TurnLimits = { atOnce: 4, waiting: 256, turnMs: 250 }

interface Holder {
  taken: number
  readonly queue: (() => void)[]
}

/** Counted in this process: what it protects is this process's only thread. */
export function createTurns({ atOnce, waiting, turnMs }: TurnLimits = DEFAULTS): Turns {
  const holders = new Map<string, Holder>()

  function release(name: string, holder: Holder): void {
    const next = holder.queue.shift()
    // A request that waited takes the turn over, so the number of turns taken stays.
    if (next) next()
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
