/** What one login showed. `unclear`: neither, as a recorder that is out of connections says no to anybody. */
export type LoginResult = 'right' | 'wrong' | 'unclear' | 'unanswered'

/**
 * Makes sure that a wrong password costs one failed login, as makers lock an address out after a few of them: logins go one at
 * a time until it is known what the password is worth.
 */
export interface LoginGate {
  /** Runs one login in its turn; null: not run, as the password is wrong or too much was tried already. */
  pass<T>(login: () => Promise<T>, judge: (outcome: T) => LoginResult): Promise<T | null>
  readonly verdict: 'right' | 'wrong' | 'unknown'
}

/** Logins that may end unclear. Recorders lock out after five to seven failures, and others try, too. */
const MAX_UNCLEAR = 3

/** `trust`: whether one success opens the gate for good (one device with one list of users). */
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
      // The next one's turn comes however this one ends.
      turn = mine.catch(() => undefined)
      return mine
    },
    get verdict() {
      return verdict
    },
  }
}
