import type { Camera } from '@vigia/contracts/cameras'
import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Turns on plate reading on a camera, and puts a plate on a list and off again. */
export const placas: Journey = {
  name: 'placas',
  // A file with a wrong line.
  expected: [/status of 422/],
  async run({ page, base, recorder, account, login, withPassagem, enter, navigate, step }) {
    const own = await account()
    const dono = `Apartamento 42 ${HOSTILE}`.slice(0, 190)
    const dialog = page.getByRole('dialog')
    const sources = { rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') }
    const camera = { nome: `Portão ${HOSTILE}`, ...sources, eventos_habilitados: [] }
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
      await page.getByRole('rowheader', { name: 'ABC1D23' }).waitFor()
    })
    await step('changed plate', async () => {
      await page.getByRole('button', { name: 'Mudar a placa ABC1D23' }).click()
      await dialog.getByLabel('Lista').selectOption('Bloqueada')
      await dialog.getByLabel('Por quanto tempo vale').selectOption('7 dias')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('row').getByText('Vale até').waitFor()
    })
    await step('found by a part of its owner, and not in the other list', async () => {
      await page.getByLabel('Procurar por placa, dono ou nota').fill('apartamento 4')
      await page.getByRole('link', { name: 'Permitidas' }).click()
      await page.getByText('Nenhuma placa encontrada').waitFor()
      await page.getByRole('link', { name: 'Bloqueadas' }).click()
      await page.getByRole('rowheader', { name: 'ABC1D23' }).waitFor()
      await page.goto(`${base}/placas`)
    })
    await step('removed plate', async () => {
      await page.getByRole('button', { name: 'Tirar ABC1D23 da lista' }).click()
      await dialog.getByRole('button', { name: 'Tirar' }).click()
      await page.getByText('Nenhuma placa nas listas').waitFor()
    })
    await step('plate reading of a camera', async () => {
      // The address of an earlier release.
      await page.goto(`${base}/cameras/${id}/placas`)
      await page.waitForURL(`${base}/cameras/${id}/o-que-vigia/placa`)
      await page.getByRole('switch', { name: 'Ler placas nesta câmera' }).setChecked(true)
      await page.getByLabel('Papel da câmera').selectOption('Entrada e saída')
      await page.getByText('Diga o nome do local.').first().waitFor()
    })
    await step('saved', async () => {
      await page.getByLabel('Local que a câmera guarda').fill('Portão da rua A')
      await page.getByRole('button', { name: 'Retângulo' }).click()
      await page.getByLabel('Permitidas', { exact: true }).fill('abc-1d23')
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Tudo salvo.').waitFor()
      const stored = await own.admin.api.get<Camera>(`/cameras/${id}`)
      const { permitidas, regiao } = stored.modo_b_config ?? {}
      if (!stored.eventos_habilitados.includes('placa') || regiao?.length !== 1 || permitidas?.[0] !== 'ABC1D23')
        throw new Error(JSON.stringify(stored.modo_b_config))
    })
    await step('a gate needs a canal that a program reads', async () => {
      await page.getByText('crie antes um canal webhook ou MQTT').waitFor()
      const canal = {
        empresa_id: own.empresaId,
        destino: 'http://127.0.0.1:9/portao',
        tipos_evento: [],
        nome: 'Portão',
      }
      await own.admin.api.call('POST', '/notificacoes', canal)
      await page.reload()
      await page.getByRole('switch', { name: 'Abrir o portão' }).setChecked(true)
      await page.getByText('Uma placa não identifica ninguém').waitFor()
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Tudo salvo.').waitFor()
      await page.getByText('Nenhum veículo passou ainda').waitFor()
    })
    await step('lists as a file, with a mistake and without', async () => {
      await page.goto(`${base}/placas`)
      const file = (text: string) => ({ name: 'placas.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await page.locator('input[type=file]').setInputFiles(file('placa;lista\nABC1D23;permitida\nAB;permitida\n'))
      await page.getByText('Linha 3').waitFor()
      await page.locator('input[type=file]').setInputFiles(file('placa;lista;dono\nABC1D23;permitida;Loja 3\n'))
      await page.getByText('0 alteradas').waitFor()
      await page.getByRole('rowheader', { name: 'ABC1D23' }).waitFor()
    })
    await step('a vehicle that a camera has read', async () => {
      const read = await withPassagem()
      await enter(read.admin)
      // All runs share the account: the second one finds the plate on the list.
      const body = JSON.stringify({
        placa: 'QQQ7D77',
        lista: 'bloqueada',
        dono: 'Visita do 42',
        empresa_id: read.empresaId,
      })
      await read.admin.api.fetch('/placas', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      await page.goto(`${base}/passagens`)
      await page
        .getByRole('button', { name: /^Corrigir a placa/ })
        .first()
        .waitFor()
    })
    await step('its journey', async () => {
      await page
        .getByRole('button', { name: /^Percurso de/ })
        .first()
        .click()
      await dialog.getByRole('heading', { name: 'Estadias' }).waitFor()
      await page.keyboard.press('Escape')
    })
    await step('correction', async () => {
      await page
        .getByRole('button', { name: /^Corrigir a placa/ })
        .first()
        .click()
      await dialog.getByLabel('Placa', { exact: true }).fill('A')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByText('Use de 5 a 8 letras').waitFor()
    })
    await step('corrected', async () => {
      await dialog.getByLabel('Placa', { exact: true }).fill('QQQ7D77')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('heading', { name: 'QQQ7D77' }).first().waitFor()
      await page.getByText('Corrigida por').first().waitFor()
    })
    await step('its plate in the queue', async () => {
      await navigate('Plantão')
      await page.getByText('Placa bloqueada').first().waitFor()
      await page.getByText('QQQ7D77').first().click()
    })
    await step('its plate on the page of its incidente', async () => {
      await page.getByRole('link', { name: 'Abrir incidente' }).click()
      await page.getByRole('heading', { name: 'Placa bloqueada' }).waitFor()
      await page.getByText('Visita do 42').first().waitFor()
      await page.getByText('QQQ7D77').first().waitFor()
    })
    await step('vehicles inside', async () => {
      await page.goto(`${base}/passagens`)
      await page.getByRole('link', { name: 'Quem está dentro' }).click()
      await page
        .getByRole('button', { name: /já saiu$/ })
        .first()
        .waitFor()
    })
    await step('question whether it has left', async () => {
      await page
        .getByRole('button', { name: /já saiu$/ })
        .first()
        .click()
      await dialog.getByText('A estadia de').waitFor()
      // All runs share the vehicle.
      await dialog.getByRole('button', { name: 'Cancelar' }).click()
    })
    await step('a usuario sees no plates', async () => {
      await enter(await login(own, 'usuario'))
      await page.goto(`${base}/passagens`)
      await page.getByText('Este login não vê placas').waitFor()
    })
  },
}
