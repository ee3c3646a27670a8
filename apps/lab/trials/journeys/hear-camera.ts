import { waitFor } from '@vigia/testing/wait'
import type { Page } from 'playwright-core'

interface CameraPages {
  readonly page: Page
  step(name: string, work: () => Promise<void>): Promise<void>
  tab(name: string): Promise<void>
  expectStored(field: string, expected: unknown): Promise<void>
}

/** Runs in the browser: the element decodes audio and is not muted. */
const isHeard = (element: unknown) => {
  const video = element as { muted: boolean; webkitAudioDecodedByteCount: number }
  return !video.muted && video.webkitAudioDecodedByteCount > 0
}

/** Turns the sound of the open camera on, listens to it, and turns it off. Ends on the page *Privacidade e som*. */
export async function hearCamera({ page, step, tab, expectStored }: CameraPages): Promise<void> {
  await step('sound to turn on', async () => {
    await tab('Privacidade e som')
    await page.getByLabel('Enviar o som da câmera').click()
    await page.getByRole('dialog').getByText('LGPD: o som grava conversas').waitFor()
  })
  await step('sound turned on', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Ligar o som da câmera' }).click()
    await page.locator('#conteudo').getByText('Ligado: o som sai da caixa.').waitFor({ timeout: 60_000 })
  })
  await step('sound that is heard', async () => {
    await tab('Ao vivo')
    await page.getByRole('button', { name: 'Ouvir o som' }).click({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Tirar o som' }).waitFor()
    const video = page.locator('video').first()
    await waitFor('sound that plays', () => video.evaluate(isHeard))
  })
  await step('sound turned off', async () => {
    await tab('Privacidade e som')
    await page.getByLabel('Enviar o som da câmera').click()
    await page.locator('section[aria-labelledby=som]').getByText('Desligado.').waitFor()
    await expectStored('audio', false)
  })
}
