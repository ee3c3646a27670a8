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
    const change = page.getByRole('listitem').filter({ hasText: `${own.admin.username} alterou a Empresa` })
    await step('records', async () => {
      await navigate('Auditoria')
      await change.first().waitFor()
    })
    await step('before and after', async () => {
      await change.first().locator('summary').click()
      await change.getByText('Antes').first().waitFor()
    })
    await step('filtered records', async () => {
      await page.getByLabel('O quê').selectOption('Câmeras')
      await page.getByText('Nenhum registro com estes filtros').waitFor()
    })
  },
}
