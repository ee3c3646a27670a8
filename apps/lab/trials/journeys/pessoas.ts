import { signIn } from '@vigia/testing/api'
import { HOSTILE } from './harness/hostile.ts'
import { type Journey, PASSWORD } from './harness/journey.ts'

const NOVA = 'outra-frase-de-uma-jornada'

/** Invites a person, who creates a login; changes a password, ends a session, and turns the screen into a quiosque. */
export const pessoas: Journey = {
  name: 'pessoas',
  // The invitation that was used before.
  expected: [/status of 404/],
  async run({ page, base, account, login, enter, navigate, step, unique }) {
    const own = await account()
    const guarda = await login(own, 'usuario')
    const dialog = page.getByRole('dialog')
    const convidado = unique('convidado')
    await enter(own.admin)
    await step('people', async () => {
      await navigate('Pessoas')
      await page.getByRole('rowheader', { name: guarda.username }).waitFor()
    })
    await step('question before a login is disabled', async () => {
      await page.getByRole('button', { name: `Desativar: ${guarda.username}` }).click()
      await dialog.getByText('sai na hora').waitFor()
    })
    await step('disabled login', async () => {
      await dialog.getByRole('button', { name: 'Desativar' }).click()
      await page.getByText('Desativado: não entra').waitFor()
    })
    await step('form of an invitation', async () => {
      await page.getByRole('button', { name: 'Convidar pessoa' }).click()
      await dialog.getByLabel(/^Para quem é o convite/).fill(`Ana ${HOSTILE}`.slice(0, 80))
    })
    let link = ''
    await step('link, shown once', async () => {
      await dialog.getByRole('button', { name: 'Criar link' }).click()
      link = (await page.getByLabel('Link do convite').textContent()) ?? ''
    })
    await step('open invitations', async () => {
      await page.getByRole('button', { name: 'Pronto' }).click()
      await page.getByRole('link', { name: 'Convites em aberto' }).click()
      await page.getByText(/^Vale até/).waitFor()
    })
    await page.context().clearCookies()
    await step('page of the invited person', async () => {
      await page.goto(link)
      await page.getByText(/^Você foi convidado para/).waitFor()
    })
    await step('passwords that differ', async () => {
      await page.getByLabel('Nome de usuário').fill(convidado)
      await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
      await page.getByLabel('Senha, outra vez').fill('outra')
      await page.getByRole('button', { name: 'Criar login' }).click()
      await page.getByText('As duas senhas são diferentes').waitFor()
    })
    await step('created login', async () => {
      await page.getByLabel('Senha, outra vez').fill(PASSWORD)
      await page.getByRole('button', { name: 'Criar login' }).click()
      await page.getByText(`Login ${convidado} criado.`).waitFor()
    })
    await step('used invitation', async () => {
      await page.goto('about:blank')
      await page.goto(link)
      await page.getByText(/^Este convite não vale/).waitFor()
    })
    await step('first page of the new login', async () => {
      await page.goto(`${base}/login`)
      await page.getByLabel('Usuário').fill(convidado)
      await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    })
    await step('own password', async () => {
      await navigate('Minha conta')
      await page.getByRole('button', { name: 'Mudar senha' }).click()
      await dialog.getByLabel('Senha de agora').fill(PASSWORD)
      await dialog.getByLabel('Senha nova', { exact: true }).fill(NOVA)
      await dialog.getByLabel('Senha nova, outra vez').fill(NOVA)
    })
    await step('changed password, in the same page', async () => {
      await dialog.getByRole('button', { name: 'Mudar senha' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('list', { name: 'Onde você está conectado' }).getByText('Esta').waitFor()
    })
    await step('session on another machine', async () => {
      await signIn(base, convidado, NOVA)
      await page.reload()
      await page.getByRole('button', { name: 'Encerrar a sessão de node' }).waitFor()
    })
    await step('ended session', async () => {
      const end = page.getByRole('button', { name: 'Encerrar a sessão de node' })
      await end.click()
      await end.waitFor({ state: 'detached' })
    })
    await step('warning before the limit of the session', async () => {
      await page.clock.setFixedTime(Date.now() + (11 * 60 + 50) * 60_000)
      await page.reload()
      await page.getByTestId('limite-sessao').waitFor()
      await page.clock.setSystemTime(Date.now())
    })
    await step('form of a quiosque', async () => {
      await enter(own.admin)
      await navigate('Quiosques')
      await page.getByRole('button', { name: 'Usar esta tela como quiosque' }).first().click()
      await dialog.getByLabel('Nome da tela').fill(`Portaria ${HOSTILE}`.slice(0, 80))
      await dialog.getByLabel('O que se faz nesta tela').selectOption('Só ver')
    })
    await step('screen in kiosk mode', async () => {
      await dialog.getByRole('button', { name: 'Começar' }).click()
      await page.getByText(/^quiosque: Portaria/).waitFor()
    })
    await step('question before the end of the quiosque', async () => {
      // A quiosque has no navigation.
      await page.getByRole('link', { name: /^quiosque: Portaria/ }).click()
      await page.getByRole('button', { name: 'Encerrar este quiosque' }).click()
      await dialog.getByText('alguém precisa entrar com um login').waitFor()
    })
    await step('ended quiosque', async () => {
      await dialog.getByRole('button', { name: 'Encerrar' }).click()
      await page.getByLabel('Usuário').waitFor()
    })
  },
}
