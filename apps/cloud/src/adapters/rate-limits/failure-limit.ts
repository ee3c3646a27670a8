import { VigiaError } from '@vigia/contracts/errors'
import type { Counter } from './counter.ts'
import type { FailureLimit } from './interface.ts'
import { networkOf } from './network.ts'

interface FailureCounters {
  /** Failures of one name from one network. */
  readonly pair: Counter
  /** Additional counter with the key of `keyOf`; null: none. */
  readonly wide: { readonly counter: Counter; keyOf(name: string, network: string): string } | null
  /** Pairs of name and network with a recent login; null: not recorded. */
  readonly known: Counter | null
}

/**
 * Limits guessing without letting an attacker lock out the owner. Failures of a name count per network: the right
 * password still works from other networks. All failures of a network also count together, against one guess for each
 * of many names. Names with a recent login from the network are exempt, so that an attacker behind the same address
 * does not lock out colleagues.
 */
export function createFailureLimit({ pair, wide, known }: FailureCounters): FailureLimit {
  return {
    async guard(name, address, task) {
      const network = networkOf(address)
      const who = `${network} ${name}`
      const spared = known !== null && (await known.exhausted(who)) !== null
      const counted: readonly (readonly [Counter, string])[] =
        wide === null || spared
          ? [[pair, who]]
          : [
              [pair, who],
              [wide.counter, wide.keyOf(name, network)],
            ]
      const requireFree = async () => {
        for (const [counter, key] of counted) requireUse(counter, await counter.exhausted(key))
      }

      await requireFree()
      try {
        const result = await task()
        // The limit is checked again, because a burst of concurrent attempts passes the first check. Above the limit no
        // attempt gets its result.
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

/** @param waitMs null: a use was left. @throws VigiaError `muitas_requisicoes` */
export function requireUse({ budget }: Counter, waitMs: number | null): void {
  if (waitMs !== null) throw new VigiaError('muitas_requisicoes', { detalhe: budget.detalhe, tentarEmS: waitMs / 1000 })
}
