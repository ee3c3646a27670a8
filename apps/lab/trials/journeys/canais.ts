import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from '@vigia/testing/wait'
import { HOSTILE } from './harness/hostile.ts'
import type { Account, Journey, Stage } from './harness/journey.ts'

/** Creates canais, tests one, opens deliveries of an alert and removes a canal. */
export const canais: Journey = {
  name: 'canais',
  async run(stage) {
    const { page, account, enter, navigate, step } = stage
    // The alert of its camera arrives during the other steps.
    const notified = await account()
    const receiver = await notifyOfAlerts(stage, notified)
    try {
      await ownCanais(stage)
      await receiver.delivered()
      await step('deliveries of an alert: one arrived, one is repeated', async () => {
        await enter(notified.admin)
        await navigate('Canais')
        await page.getByRole('link', { name: /^Entregas de / }).click()
        const rows = page.getByRole('list', { name: 'Entregas' }).getByRole('listitem')
        await rows.filter({ hasText: 'Entregue' }).filter({ hasText: '/chegou' }).first().waitFor()
        await rows.filter({ hasText: 'Tentando de novo' }).filter({ hasText: '/recusa' }).first().waitFor()
        await rows.filter({ hasText: '503' }).first().waitFor()
      })
      await step('deliveries in one state', async () => {
        await page.getByLabel('Mostrar').selectOption('Entregue')
        const rows = page.getByRole('list', { name: 'Entregas' })
        await rows.getByText('/recusa').first().waitFor({ state: 'detached' })
        await rows.getByText('/chegou').first().waitFor()
      })
    } finally {
      receiver.close()
    }
  },
}

