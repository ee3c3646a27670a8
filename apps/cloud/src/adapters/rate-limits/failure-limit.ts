import { VigiaError } from '@vigia/contracts/errors'
import type { Counter } from './counter.ts'
import type { FailureLimit } from './interface.ts'
import { networkOf } from './network.ts'

interface FailureCounters {
  /** Failures of one name from one network. */
  readonly pair: Counter
  /** Failures counted beyond the pair, by what `keyOf` says; null: none. */
  readonly wide: { readonly counter: Counter; keyOf(name: string, network: string): string } | null
  /** Pairs that got in lately; null: not remembered. */
  readonly known: Counter | null
}

/**
 * Slows down guessing, without a way to lock others out. Failures of a name count for the network that they come from:
 * the right password still works from anywhere else. All failures of a network count together too, against one guess for
 * each of many names; a name that has lately got in from there is spared that, so that a guesser behind the same address
 * does not lock its colleagues out.
 */
export function createFailureLimit({ pair, wide, known }: FailureCounters): FailureLimit {
  return {
    async guard(name, address, task) {
      const place = networkOf(address)
      const who = `${place} ${name}`
      const spared = known !== null && (await known.exhausted(who)) !== null
      const counted: readonly (readonly [Counter, string])[] =
        wide === null || spared
          ? [[pair, who]]
          : [
              [pair, who],
              [wide.counter, wide.keyOf(name, place)],
            ]
      const requireFree = async () => {
        for (const [counter, key] of counted) requireUse(counter, await counter.exhausted(key))
      }

      await requireFree()
      try {
        const result = await task()
        // Again: a burst of guesses sent at once passed the first check together; past the limit, none learns its result.
        await requireFree()
        await pair.forget(who)
        await known?.exhaust(who)
        return result
      } catch (error) {
        if (!(error instanceof VigiaError) || error.code !== 'nao_autenticado') throw error
        for (const [counter, key] of counted) requireUse(counter, await counter.count(key))
        throw error
      }
    },
  }
}

/** @param waitMs null: there was a use left. @throws VigiaError `muitas_requisicoes`. */
export function requireUse({ budget }: Counter, waitMs: number | null): void {
  if (waitMs !== null) throw new VigiaError('muitas_requisicoes', { detalhe: budget.detalhe, tentarEmS: waitMs / 1000 })
}
