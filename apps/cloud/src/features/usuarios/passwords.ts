import { hash, verify } from '@node-rs/argon2'
import { VigiaError } from '@vigia/contracts/errors'

/** Cost of one hash with argon2id (RFC 9106). */
export interface PasswordCost {
  /** KiB */
  readonly memoryCost: number
  /** Passes over the memory. */
  readonly timeCost: number
  readonly parallelism: number
}

/**
 * The cost that OWASP recommends: 19 MiB, 2 passes. Each run takes tens of milliseconds of a core and its memory, so only a few
 * run at once and the queue behind them is short.
 */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = 2
const WAITING = 100

export interface Passwords {
  /** PHC string. */
  hash(password: string): Promise<string>
  /** With null (no such login) it takes as long as with a stored hash, and is false: time tells nothing of usernames. */
  verify(stored: string | null, password: string): Promise<boolean>
}

/** @param cost lower only in tests; no configuration reaches it */
export function createPasswords(cost: PasswordCost = COST): Passwords {
  const gate = createGate(AT_ONCE, WAITING)
  let dummy: Promise<string> | null = null

  return {
    hash: (password) => gate(() => hash(password, cost)),
    verify: (stored, password) =>
      gate(async () => {
        dummy ??= hash('no login has this password', cost)
        const matches = await verify(stored ?? (await dummy), password)
        return stored !== null && matches
      }),
  }
}

/** Lets `atOnce` tasks run together and `waiting` wait. @throws VigiaError `muitas_requisicoes` beyond that. */
function createGate(atOnce: number, waiting: number) {
  const queue: (() => void)[] = []
  let running = 0

  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting)
        throw new VigiaError('muitas_requisicoes', {
          detalhe: 'Muitas entradas ao mesmo tempo. Aguarde.',
          tentarEmS: 5,
        })
      // Whoever ends hands its place to the one that waits: `running` stays as it is.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running += 1
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
