import { openBrowser } from '@vigia/testing/browser'
import { freePort } from '@vigia/testing/free-port'
import { type Installation, OPERATOR, startInstallation } from '@vigia/testing/installation'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import type { Browser } from 'playwright-core'
import { createAccount } from './accounts.ts'
import { HOSTILE } from './hostile.ts'
import type { Account, Login } from './journey.ts'
import { passThrough } from './pass-through.ts'

/** One running installation, a recorder and a browser, for all journeys of a run. */
export interface World {
  readonly vigia: Installation
  readonly operator: Login
  readonly recorder: RecorderProcess
  /** Port of the recorder's ONVIF service. Its channels move. */
  readonly onvifPorta: number
  readonly browser: Browser
  /** A browser that can show notifications. The first call starts it. */
  notifier(): Promise<Browser>
  /** Resolves with the same Empresa each time, as soon as its camera has a confirmed alert. */
  withAlerta(): Promise<Account>
  /** Resolves with the same Empresa each time. The first call plays a car to its camera. */
  withPassagem(): Promise<Account>
  close(): Promise<void>
}

/** `packaged`: the browser is that of a machine without Debian's Chromium. */
export async function startWorld({ packaged = false } = {}): Promise<World> {
  const [onvifPorta, listaPorta] = await Promise.all([freePort(), freePort()])
  const [vigia, recorder, browser] = await Promise.all([
    startInstallation({
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8',
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
      VIGIA_VARREDURA: '0',
      VIGIA_GRAVADOR_PORTAS: String(listaPorta),
      // Port 1: nobody listens.
      VIGIA_VLM_URL: 'http://127.0.0.1:1/v1',
      VIGIA_VLM_MODELO: 'modelo-de-teste',
    }),
    startRecorder({
      argumentos: ['--onvif', String(onvifPorta), '--ptz', '--audio', 'aac'],
      // Video that gives no picture.
      defeitos: { 3: 'codec_desconhecido' },
      // On a wall clock three hours behind UTC, with a gap that ended 40 minutes ago.
      gravacao: {
        trechos: [
          { inicio: 0, fim: Date.now() - 3 * 3_600_000 },
          { inicio: Date.now() - 40 * 60_000, fim: Date.now() + 86_400_000 },
        ],
        fusoMin: -180,
        lista: { porta: listaPorta },
      },
    }),
    openBrowser({ shell: true, packaged }),
  ])
  const operator = { username: OPERATOR.username, api: await vigia.signIn() }
  let notifier: Promise<Browser> | null = null
  let guarded: Promise<Account> | null = null
  let gate: Promise<Account> | null = null
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
    onvifPorta,
    browser,
    notifier() {
      notifier ??= openBrowser()
      return notifier
    },
    async withAlerta() {
      guarded ??= guard()
      const account = await guarded
      const confirmed = () => account.admin.api.get<unknown[]>('/events?veredito=confirmado&limit=1')
      await waitFor('a confirmed alert', async () => (await confirmed()).length > 0, { timeoutMs: 120_000 })
      return account
    },
    withPassagem() {
      gate ??= passThrough(operator.api)
      return gate
    },
    async close() {
      await Promise.all([browser.close(), notifier?.then((one) => one.close())])
      await vigia.close()
      await recorder.close()
    },
  }
}
