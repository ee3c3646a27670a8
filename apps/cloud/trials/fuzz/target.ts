import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { signIn } from '../../src/test/clients/client.ts'
import { testBanco, writeInstallation } from '../../src/test/clouds/template.ts'
import { ADMIN, createAccount, SENHA, type TestApp } from '../../src/test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../../src/test/records/own-records.ts'

/** A running cloud and its data directory, where the run writes records like another replica. */
export type FuzzTarget = Pick<TestApp, 'url' | 'dataDir' | 'clock' | 'operator' | 'signIn' | 'account' | 'logText'>

export interface StartedTarget extends FuzzTarget {
  stop(): Promise<void>
}

/**
 * Starts a cloud with checked answers in a separate process. In the process of the run it would block the thread while
 * it waits for a transaction of the run, which then could not end.
 */
export async function startTarget(): Promise<StartedTarget> {
  const dataDir = temporaryFolder('vigia-fuzz-')
  await writeInstallation(dataDir)
  const program = await startProgram({
    entry: 'apps/cloud/src/test/checked-cloud.ts',
    readyMs: 120_000,
    env: {
      PORT: '0',
      VIGIA_DATA_DIR: dataDir,
      VIGIA_DRENAGEM_S: '0',
      VIGIA_ADMIN_USERNAME: ADMIN.username,
      VIGIA_ADMIN_PASSWORD: ADMIN.password,
      // No broker listens there.
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      ...(await testBanco(join(dataDir, 'cloud/vigia.db'))),
      ...LOOPBACK_ALLOWED,
    },
  })
  const target = await attachTarget(`http://127.0.0.1:${program.porta}`, dataDir, ADMIN.password)
  return {
    ...target,
    logText: () => program.output(),
    async stop() {
      await program.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * A cloud in a separate process. The run has an operator of its own: its requests sign in as the first one more often
 * than a login may have sessions.
 */
export async function attachTarget(url: string, dataDir: string, operatorPassword: string): Promise<FuzzTarget> {
  const enter = (username: string, password = SENHA) => signIn(url, username, password)
  const first = await enter(ADMIN.username, operatorPassword)
  const login = { username: `operador-${randomUUID()}`, senha: SENHA, papel: 'administrador', empresa_id: null }
  await first.expect(201, 'POST', '/api/v1/usuarios', login)
  const operator = await enter(login.username)
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
