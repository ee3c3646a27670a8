import type { Journey } from './harness/journey.ts'

/** Shows that no work has stopped. */
export const pendencias: Journey = {
  name: 'pendencias',
  async run({ page, account, enter, navigate, step }) {
    const own = await account()
    await enter(own.admin)
    await step('nothing stopped', async () => {
      await navigate('Pendências')
      await page.getByText('Nenhuma pendência').waitFor()
    })
  },
}
