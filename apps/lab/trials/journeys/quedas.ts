import type { Journey } from './harness/journey.ts'

/** Shows the outages of an Empresa, all and the current ones. */
export const quedas: Journey = {
  name: 'quedas',
  async run({ page, account, enter, navigate, step }) {
    const own = await account()
    await enter(own.admin)
    await step('no outage', async () => {
      await navigate('Quedas')
      await page.getByText('Nenhuma queda registrada.').waitFor()
    })
    await step('only the current outages', async () => {
      await page.getByRole('link', { name: 'Fora do ar agora' }).click()
      await page.getByText('Nada fora do ar agora.').waitFor()
    })
  },
}
