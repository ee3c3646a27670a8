import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Finds a change in the audit log, opens it, and filters the log. */
export const auditoria: Journey = {
  name: 'auditoria',
  async run({ page, account, enter, navigate, step }) {
    const own = await account()
    const filial = { nome: `Filial ${HOSTILE}` }
    const { id } = await own.admin.api.call<{ id: number }>('POST', '/empresas', filial)
    await own.admin.api.call('PATCH', `/empresas/${id}`, { nome: `Matriz ${HOSTILE}` })
    await enter(own.admin)
    const change = page
      .getByRole('table')
      .getByRole('row')
      .filter({ hasText: `${own.admin.username} alterou a Empresa` })
    await step('records', async () => {
      await navigate('Auditoria')
      await change.first().waitFor()
    })
    await step('before and after', async () => {
      await change.first().getByRole('button').press('Enter')
      await page.getByRole('dialog').getByText('Antes').first().waitFor()
    })
    await step('filtered records, in the address', async () => {
      await page.keyboard.press('Escape')
      await page.getByLabel('O quê').selectOption('Câmeras')
      await page.getByText('Nenhum registro com estes filtros').waitFor()
      await page.reload()
      await page.getByText('Nenhum registro com estes filtros').waitFor()
    })
  },
}
