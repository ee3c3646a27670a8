import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Turns on plate reading on a camera, and puts a plate on a list and off again. */
export const placas: Journey = {
  name: 'placas',
  async run({ page, base, recorder, account, login, enter, navigate, step }) {
    const own = await account()
    const dono = `Apartamento 42 ${HOSTILE}`.slice(0, 190)
    const dialog = page.getByRole('dialog')
    const camera = { nome: `Portão ${HOSTILE}`, rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') }
    const { id } = await own.admin.api.call<{ id: number }>('POST', '/cameras', camera)
    await enter(own.admin)
    await step('no passage yet', async () => {
      await navigate('Placas')
      await page.getByText('Nenhuma passagem ainda').waitFor()
    })
    await step('search with a mistake, and without a result', async () => {
      await page.getByLabel('Placa', { exact: true }).fill('ABC?')
      await page.getByText('Use só letras, números').waitFor()
      await page.getByLabel('Placa', { exact: true }).fill('abc*')
      await page.getByRole('button', { name: 'Buscar' }).click()
      await page.getByText('Nada encontrado').waitFor()
    })
    await step('empty lists', async () => {
      await page.getByRole('link', { name: 'Listas de placas' }).click()
      await page.getByText('Nenhuma placa nas listas').waitFor()
    })
    await step('form with a mistake', async () => {
      await page.getByRole('button', { name: 'Pôr placa na lista' }).click()
      await dialog.getByRole('button', { name: 'Pôr na lista' }).click()
      await dialog.getByText('Use de 5 a 8 letras').waitFor()
    })
    await step('blocked plate', async () => {
      await dialog.getByLabel('Placa', { exact: true }).fill('abc-1d23')
      await dialog.getByLabel('Lista').selectOption('Bloqueada')
      await dialog.getByLabel('De quem é (opcional)').fill(dono)
      await dialog.getByRole('button', { name: 'Pôr na lista' }).click()
      await page.getByRole('heading', { name: 'ABC1D23' }).waitFor()
    })
    await step('removed plate', async () => {
      await page.getByRole('button', { name: 'Tirar ABC1D23 da lista' }).click()
      await dialog.getByRole('button', { name: 'Tirar' }).click()
      await page.getByText('Nenhuma placa nas listas').waitFor()
    })
    await step('plate reading of a camera', async () => {
      await page.goto(`${base}/cameras/${id}/placas`)
      await page.getByRole('switch', { name: 'Ler placas nesta câmera' }).setChecked(true)
      await page.getByLabel('Papel da câmera').selectOption('Entrada e saída')
      await page.getByText('Diga o nome do local.').first().waitFor()
    })
    await step('saved', async () => {
      await page.getByLabel('Local que a câmera guarda').fill('Portão da rua A')
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Tudo salvo.').waitFor()
    })
    await step('a usuario sees no plates', async () => {
      await enter(await login(own, 'usuario'))
      await page.goto(`${base}/passagens`)
      await page.getByText('Este login não vê placas').waitFor()
    })
  },
}
