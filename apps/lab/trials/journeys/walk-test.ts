import { openAlertStream } from '@vigia/testing/alert-stream'
import type { Api } from '@vigia/testing/api'
import type { Page } from 'playwright-core'
import { HOSTILE } from './harness/hostile.ts'

interface Walked {
  readonly page: Page
  step(name: string, work: () => Promise<void>): Promise<void>
  tab(area: string, part?: string): Promise<void>
  /** Another session, which has the camera in its reach. */
  readonly guard: Api
}

/** A walk test that a person ends and stores, and one that ends by itself at the screen of another session. */
export async function walkTest({ page, step, tab, guard }: Walked): Promise<void> {
  const begin = () => page.getByRole('button', { name: 'Começar a prova' }).click()
  const marked = () => page.getByText(/^A câmera marcou: /).waitFor({ timeout: 60_000 })
  await step('running walk test', async () => {
    await tab('Prova e saúde', 'Prova')
    await begin()
    await marked()
  })
  await step('stored walk test', async () => {
    await page.getByRole('button', { name: 'Terminar' }).click()
    await page.getByLabel('Observação').fill(`Portão ${HOSTILE.slice(0, 60)}`)
    const end = /^(Detectado, ninguém estava olhando|Visto em outra tela|Enviado a um navegador inscrito)\.$/
    await page.getByRole('status').getByText(end).waitFor()
    await page.getByRole('button', { name: 'Guardar prova' }).click()
    await page.getByRole('list', { name: 'Provas guardadas' }).getByRole('listitem').getByText(end).waitFor()
  })
  await step('walk test that ends at another screen', async () => {
    const stream = await openAlertStream(guard)
    await begin()
    await page.getByRole('status').getByText('Visto em outra tela.').waitFor({ timeout: 180_000 })
    stream.close()
    await page.getByRole('button', { name: 'Guardar prova' }).click()
    await page.getByRole('listitem').getByText('Visto em outra tela.').waitFor()
  })
}
