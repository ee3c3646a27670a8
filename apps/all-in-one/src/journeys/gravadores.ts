import type { Journey } from './harness/journey.ts'

/** Adds the channels of a recorder as cameras, after a refused password. */
export const gravadores: Journey = {
  name: 'gravadores',
  // The recorder refuses the wrong password.
  expected: [/status of 422/],
  async run({ page, recorder, account, enter, navigate, step, unique }) {
    const own = await account()
    const nome = unique('DVR da doca')
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await navigate('Câmeras')
    await step('form', async () => {
      await page.getByRole('button', { name: 'Adicionar gravador' }).first().click()
      await dialog.getByLabel('Endereço IP ou nome').fill('127.0.0.1')
      await dialog.getByLabel('Porta RTSP').fill(String(recorder.porta))
      await dialog.getByLabel('Usuário do gravador').fill(recorder.usuario)
      await dialog.getByLabel('Número de canais').fill('2')
    })
    await step('refused password', async () => {
      await dialog.getByLabel('Senha do gravador').fill('errada')
      await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
      await dialog.locator('input[name=senha][aria-invalid=true]').waitFor()
    })
    await step('channels', async () => {
      await dialog.getByLabel('Senha do gravador').fill(recorder.senha)
      await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
      await dialog.getByLabel('Canal 1').waitFor()
      await dialog.getByLabel('Nome do gravador (opcional)').fill(nome)
    })
    await step('cameras of the recorder', async () => {
      await dialog.getByRole('button', { name: /^Adicionar \d câmeras?$/ }).click()
      await page.getByText(nome).first().waitFor()
    })
  },
}
