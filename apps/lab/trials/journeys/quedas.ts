import type { Journey } from './harness/journey.ts'

/** Shows the outages of an Empresa as a table: all, the current ones, those of one camera, and the printed page. */
export const quedas: Journey = {
  name: 'quedas',
  async run({ page, account, enter, navigate, step }) {
    const own = await account()
    await enter(own.admin)
    await step('no outage', async () => {
      await navigate('Quedas')
      await page.getByText('Nenhuma queda registrada.').waitFor()
    })
    await step('only the current outages', async () => {
      await page.getByRole('link', { name: 'Fora do ar agora' }).click()
      await page.getByText('Nada fora do ar agora.').waitFor()
    })
    // No device answers there.
    for (const nome of ['Portão', 'Doca'])
      await own.admin.api.call('POST', '/cameras', { nome, rtsp_url: 'rtsp://127.0.0.1:1/1' })
    const table = page.getByRole('table')
    const row = (nome: string) => table.getByRole('rowheader', { name: nome })
    await step('outages as a table', async () => {
      await row('Portão').waitFor()
      await row('Doca').waitFor()
      await table.getByText('Ainda fora do ar').first().waitFor()
    })
    await step('outages of one camera, in the address', async () => {
      const camera = page.getByRole('combobox', { name: 'Câmera' })
      await camera.fill('doca')
      await camera.press('Enter')
      await row('Portão').waitFor({ state: 'detached' })
      await page.reload()
      await row('Doca').waitFor()
      if (!page.url().includes('camera=') || !page.url().includes('abertas=')) throw new Error(`address ${page.url()}`)
    })
    await step('printed outages', async () => {
      await page.getByRole('link', { name: 'Todas' }).click()
      await page.evaluate("dispatchEvent(new Event('beforeprint'))")
      await row('Doca').waitFor()
      await page.evaluate("dispatchEvent(new Event('afterprint'))")
    })
  },
}
