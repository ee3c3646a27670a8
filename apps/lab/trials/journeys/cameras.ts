import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Adds a camera by its address, edits it, shows its live picture, and removes it. */
export const cameras: Journey = {
  name: 'cameras',
  async run({ page, recorder, account, enter, navigate, step }) {
    const own = await account()
    const nome = `Doca ${HOSTILE}`
    const dialog = page.getByRole('dialog')
    const card = page.getByRole('article', { name: nome })
    await enter(own.admin)
    await step('empty list', async () => {
      await navigate('Câmeras')
      await page.getByText('Nenhuma câmera ainda').waitFor()
    })
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
    await step('live picture', async () => {
      await card.getByRole('button', { name: /^Ao vivo/ }).click()
      await dialog.getByLabel(/^Vídeo ao vivo da câmera/).waitFor()
    })
    await step('edited name', async () => {
      await dialog.getByRole('button', { name: 'Fechar' }).click()
      await card.getByRole('button', { name: /^Editar/ }).click()
      await dialog.getByLabel('Nome', { exact: true }).fill('Doca de carga')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('article', { name: 'Doca de carga' }).waitFor()
    })
    await step('history', async () => {
      await page.getByRole('button', { name: 'Histórico: Doca de carga' }).click()
      await dialog.getByText('Não falta nenhum evento desta câmera.').waitFor()
    })
    await step('removed camera', async () => {
      await dialog.getByRole('button', { name: 'Fechar' }).click()
      await page.getByRole('button', { name: 'Remover Doca de carga' }).click()
      await dialog.getByRole('button', { name: 'Remover câmera' }).click()
      await page.getByText('Nenhuma câmera ainda').waitFor()
    })
  },
}
