import { checkPage } from './harness/check-page.ts'
import type { Journey } from './harness/journey.ts'

/** Shows each role its pages, the login and its Empresa on every page, and works by keyboard. */
export const navegacao: Journey = {
  name: 'navegacao',
  async run({ page, base, narrow, account, login, enter, step }) {
    const own = await account()
    const navigation = page.getByRole('navigation', { name: 'Principal' })
    const more = navigation.getByRole('button', { name: 'Mais' })
    await step('pages of an administrador', async () => {
      await enter(own.admin)
      if (narrow) await more.click()
      await navigation.getByRole('link', { name: 'Auditoria' }).waitFor()
      await page.getByRole('banner').getByText(own.admin.username).waitFor()
      await page.getByRole('banner').getByText(own.nome).waitFor()
    })
    if (!narrow)
      await step('every page in the navigation, without scrolling', async () => {
        const nav = 'document.querySelector("nav")'
        const hiddenPx = await page.evaluate<number>(`${nav}.scrollHeight - ${nav}.clientHeight`)
        if (hiddenPx !== 0) throw new Error(`${hiddenPx} px of the navigation are hidden`)
      })
    await step('each page of the navigation', async () => {
      const hrefs = await page.evaluate<string[]>('[...document.querySelectorAll("nav a")].map((a) => a.pathname)')
      const found: string[] = []
      for (const href of new Set(hrefs)) {
        await page.goto(new URL(href, base).href)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const problem of await checkPage(page)) found.push(`${href}: ${problem}`)
      }
      if (found.length > 0) throw new Error(found.join('; '))
    })
    const usuario = await login(own, 'usuario')
    await step('pages of a usuario', async () => {
      await enter(usuario)
      if (narrow) await more.click()
      await navigation.getByRole('link', { name: 'Agentes' }).waitFor()
      if ((await navigation.getByRole('link', { name: /Auditoria|Chaves|Empresas|Pendências/ }).count()) > 0)
        throw new Error('a page of the administrador has a link')
    })
    await step('refused page', async () => {
      await page.goto(`${base}/auditoria`)
      await page.getByText('Só o administrador da conta vê a auditoria.').waitFor()
    })
    await step('skip link, then the content', async () => {
      await page.goto(base)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Tab')
      await page.locator('a:focus', { hasText: 'Pular para o conteúdo' }).waitFor()
      await page.keyboard.press('Enter')
      await page.locator('main:focus').waitFor()
    })
    await step('next page by keyboard, with a visible focus', async () => {
      const link = navigation.getByRole('link', { name: 'Câmeras' })
      await link.focus()
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Tab')
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
      if (outline === 'none') throw new Error('the focus is not visible')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Câmeras' }).waitFor()
    })
    if (narrow)
      await step('menu of other pages, closed by Escape', async () => {
        await more.focus()
        await page.keyboard.press('Enter')
        await navigation.getByRole('link', { name: 'Minha conta' }).waitFor()
        await page.keyboard.press('Escape')
        await navigation.getByRole('link', { name: 'Minha conta' }).waitFor({ state: 'hidden' })
      })
    await step('unknown page', async () => {
      await page.goto(`${base}/nada`)
      await page.getByRole('heading', { level: 1, name: 'Esta página não existe.' }).waitFor()
      await navigation.getByRole('link', { name: 'Plantão' }).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Voltar ao início' }).click()
      await page.getByRole('heading', { level: 1, name: 'Plantão' }).waitFor()
    })
    await step('address of a record that cannot exist', async () => {
      await page.goto(`${base}/eventos/nada`)
      await page.getByRole('heading', { level: 1, name: 'Esta página não existe.' }).waitFor()
      await navigation.getByRole('link', { name: 'Plantão' }).waitFor()
    })
  },
}
