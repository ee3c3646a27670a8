import type { Journey } from './harness/journey.ts'

/** Reads the day of a camera, opens it, and goes to the day before. */
export const linhaDoTempo: Journey = {
  name: 'linha-do-tempo',
  async run({ page, withAlerta, account, enter, navigate, step }) {
    const empty = await account()
    await step('no camera', async () => {
      await enter(empty.admin)
      await navigate('Linha do tempo')
      await page.getByText('Nenhuma câmera', { exact: true }).waitFor()
    })
    const guarded = await withAlerta()
    const cameras = page.getByRole('main').getByRole('list', { name: 'Câmeras', exact: true })
    await step('today', async () => {
      await enter(guarded.admin)
      await navigate('Linha do tempo')
      await cameras
        .getByText(/incidente/)
        .first()
        .waitFor()
    })
    await step('cameras to choose from', async () => {
      await page.getByRole('combobox', { name: 'Câmera', exact: true }).click()
      await page.getByRole('option').nth(1).waitFor()
    })
    await step('one camera', async () => {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(/camera=/)
      await cameras.getByText('Invasão').first().waitFor()
      await page.goBack()
      await navigate('Linha do tempo')
    })
    await step('list of a camera', async () => {
      await cameras.locator('summary').first().click()
      await cameras.getByText('Invasão').first().waitFor()
    })
    await step('incidente of the day', async () => {
      await cameras.getByRole('link').first().click()
      await page.waitForURL(/\/incidentes\/\d+/)
      await page.getByRole('link', { name: 'Exportar' }).waitFor()
      await page.goBack()
      await cameras.locator('summary').first().waitFor()
    })
    await step('day before', async () => {
      await page.getByRole('button', { name: 'Dia anterior' }).click()
      await page.waitForURL(/dia=/)
      await cameras.locator('summary').first().waitFor()
    })
  },
}
