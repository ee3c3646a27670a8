import type { Journey } from './harness/journey.ts'

/** Chooses English, opens every page in it, and returns to the language of the browser. */
export const conta: Journey = {
  name: 'conta',
  // The page that is left may read once more while the session ends.
  expected: [/401 \(Unauthorized\) \(\/api\/v1\//],
  async run({ page, base, withAlerta, login, enter, navigate, step }) {
    // With a camera and an alert, so that the cards of these pages are seen in English, too.
    // Its own login, because the last step ends the session.
    const admin = await login(await withAlerta(), 'administrador')
    await enter(admin)
    await step('account', async () => {
      await navigate('Minha conta')
      await page.getByRole('heading', { name: 'Minha conta' }).waitFor()
    })
    await step('account in English', async () => {
      await page.getByLabel('Idioma desta página').selectOption('English')
      await page.getByRole('heading', { name: 'My account' }).waitFor()
      await page.locator('html[lang="en"]').waitFor()
    })
    const pages = ['On duty', 'Outages', 'Cameras', 'Boxes', 'Companies', 'Agents', 'Keys', 'Stopped work', 'Audit log']
    for (const name of pages)
      await step(`${name} in English`, async () => {
        await navigate(name)
        await page.getByRole('heading', { level: 1, name }).waitFor()
      })
    await step('incidente in English', async () => {
      await page.goto(base)
      await page.getByRole('link', { name: 'Open incident' }).click()
      await page.getByRole('heading', { name: 'Events of this incident' }).waitFor()
    })
    await step('event in English', async () => {
      // By the keyboard: a clip that arrives above the list moves it under the pointer.
      await page
        .getByRole('link', { name: /^Open event/ })
        .first()
        .press('Enter')
      await page.getByText('Was this alarm true?').waitFor()
    })
    await step('login page in English', async () => {
      await page.goto(`${base}/logout`)
      await page.getByRole('heading', { name: 'Sign in to Vigia' }).waitFor()
    })
  },
}
