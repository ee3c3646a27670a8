import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Adds a camera by its address, finds it in both forms of the list, edits it on its page, and removes it. */
export const cameras: Journey = {
  name: 'cameras',
  async run({ page, recorder, account, enter, navigate, step }) {
    const own = await account()
    const nome = `Doca ${HOSTILE}`
    const dialog = page.getByRole('dialog')
    const card = page.getByRole('article', { name: nome })
    await enter(own.admin)
    const main = page.getByRole('main')
    await step('empty list', async () => {
      await navigate('Câmeras')
      await page.getByText('Nenhuma câmera ainda').waitFor()
    })
    await step('first camera by the wizard of a recorder', async () => {
      const offers = main.getByRole('link').or(main.getByRole('button'))
      const names = await offers.allTextContents()
      if (names.join() !== 'Adicionar gravador,Adicionar câmera') throw new Error(`offered: ${names}`)
      const recorders = main.getByRole('link', { name: 'Adicionar gravador' })
      if ((await recorders.getAttribute('data-variant')) === 'default') throw new Error('the wizard comes second')
      await recorders.click()
      await main.getByLabel('Endereço IP ou nome').waitFor()
      await main.getByRole('button', { name: 'Cancelar' }).waitFor()
    })
    await navigate('Câmeras')
    await step('form with a mistake', async () => {
      await page.getByRole('button', { name: 'Adicionar câmera' }).first().click()
      await dialog.getByLabel('Nome', { exact: true }).fill(nome)
      await dialog.getByLabel('Endereço RTSP principal').fill('http://exemplo')
      await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click()
      await dialog.getByText(/^Use um endereço sem espaços/).waitFor()
    })
    await step('camera in the list', async () => {
      await dialog.getByLabel('Endereço RTSP principal').fill(recorder.url(1))
      await dialog.getByLabel('Endereço RTSP secundário (opcional)').fill(recorder.url(1, 'sub'))
      await dialog.getByRole('button', { name: 'Adicionar', exact: true }).click()
      await card.getByText('Online', { exact: true }).waitFor({ timeout: 60_000 })
    })
    await step('picture in the list', async () => {
      await card.locator('img').waitFor()
    })
    await step('search without and with a match', async () => {
      const search = page.getByLabel('Procurar câmera')
      await search.fill('portão')
      await page.getByText('Nenhuma câmera com este filtro.').waitFor()
      await search.fill('doca')
      await card.waitFor()
    })
    await step('table, which this browser keeps', async () => {
      await page.getByText('Tabela', { exact: true }).click()
      await page.getByRole('row').getByRole('link', { name: nome }).waitFor()
      await navigate('Plantão')
      await navigate('Câmeras')
      await page.getByRole('row').getByText('Online', { exact: true }).waitFor()
    })
    await step('live picture', async () => {
      await page.getByText('Imagens', { exact: true }).click()
      await card.getByRole('link', { name: nome }).click()
      await page.getByLabel(/^Vídeo ao vivo da câmera/).waitFor()
    })
    await step('edited name', async () => {
      await page.getByRole('button', { name: 'Editar câmera' }).click()
      await dialog.getByLabel('Nome', { exact: true }).fill('Doca de carga')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('heading', { level: 1, name: 'Doca de carga' }).waitFor()
    })
    await step('camera switched off and on', async () => {
      await page.getByRole('switch', { name: 'Ligada' }).click()
      await page.getByText('Desativada', { exact: true }).waitFor()
      await page.getByRole('switch', { name: 'Ligada' }).click()
      await page.getByText('Online', { exact: true }).waitFor({ timeout: 60_000 })
    })
    await step('history', async () => {
      await page.getByRole('link', { name: 'Prova e saúde', exact: true }).click()
      await page.getByText('Não falta nenhum evento desta câmera.').waitFor()
    })
    await step('removed camera', async () => {
      await page.getByRole('button', { name: 'Remover câmera' }).click()
      await dialog.getByRole('button', { name: 'Remover câmera' }).click()
      await page.getByText('Nenhuma câmera ainda').waitFor()
    })
  },
}