async function ownCanais({ page, account, enter, navigate, step }: Stage): Promise<void> {
  const own = await account()
  const nome = `Guarita ${HOSTILE}`.slice(0, 80)
  const dialog = page.getByRole('dialog')
  for (const camera of ['Portão', 'Doca', 'Pátio'])
    await own.admin.api.call('POST', '/cameras', { nome: camera, rtsp_url: 'rtsp://127.0.0.1:1/1' })
  await enter(own.admin)
  await step('empty list', async () => {
    await navigate('Canais')
    await page.getByText('Nenhum canal ainda').waitFor()
  })
  await step('form with mistakes', async () => {
    await page.getByRole('button', { name: 'Criar canal' }).first().click()
    await dialog.getByLabel(/^Destinos/).fill('guarita')
    await dialog.getByLabel('Avisar a partir das').selectOption('22:30')
    await dialog.getByLabel('Quais alertas').selectOption('Só das IAs escolhidas')
    await dialog.getByRole('button', { name: 'Criar canal' }).click()
    await dialog.getByText('Use endereços de e-mail').waitFor()
    await dialog.getByText('Escolha pelo menos uma IA, ou todas.').waitFor()
  })
  await step('several cameras', async () => {
    const cameras = dialog.getByRole('combobox', { name: 'Câmeras' })
    for (const camera of ['Portão', 'Doca', 'Pátio']) {
      await cameras.fill(camera)
      await cameras.press('Enter')
      await dialog
        .getByRole('list', { name: /escolhida/ })
        .getByText(camera)
        .waitFor()
    }
    await dialog.getByRole('button', { name: 'Tirar a câmera Pátio' }).click()
  })
  await step('new canal', async () => {
    await dialog.getByLabel('Nome').fill(nome)
    await dialog.getByLabel(/^Destinos/).fill('guarita@exemplo.com.br\nsindica@exemplo.com.br')
    await dialog.getByLabel('Avisar até').selectOption('6:00')
    for (const dia of ['sábado', 'domingo']) await dialog.getByRole('checkbox', { name: dia }).uncheck()
    for (const ia of ['Fogo', 'Invasão']) await dialog.getByRole('checkbox', { name: ia, exact: true }).check()
    await dialog.getByText('Mais opções').click()
    await dialog.getByLabel('Avisar quais gravidades').selectOption('media')
    await dialog.getByLabel('Avisar com que certeza').selectOption('alta')
    await dialog.getByText('Este canal só avisa o que é certo, então sempre espera.').waitFor()
    await dialog.getByLabel('Se o incidente continua').selectOption('Avisar de novo de tempo em tempo')
    await dialog.getByLabel('Avisar de novo no máximo a cada').selectOption('5 minutos')
    await dialog.getByLabel('Resumo do dia').selectOption('7:00')
    await dialog.getByRole('button', { name: 'Criar canal' }).click()
    await page.getByText('guarita@exemplo.com.br e mais 1').waitFor()
  })
  const facts = (text: RegExp) =>
    step(`facts of the canal: ${text.source}`, async () => {
      await page.getByRole('link', { name: /^Entregas de Guarita/ }).click()
      await page.getByText(text).waitFor()
      await page.getByRole('link', { name: 'Ver canais' }).click()
    })
  await facts(
    /Doca, Portão · Invasão, Fogo · Das 22:30 às 6:00, seg, .*, sex .* Uma mensagem por incidente · Resumo às 7 h$/,
  )
  await step('search', async () => {
    await page.getByLabel('Procurar canal').fill('nada disso')
    await page.getByText('Nenhum nome').waitFor()
    await page.getByLabel('Procurar canal').fill('guarita@')
  })
  await step('changed messages of a canal', async () => {
    await page.getByRole('button', { name: /^Mudar Guarita/ }).click()
    await dialog.getByText('Mais opções').click()
    await dialog.getByLabel('Avisar com que certeza').selectOption('baixa')
    await dialog.getByLabel('Quantas mensagens').selectOption('nao')
    await dialog.getByLabel('Se a verificação demora mais de 30 segundos').selectOption('avisar')
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
  await facts(/Uma mensagem por evento · Não espera a verificação · Resumo às 7 h$/)
  await step('refused test', async () => {
    await page.getByRole('button', { name: /^Testar Guarita/ }).click()
    await dialog.getByRole('button', { name: 'Testar', exact: true }).click()
    // No mail server is configured here.
    await dialog
      .getByRole('status')
      .getByText(/e-mail/i)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  })
  await step('deliveries', async () => {
    await page.getByRole('link', { name: /^Entregas de Guarita/ }).click()
    await page.getByText('Nenhuma entrega aqui').waitFor()
  })
  await step('webhook with its secret, shown once', async () => {
    await page.getByRole('link', { name: 'Ver canais' }).click()
    await page.getByRole('button', { name: 'Criar canal' }).click()
    await dialog.getByLabel('Nome').fill('ERP')
    await dialog.getByLabel('Como avisar').selectOption('Sistema (webhook)')
    await dialog.getByLabel(/^Destinos/).fill('https://exemplo.com.br/vigia')
    await dialog.getByRole('button', { name: 'Criar canal' }).click()
    await page.getByLabel('Segredo do webhook', { exact: true }).waitFor()
  })
  await step('disabled canal', async () => {
    await page.getByRole('button', { name: 'Já guardei' }).click()
    await page.getByRole('switch', { name: 'Ligado: ERP' }).press('Space')
    await page.getByRole('switch', { name: 'Ligado: ERP', checked: false }).waitFor()
  })
  await step('removed canal', async () => {
    await page.getByRole('button', { name: 'Remover ERP' }).click()
    await dialog.getByRole('button', { name: 'Remover' }).click()
    await page.getByRole('button', { name: 'Remover ERP' }).waitFor({ state: 'detached' })
  })
}

/** Gives the Empresa a camera and a webhook canal with two destinations: one accepts every message, one none. */
async function notifyOfAlerts({ recorder }: Stage, { empresaId, admin }: Account) {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/chegou' ? 204 : 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { id } = await admin.api.call<{ id: number }>('POST', '/notificacoes', {
    empresa_id: empresaId,
    nome: 'Central',
    destino: `${base}/chegou`,
    destinatarios: [`${base}/recusa`],
  })
  const sources = { rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') }
  await admin.api.call('POST', '/cameras', { nome: 'Portão', ...sources })
  return {
    /** Resolves as soon as one message has arrived and one was refused. */
    async delivered(): Promise<void> {
      const isDone = async () => {
        const entregas = await admin.api.get<{ estado: string; erro: string | null }[]>(`/notificacoes/${id}/entregas`)
        return entregas.some(({ estado }) => estado === 'entregue') && entregas.some(({ erro }) => erro !== null)
      }
      await waitFor('deliveries of an alert', isDone, { timeoutMs: 120_000 })
    },
    close: () => server.close(),
  }
}
