/**
 * Result of one login. `unclear`: neither right nor wrong, because a recorder without free connections refuses every
 * login.
 */
export type LoginResult = 'right' | 'wrong' | 'unclear' | 'unanswered'

/**
 * Limits a wrong password to one failed login, because recorders lock an address out after a few. Logins run one at a
 * time until the password is known to be right or wrong.
 */
export interface LoginGate {
  /** Runs one login in its turn; null: not run, because the password is wrong or the attempts are used up. */
  pass<T>(login: () => Promise<T>, judge: (outcome: T) => LoginResult): Promise<T | null>
  readonly verdict: 'right' | 'wrong' | 'unknown'
}

/** Largest number of unclear logins. Recorders lock out after five to seven failures, and other clients log in too. */
const MAX_UNCLEAR = 3

/** `trust`: whether one success allows all later logins (one device with one list of users). */
export function createLoginGate({ trust }: { readonly trust: boolean }): LoginGate {
  let verdict: LoginGate['verdict'] = 'unknown'
  let unclear = 0
  let turn: Promise<unknown> = Promise.resolve()

  async function inTurn<T>(login: () => Promise<T>, judge: (outcome: T) => LoginResult): Promise<T | null> {
    if (verdict === 'wrong' || unclear >= MAX_UNCLEAR) return null
    const outcome = await login()
    const result = judge(outcome)
    if (result === 'right' || (result === 'wrong' && !(trust && verdict === 'right'))) verdict = result
    else if (result === 'unclear' && verdict !== 'right') unclear++
    return outcome
  }

  return {
    pass(login, judge) {
      if (trust && verdict === 'right') return login()
      const mine = turn.then(() => inTurn(login, judge))
      // The next login runs after any outcome of this one.
      turn = mine.catch(() => undefined)
      return mine
    },
    get verdict() {
      return verdict
    },
  }
}
