import type { CanalCriado, CanalNotificacao } from '@vigia/contracts/notificacoes'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { type Account, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { ORIGIN } from '../../../test/records/attachments.ts'
import { type NotificationServices, startNotificationServices } from '../../../test/stand-ins/notification-services.ts'

const PATH = '/api/v1/notificacoes'
const HINT = 'falta VIGIA_URL_PUBLICA no servidor'
let services: NotificationServices
beforeAll(async () => {
  services = await startNotificationServices()
})
afterAll(() => services.close())

interface Place {
  readonly app: TestApp
  readonly backstage: Backstage
  readonly own: Account
}

async function started(env: Record<string, string>): Promise<Place> {
  const app = await startTestApp({ ...services.env, ...env })
  return { app, backstage: await openBackstage(app), own: await app.account('Padaria') }
}
async function stop({ app, backstage }: Place) {
  await backstage.close()
  await app.stop()
}

/** Texts of two messages of a new canal, in the order of their delivery. */
async function twoTexts({ backstage, own }: Place, canal: object, texts: () => string[]): Promise<string[]> {
  const body = { empresa_id: own.empresaId, agrupar: false, ...canal }
  const { id } = await own.admin.expect<CanalCriado>(201, 'POST', PATH, body)
  for (const count of [1, 2]) {
    const evento = await backstage.event(await backstage.camera(own.empresaId))
    await backstage.verdict(evento, 'confirmado')
    await waitFor(`delivery ${count}`, async () => {
      const { entregas } = await own.admin.expect<CanalNotificacao>(200, 'GET', `${PATH}/${id}`)
      return entregas.entregues === count
    })
  }
  await own.admin.expect(204, 'DELETE', `${PATH}/${id}`)
  return texts()
}
const mailsTo = (address: string) => () =>
  services.smtp.mails.filter(({ to }) => to.includes(address)).map(({ text }) => text)

it('without a public address the first message to people says what is missing, and no later one', async () => {
  const place = await started({})
  const mails = await twoTexts(place, { tipo: 'email', destino: 'sem@exemplo.com.br' }, mailsTo('sem@exemplo.com.br'))
  const chat = await twoTexts(place, { tipo: 'telegram', destino: '-1001' }, () =>
    services.telegram.messages.map(({ fields }) => `${fields.text ?? ''}${fields.caption ?? ''}`),
  )
  const hook = await twoTexts(place, { tipo: 'webhook', destino: `${services.hook.url}/sem` }, () =>
    services.hook.received.map(({ body }) => body),
  )
  await stop(place)
  const hints = (texts: string[]) => texts.map((text) => text.includes(HINT))
  expect([hints(mails), hints(chat)]).toEqual([
    [true, false],
    [true, false],
  ])
  // A program gets `link: null`, and no new field.
  expect(hints(hook)).toEqual([false, false])
  for (const text of hook) expect(text).not.toContain('primeira')
})

it('with a public address no message says so', async () => {
  const place = await started({ VIGIA_URL_PUBLICA: ORIGIN })
  const mails = await twoTexts(place, { tipo: 'email', destino: 'com@exemplo.com.br' }, mailsTo('com@exemplo.com.br'))
  await stop(place)
  expect(mails.map((text) => [text.includes(HINT), text.includes(ORIGIN)])).toEqual([
    [false, true],
    [false, true],
  ])
})
