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
 * The cost recommended by OWASP: 19 MiB, 2 passes. Each run takes tens of milliseconds of CPU time and this memory, so
 * concurrency and queue are limited.
 */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = 2
const WAITING = 100

export interface Passwords {
  /** PHC string. */
  hash(password: string): Promise<string>
  /**
   * null (unknown login): returns false after the same time as for a stored hash, so that the duration reveals no
   * usernames.
   */
  verify(stored: string | null, password: string): Promise<boolean>
}

/** @param cost lower only in tests; not configurable */
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

/**
 * Runs up to `atOnce` tasks concurrently and queues up to `waiting`. @throws VigiaError `muitas_requisicoes` when the
 * queue is full
 */
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
      // A finished task passes its slot to the next one, so `running` stays unchanged.
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
