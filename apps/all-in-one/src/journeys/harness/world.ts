import { openBrowser } from '@vigia/testing/browser'
import { type Installation, OPERATOR, startInstallation } from '@vigia/testing/installation'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import type { Browser } from 'playwright-core'
import { createAccount } from './accounts.ts'
import { HOSTILE } from './hostile.ts'
import type { Account, Login } from './journey.ts'

/** One running installation, a recorder and a browser, for all journeys of a run. */
export interface World {
  readonly vigia: Installation
  readonly operator: Login
  readonly recorder: RecorderProcess
  readonly browser: Browser
  /** Resolves with the same Empresa each time, as soon as its camera has a confirmed alert. */
  withAlerta(): Promise<Account>
  close(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const [vigia, recorder, browser] = await Promise.all([
    startInstallation({
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8',
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
      VIGIA_VARREDURA: '0',
      // Port 1: nobody listens.
      VIGIA_VLM_URL: 'http://127.0.0.1:1/v1',
      VIGIA_VLM_MODELO: 'modelo-de-teste',
    }),
    startRecorder(),
    openBrowser(),
  ])
  const operator = { username: OPERATOR.username, api: await vigia.signIn() }
  let guarded: Promise<Account> | null = null
  const guard = async () => {
    const account = await createAccount(operator.api)
    await account.admin.api.call('POST', '/cameras', {
      nome: `Campus ${HOSTILE}`,
      rtsp_url: recorder.url(1),
      sub_rtsp_url: recorder.url(1, 'sub'),
    })
    return account
  }
  return {
    vigia,
    operator,
    recorder,
    browser,
    async withAlerta() {
      guarded ??= guard()
      const account = await guarded
      const confirmed = () => account.admin.api.get<unknown[]>('/events?veredito=confirmado&limit=1')
      await waitFor('a confirmed alert', async () => (await confirmed()).length > 0, { timeoutMs: 120_000 })
      return account
    },
    async close() {
      await browser.close()
      await vigia.close()
      await recorder.close()
    },
  }
}
