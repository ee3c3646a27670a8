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
  notifications: true,
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

/** Time limit of one delivery, ms. Chromium loads the icon before it shows a notification. */
const DELIVERY_MS = 5_000

/**
 * Delivers a decrypted push message until its notification is shown, as a push service does. Chromium's own command
 * for it drops messages while the machine is busy, and a notification may be lost there as well.
 */
async function deliver(context: BrowserContext, page: Page, data: string, title: string): Promise<void> {
  const probe = async () => {
    await push(context, data)
    return (await shown(page)).includes(title)
  }
  await waitFor(`the notification ${title}`, probe, { everyMs: 1_000 })
}

/** Rejects with the error of the service worker. A script cannot extend its own event: the promise is read. */
async function push(context: BrowserContext, data: string): Promise<void> {
  await workerOf(context).evaluate(
    async ({ text, limitMs }) => {
      const scope = globalThis as unknown as {
        PushEvent: new (type: string, init: object) => Event
        dispatchEvent(event: Event): void
      }
      const event = new scope.PushEvent('push', { data: text })
      let shown: Promise<unknown> = Promise.reject(new Error('the service worker shows no notification'))
      shown.catch(() => {})
      Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => (shown = promise) })
      scope.dispatchEvent(event)
      const late = (_: unknown, reject: (error: Error) => void) =>
        setTimeout(() => reject(new Error(`no notification within ${limitMs} ms`)), limitMs)
      await Promise.race([shown, new Promise(late)])
    },
    { text: data, limitMs: DELIVERY_MS },
  )
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
