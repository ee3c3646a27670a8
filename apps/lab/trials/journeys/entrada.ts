import { type Journey, PASSWORD } from './harness/journey.ts'
import { totp } from './harness/totp.ts'

/** Signs in, turns on the second factor, and signs in with it. */
export const entrada: Journey = {
  name: 'entrada',
  // The refused password of the second factor.
  expected: [/status of 401/],
  async run({ page, base, account, navigate, step }) {
    const { admin } = await account()
    const fill = async (password: string) => {
      await page.getByLabel('Usuário').fill(admin.username)
      await page.getByLabel('Senha', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Entrar' }).click()
    }
    await step('login page', () => page.goto(base))
    await step('refused password', async () => {
      await fill('errada')
      await page.getByText(/^Usuário ou senha incorretos/).waitFor()
    })
    await step('first page', async () => {
      await fill(PASSWORD)
      await page.getByRole('heading', { name: 'Plantão' }).waitFor()
    })
    await step('account', async () => {
      await page.getByRole('link', { name: new RegExp(admin.username) }).click()
      await page.getByRole('heading', { name: 'Minha conta' }).waitFor()
    })
    await step('password of the second factor', async () => {
      await page.getByRole('button', { name: 'Ligar segundo fator' }).click()
      await page.getByLabel('Sua senha').fill(PASSWORD)
    })
    let secret = ''
    await step('secret of the second factor', async () => {
      await page.getByRole('button', { name: 'Continuar' }).click()
      await page.getByRole('img', { name: 'Código QR' }).waitFor()
      secret = (await page.getByLabel('Chave do autenticador').textContent()) ?? ''
    })
    let codes: string[] = []
    await step('recovery codes', async () => {
      await page.getByLabel('Código que o aplicativo mostra').fill(totp(secret, Date.now()))
      await page.getByRole('button', { name: 'Ligar', exact: true }).click()
      codes = ((await page.getByLabel('Códigos de recuperação', { exact: true }).textContent()) ?? '').split('\n')
    })
    await step('second factor on', async () => {
      await page.getByRole('button', { name: 'Já guardei' }).click()
      await page.getByText('Restam 10 códigos de recuperação.').waitFor()
    })
    await step('page for the code', async () => {
      await page.goto(`${base}/logout`)
      await fill(PASSWORD)
      await page.getByRole('heading', { name: 'Código de verificação' }).waitFor()
    })
    // A code of the application works once, so this sign-in uses a recovery code.
    await step('first page after the second factor', async () => {
      await page.getByLabel('Código', { exact: true }).fill(codes[0] ?? '')
      await page.getByRole('button', { name: 'Confirmar' }).click()
      await page.getByRole('heading', { name: 'Plantão' }).waitFor()
    })
    await step('one code fewer', async () => {
      await navigate('Minha conta')
      await page.getByText('Restam 9 códigos de recuperação.').waitFor()
    })
  },
}
