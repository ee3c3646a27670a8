import { newPushBrowser, startPushService } from '@vigia/testing/push-service'
import { waitFor } from '@vigia/testing/wait'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/**
 * Replaces the subscription of the browser, which would need a push service on the internet, by one of a push service
 * on this machine. The rest of the Push API stays.
 */
const injected = ({ endpoint, chaves }: ReturnType<ReturnType<typeof newPushBrowser>['subscription']>) => `
  const KEY = 'journey.subscription'
  const made = (key) => ({
    options: { applicationServerKey: key },
    toJSON: () => (${JSON.stringify({ endpoint, keys: chaves })}),
    unsubscribe: async () => { localStorage.removeItem(KEY); return true },
  })
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    localStorage.setItem(KEY, '1')
    return made(applicationServerKey.buffer)
  }
  PushManager.prototype.getSubscription = async () => (localStorage.getItem(KEY) ? made(new ArrayBuffer(0)) : null)`

/** Subscribes the browser, receives a test message of the cloud in the service worker, and opens its page. */
export const avisos: Journey = {
  name: 'avisos',
  async run({ page, account, enter, navigate, step }) {
    const service = await startPushService()
    try {
      const browser = newPushBrowser(service)
      const context = page.context()
      await page.addInitScript(injected(browser.subscription()))
      const own = await account()
      await enter(own.admin)
      // A headless browser refuses notifications until the test allows them.
      await step('notifications blocked by the browser', async () => {
        await navigate('Minha conta')
        await page.getByText('O navegador bloqueou as notificações deste endereço').waitFor()
      })
      await step('alerts off', async () => {
        await context.grantPermissions(['notifications'])
        await page.reload()
        await page.getByLabel('Avisar de').selectOption('Gravidade média para cima')
      })
      await step('alerts on', async () => {
        await page.getByRole('button', { name: 'Ligar avisos' }).click()
        await page.getByRole('button', { name: 'Mandar um aviso de teste' }).waitFor()
      })
      await step('test message', async () => {
        await page.getByRole('button', { name: 'Mandar um aviso de teste' }).click()
        await page.getByText('Aviso de teste enviado.').waitFor()
      })
      const { chave_publica } = await own.admin.api.get<{ chave_publica: string }>('/push')
      const [push] = service.received
      if (!push) throw new Error('the push service received nothing')
      const aviso = browser.read(push, chave_publica)
      await step('message of the service worker', async () => {
        const titulo = `Fogo: ${HOSTILE}`
        await deliver(context, page, JSON.stringify({ ...aviso, titulo, link: '/quedas' }), titulo)
        await deliver(context, page, 'no JSON', 'Vigia')
      })
      await step('page of the message', async () => {
        await clickNotification(context, `Fogo: ${HOSTILE}`)
        await page.getByRole('heading', { level: 1, name: 'Quedas' }).waitFor()
      })
      await step('alerts off again', async () => {
        await navigate('Minha conta')
        await page.getByRole('button', { name: 'Desligar', exact: true }).click()
        await page.getByRole('button', { name: 'Ligar avisos' }).waitFor()
        const left = await own.admin.api.get<unknown[]>('/me/inscricoes')
        if (left.length > 0) throw new Error('the cloud kept the subscription')
      })
    } finally {
      await service.close()
    }
  },
}

const shown = (page: Page) =>
  page.evaluate<string[]>(`navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((all) => all.map(({ title }) => title))`)

/** Delivers a decrypted push message. Chromium's own command for it drops messages while the machine is busy. */
async function deliver(context: BrowserContext, page: Page, data: string, title: string): Promise<void> {
  await workerOf(context).evaluate(async (text) => {
    const scope = globalThis as unknown as {
      PushEvent: new (type: string, init: object) => Event
      dispatchEvent(event: Event): void
    }
    scope.dispatchEvent(new scope.PushEvent('push', { data: text }))
  }, data)
  await waitFor(`the notification ${title}`, async () => (await shown(page)).includes(title))
}

/** A headless browser shows no notification to click. */
async function clickNotification(context: BrowserContext, title: string): Promise<void> {
  await workerOf(context).evaluate(async (wanted) => {
    const scope = globalThis as unknown as {
      registration: { getNotifications(): Promise<{ title: string }[]> }
      NotificationEvent: new (type: string, init: object) => Event
      dispatchEvent(event: Event): void
    }
    const notification = (await scope.registration.getNotifications()).find(({ title }) => title === wanted)
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
  }, title)
}

function workerOf(context: BrowserContext): Worker {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no service worker')
  return worker
}
