import { freePort } from '@vigia/testing/free-port'
import { waitFor } from '@vigia/testing/wait'
import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Adds the channels of a recorder as cameras, after a refused password; changes and removes the recorder. */
export const gravadores: Journey = {
  name: 'gravadores',
  // The recorder refuses the wrong password, a port is closed, and one channel has no picture.
  expected: [/status of 422/, /status of 503/],
  async run({ page, recorder, account, enter, navigate, step, unique }) {
    const own = await account()
    const nome = unique('DVR da doca')
    const dialog = page.getByRole('main')
    await enter(own.admin)
    await navigate('Gravadores')
    await step('empty list', async () => {
      await page.getByText('Nenhum gravador ainda').waitFor()
    })
    await step('form', async () => {
      await page.getByRole('link', { name: 'Adicionar gravador' }).first().click()
      // The caixa of the installation serves this Empresa, and only the operator may scan its network.
      await dialog.getByText('só o operador procura na rede dela').waitFor()
      await dialog.getByLabel('Endereço IP ou nome').fill('127.0.0.1')
      await dialog.getByLabel('Porta RTSP').fill(String(recorder.porta))
      await dialog.getByLabel('Usuário do gravador').fill(recorder.usuario)
      await dialog.getByLabel('Número de canais').fill('4')
    })
    await step('another maker, with the typed port', async () => {
      await dialog.getByLabel('Fabricante').selectOption('positivo')
      await dialog.getByLabel('Fabricante').selectOption('intelbras')
      const kept = await dialog.getByLabel('Porta RTSP').inputValue()
      if (kept !== String(recorder.porta)) throw new Error(`the port became ${kept}`)
    })
    await step('closed port', async () => {
      await dialog.getByLabel('Porta RTSP').fill(String(await freePort()))
      await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
      await dialog.getByText('a porta está fechada: nada atende nela').waitFor()
      await dialog.getByLabel('Porta RTSP').fill(String(recorder.porta))
    })
    await step('no channel with video', async () => {
      await dialog.getByLabel('Fabricante').selectOption('generico')
      await dialog.getByLabel('Modelo de URL').fill('{base}/outro{channel}')
      await dialog.getByLabel('Senha do gravador').fill(recorder.senha)
      await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
      await dialog.getByText('O gravador responde, mas nenhum canal tem vídeo').waitFor()
    })
    await step('refused password', async () => {
      await dialog.getByRole('button', { name: 'Voltar' }).click()
      await dialog.getByLabel('Fabricante').selectOption('intelbras')
      await dialog.getByLabel('Senha do gravador').fill('errada')
      await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
      await dialog.locator('input[name=senha][aria-invalid=true]').waitFor()
    })
    await step('channels with pictures and names', async () => {
      await dialog.getByLabel('Senha do gravador').fill(recorder.senha)
      await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
      for (const canal of [1, 2]) await dialog.getByRole('img', { name: `Imagem do canal ${canal}` }).waitFor()
      await dialog.getByLabel('Nome da câmera do canal 1 (opcional)').fill(`Doca ${HOSTILE}`)
    })
    await step('channels without a picture, ticked by hand only', async () => {
      const third = dialog.getByRole('checkbox', { name: 'Canal 3' })
      const left = dialog.getByText('A imagem não veio, por isso o canal não foi marcado')
      await left.waitFor()
      for (const canal of [third, dialog.getByRole('checkbox', { name: 'Canal 4' })])
        if (await canal.isChecked()) throw new Error('a channel without a picture is ticked')
      await third.check()
      await left.waitFor({ state: 'detached' })
      await third.uncheck()
      await left.waitFor()
    })
    if ((await own.admin.api.get<unknown[]>('/cameras')).length > 0) throw new Error('a camera before the last step')
    await step('Perfil with its IAs', async () => {
      await dialog.getByRole('button', { name: 'Continuar' }).click()
      await dialog.getByLabel('Nome do gravador (opcional)').fill(nome)
      await dialog.getByLabel('Perfil de uso').selectOption('condominio')
      await dialog.getByTestId('ias-do-perfil').getByText('Permanência').waitFor()
      await dialog.getByRole('group', { name: 'Em quais câmeras ler placas' }).getByLabel('Canal 2').check()
    })
    const card = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: nome }) })
    await step('list of recorders', async () => {
      await dialog.getByRole('button', { name: 'Adicionar 2 câmeras' }).click()
      await card.getByText('2 câmeras em 4 canais').waitFor()
    })
    await step('search in the list', async () => {
      await page.getByLabel('Procurar gravador').fill('nada disso')
      await page.getByText('Nenhum nome').waitFor()
      await page.getByLabel('Procurar gravador').fill('127.0')
      await card.waitFor()
    })
    const change = page.getByRole('dialog')
    await step('diagnosis', async () => {
      await waitFor('the cameras on the edge', async () =>
        (await own.admin.api.get<{ status: string }[]>('/cameras')).every(({ status }) => status === 'online'),
      )
      await card.getByRole('button', { name: /^Diagnóstico/ }).click()
      await change.getByText('Lista das últimas 24 horas').waitFor({ timeout: 60_000 })
      const download = page.waitForEvent('download')
      await change.getByRole('button', { name: 'Baixar o relatório' }).click()
      await download
      const text = (await change.textContent()) ?? ''
      for (const secret of [recorder.senha, '127.0.0.1'])
        if (text.includes(secret)) throw new Error('the report has a secret')
    })
    await page.keyboard.press('Escape')
    await step('new password, refused by the recorder', async () => {
      await card.getByRole('button', { name: /^Senha e endereço/ }).click()
      await change.getByLabel('Senha nova do gravador').fill('outra')
      await change.getByRole('button', { name: 'Conferir e salvar' }).click()
      await change.locator('input[name=senha][aria-invalid=true]').waitFor()
    })
    await step('new password, accepted by the recorder', async () => {
      await change.getByLabel('Senha nova do gravador').fill(recorder.senha)
      await change.getByLabel('Nome do gravador (opcional)').fill(`${nome} 2`)
      await change.getByRole('button', { name: 'Conferir e salvar' }).click()
      await page.getByRole('rowheader', { name: `${nome} 2` }).waitFor()
    })
    await step('removed recorder', async () => {
      await page.getByRole('button', { name: `Remover ${nome} 2` }).click()
      await change.getByText('As 2 câmeras dele também são removidas:').waitFor()
      await change.getByRole('button', { name: 'Remover gravador' }).click()
      await page.getByText('Nenhum gravador ainda').waitFor()
    })
  },
}
