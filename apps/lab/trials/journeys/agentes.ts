import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Copies the address for agents, and refuses an agent with a hostile name on the consent page. */
export const agentes: Journey = {
  name: 'agentes',
  async run({ page, base, account, enter, navigate, step }) {
    const own = await account()
    await enter(own.admin)
    await step('no agent', async () => {
      await navigate('Agentes')
      await page.getByText('Nenhum agente tem acesso').waitFor()
    })
    await step('copied address', async () => {
      await page.getByRole('button', { name: 'Copiar endereço' }).click()
      await page.getByText('Endereço copiado.').waitFor()
    })
    await step('consent page', async () => {
      const redirect = 'http://127.0.0.1:1/callback'
      const answer = await fetch(`${base}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirect], client_name: `Agente ${HOSTILE}`.slice(0, 120) }),
      })
      const { client_id } = (await answer.json()) as { client_id: string }
      const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
      const asked = { client_id, redirect_uri: redirect, code_challenge, code_challenge_method: 'S256' }
      await page.goto(`${base}/oauth/authorize?${new URLSearchParams({ ...asked, response_type: 'code' })}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    })
  },
}
