import type { Journey } from './harness/journey.ts'

/** Shows the retention of an Empresa and changes it. */
export const retencao: Journey = {
  name: 'retencao',
  expected: [/409 \(Conflict\)/],
  async run({ page, account, operator, login, enter, navigate, step }) {
    const own = await account()
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await step('retention with defaults', async () => {
      await navigate('Retenção')
      await page.getByText('90 dias').first().waitFor()
      await page.getByText('Nada foi apagado ainda.').waitFor()
    })
    await step('form with a mistake', async () => {
      await page.getByRole('button', { name: 'Mudar prazos' }).click()
      await dialog.getByLabel('Dias de Auditoria').fill('30')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByText('Informe um número de dias dentro dos limites').waitFor()
    })
    await step('changed retention', async () => {
      await dialog.getByLabel('Dias de Auditoria').fill('')
      await dialog.getByLabel('Dias de Clipes').fill('15')
      await dialog.getByLabel('Tamanho máximo de Clipes').fill('50')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('15 dias · até 50 GB').waitFor()
    })
    await step('numbers before shorter ages', async () => {
      await page.route('**/retencao/contagem', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { eventos: 1_204, imagens: 1_300, clipes: 87 } })
      })
      await page.getByRole('button', { name: 'Mudar prazos' }).click()
      await dialog.getByLabel('Dias de Quedas').fill('20')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByText('1.204').waitFor()
    })
    await step('shorter ages', async () => {
      await dialog.getByRole('button', { name: 'Salvar e apagar' }).click()
      await page.getByText('20 dias').waitFor()
      await page.unroute('**/retencao/contagem')
    })
    await step('a period to delete', async () => {
      await page.getByRole('button', { name: 'Apagar um período' }).click()
      await dialog.getByLabel('Quais câmeras').selectOption('so')
      await dialog.getByRole('button', { name: 'Contar' }).click()
      await dialog.getByText('Marque ao menos uma câmera.').waitFor()
    })
    await step('numbers before the deletion', async () => {
      await page.route('**/apagamentos/contagem?*', async (route) => {
        const answer = await route.fetch()
        const at = new Date().toISOString()
        const held = { preservados: 2, preservados_ids: [7] }
        const json = { ...(await answer.json()), eventos: 1_204, imagens: 3_010, clipes: 87, de: at, ate: at, ...held }
        await route.fulfill({ response: answer, json })
      })
      await dialog.getByLabel('Quais câmeras').selectOption('todas')
      await dialog.getByLabel('Motivo').fill('Pedido 12')
      await dialog.getByRole('button', { name: 'Contar' }).click()
      await dialog.getByText('1.204').waitFor()
    })
    await step('numbers that have changed', async () => {
      await dialog.getByRole('button', { name: 'Apagar de vez' }).click()
      await dialog.getByText('A contagem mudou.').waitFor()
      await page.unroute('**/apagamentos/contagem?*')
      await dialog.getByRole('button', { name: 'Cancelar' }).click()
    })
    await step('what a deletion of one plate leaves', async () => {
      await own.admin.api.call('POST', '/placas', {
        placa: 'ABC1D23',
        lista: 'bloqueada',
        empresa_id: own.empresaId,
      })
      await page.getByRole('button', { name: 'Apagar um período' }).click()
      await dialog.getByLabel('Motivo').fill('Pedido 12')
      await dialog.getByLabel('Placa').fill('ABC')
      await dialog.getByRole('button', { name: 'Contar' }).click()
      await dialog.getByText('Use uma placa com 5 a 8').waitFor()
      await dialog.getByLabel('Placa').fill('abc-1d23')
      await dialog.getByRole('button', { name: 'Contar' }).click()
      await dialog.getByText('1 entrada na lista de placas fica.').waitFor()
      await dialog.getByRole('button', { name: 'Fechar' }).last().click()
    })
    await step('nothing to delete', async () => {
      await page.getByRole('button', { name: 'Apagar um período' }).click()
      await dialog.getByLabel('Motivo').fill('Pedido 12')
      await dialog.getByRole('button', { name: 'Contar' }).click()
      await dialog.getByText('Não há nada a apagar neste período.').waitFor()
      await dialog.getByRole('button', { name: 'Fechar' }).last().click()
    })
    await step('deletions by period', async () => {
      const at = new Date(Date.now() - 1_000).toISOString()
      const asked = { cameras: null, inicio: '2026-01-02T03:00:00Z', fim: at, motivo: 'Pedido 12' }
      const contagem = { eventos: 0, gravacoes: 0, preservados: 0 }
      await own.admin.api.call('POST', `/empresas/${own.empresaId}/apagamentos`, { ...asked, contagem })
      await page.reload()
      await page.getByText('0 evento apagado').waitFor()
    })
    await step('a period that does not fit into one export', async () => {
      await page.route('**/exportar/contagem?*', async (route) => {
        const answer = await route.fetch()
        const corte = new Date().toISOString()
        await route.fulfill({
          response: answer,
          json: { eventos: 1_204, passagens: 3, bytes: 3e9, cabe: false, corte },
        })
      })
      await page.getByRole('button', { name: 'Exportar um período' }).click()
      await dialog.getByRole('button', { name: 'Contar' }).click()
      await dialog.getByText('Não cabe em um arquivo.').waitFor()
      await dialog.getByRole('link', { name: 'Baixar ZIP' }).waitFor()
      await page.unroute('**/exportar/contagem?*')
    })
    await step('forecast, a warning and removals', async () => {
      await page.route('**/api/v1/empresas/*/retencao', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        const day = new Date().toISOString()
        Object.assign(body.uso[1], {
          bytes: 61_000_000_000,
          bytes_por_dia: 1_200_000_000,
          dias_observados: 7,
          dias_ate_limite: 3,
          aviso: 'Os eventos preservados passam do limite. Aumente o limite ou deixe de preservar alguns.',
        })
        Object.assign(body, {
          dias_ate_disco_cheio: 41,
          apagados: [{ dia: day.slice(0, 10), tipo: 'clipes', quantos: 1_234, de: '2026-01-02T03:04:05Z', ate: day }],
        })
        await route.fulfill({ response: answer, json: body })
      })
      await page.reload()
      await page.getByText('chega ao limite em 3 dias').waitFor()
      await page.getByText('enche em 5 semanas').waitFor()
      await page.getByText('1.234, de').waitFor()
      await page.unroute('**/api/v1/empresas/*/retencao')
    })
    await step('the operator chooses the Empresa on the page', async () => {
      await enter(operator)
      await navigate('Retenção')
      await page.getByText('Escolha uma Empresa para ver a retenção dela.').waitFor()
      const choice = page.getByRole('main').getByRole('combobox', { name: 'Empresa' })
      await choice.fill(own.nome)
      await page.getByRole('option', { name: own.nome }).click()
      await page.getByText('15 dias · até 50 GB').waitFor()
    })
    await step('only for administrators', async () => {
      await enter(await login(own, 'vigilante'))
      await page.goto(new URL('/retencao', page.url()).href)
      await page.getByText('Só o administrador da conta vê a retenção.').waitFor()
    })
  },
}
