import { signIn } from '../test/client.ts'
import { ADMIN, createAccount, SENHA, type TestApp } from '../test/test-app.ts'

/** A running cloud and its data directory, where the run writes records like another replica. */
export type FuzzTarget = Pick<TestApp, 'url' | 'dataDir' | 'clock' | 'operator' | 'signIn' | 'account' | 'logText'>

/** A cloud in a separate process. */
export async function attachTarget(url: string, dataDir: string, operatorPassword: string): Promise<FuzzTarget> {
  const enter = (username: string, password = SENHA) => signIn(url, username, password)
  const operator = await enter(ADMIN.username, operatorPassword)
  return {
    url,
    dataDir,
    clock: { now: Date.now, advance: () => {} },
    operator,
    signIn: enter,
    account: async (nome, by = operator) => {
      const account = await createAccount(enter, nome, by)
      // Its cameras belong to this edge, which never connects, instead of a running one.
      await account.admin.expect(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
      return account
    },
    logText: () => '',
  }
}
