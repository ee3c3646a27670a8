import { waitFor } from '@vigia/testing/wait'
import type { Locator, Page } from 'playwright-core'
import type { Journey } from './harness/journey.ts'

/** Uses the bar of a camera's day: pictures, zoom, clip, export of a part. Then its list, and the day before. */
export const linhaDoTempo: Journey = {
  name: 'linha-do-tempo',
  async run({ page, withAlerta, account, enter, navigate, step }) {
    const empty = await account()
    await step('no camera', async () => {
      await enter(empty.admin)
      await navigate('Linha do tempo')
      await page.getByText('Nenhuma câmera', { exact: true }).waitFor()
    })
    const guarded = await withAlerta()
    const cameras = page.getByRole('main').getByRole('list', { name: 'Câmeras', exact: true })
    const opener = cameras.getByRole('button', { expanded: false }).first()
    await step('today', async () => {
      await enter(guarded.admin)
      await navigate('Linha do tempo')
      await cameras
        .getByText(/incidente/)
        .first()
        .waitFor()
    })
    await step('cameras to choose from', async () => {
      await page.getByRole('combobox', { name: 'Câmera', exact: true }).click()
      await page.getByRole('option').nth(1).waitFor()
    })
    await step('one camera', async () => {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(/camera=/)
      await cameras.getByText('Invasão').first().waitFor()
      await page.goBack()
      await navigate('Linha do tempo')
    })
    const bar = cameras.getByRole('slider').first()
    const said = () => bar.getAttribute('aria-valuetext')
    await step('picture of each mark, by keyboard', async () => {
      await bar.focus()
      await bar.press('End')
      await waitFor('the last mark', async () => /Invasão.*marca (\d+) de \1$/.test((await said()) ?? ''))
      await shows(page, cameras, 'Invasão')
      await bar.press('Home')
      await waitFor('the first mark', async () => /marca 1 de \d+$/.test((await said()) ?? ''))
    })
    await step('zoom by keyboard, and the mark stays in sight', async () => {
      const hours = () => page.locator('main [aria-hidden="true"] > span').allInnerTexts()
      const whole = (await hours()).join()
      await bar.press('End')
      for (let press = 0; press < 12; press++) await bar.press('+')
      await waitFor('minutes', async () => (await hours()).some((hour) => /:0[1-9]$|:[1-5]\d$/.test(hour)))
      await shows(page, cameras, 'Invasão')
      await bar.press('0')
      await waitFor('the whole day', async () => (await hours()).join() === whole)
    })
    await step('zoom by button and by wheel', async () => {
      await page.getByRole('button', { name: 'Aproximar' }).click()
      await page.getByRole('button', { name: 'Mais cedo' }).click()
      await page.getByRole('button', { name: 'Dia inteiro' }).click()
      await bar.hover()
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, -240)
      await page.keyboard.up('Control')
      await waitFor(
        'a part of the day',
        async () => (await page.getByRole('button', { name: 'Dia inteiro' }).getAttribute('aria-disabled')) === 'false',
      )
      await page.getByRole('button', { name: 'Dia inteiro' }).click()
    })
    const whole = page.getByRole('button', { name: 'Dia inteiro' })
    const isPart = async () => (await whole.getAttribute('aria-disabled')) === 'false'
    await step('zoom by two fingers', async () => {
      const shown = async () => (await page.locator('main [aria-hidden="true"] > span').allInnerTexts()).join()
      const before = await shown()
      await pinch(page, bar)
      await waitFor('a part of the day', isPart)
      if ((await shown()) === before) throw new Error(`the hours are still ${before}`)
    })
    await step('the same part by its link, and the whole day again by "back"', async () => {
      await page.waitForURL(/zoom=/)
      await page.goto(page.url())
      await waitFor('the same part', isPart)
      // On a slow machine each zoom rests, and is a step of the history.
      for (let step = 0; step < MOST_ZOOMS && page.url().includes('zoom='); step += 1) await page.goBack()
      await waitFor('the whole day', async () => !(await isPart()))
    })
    await step('picture below the pointer', async () => {
      await page.mouse.move(0, 0)
      await bar.focus()
      await bar.press('End')
      const at = await bar.locator('span').last().boundingBox()
      await page.mouse.move(at?.x ?? 0, (at?.y ?? 0) + 5)
      await shows(page, cameras, 'Invasão')
    })
    await step('clip of a mark, by click', async () => {
      await page.mouse.down()
      await page.mouse.up()
      await page.getByRole('dialog').getByRole('region', { name: 'Clipe' }).waitFor()
      await page.getByRole('dialog').getByRole('link', { name: 'Ver o incidente' }).waitFor()
    })
    await step('the same clip by its link', async () => {
      await page.waitForURL(/assistir=/)
      await page.reload()
      await page.getByRole('dialog').getByRole('region', { name: 'Clipe' }).waitFor()
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.goForward()
      await page.getByRole('dialog').waitFor()
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await bar.focus()
      await bar.press('End')
      await bar.press('Enter')
      await page.getByRole('dialog').waitFor()
    })
    await step('bar again, after the clip', async () => {
      await page.keyboard.press('Escape')
      await waitFor('the bar again', () => bar.evaluate((element) => element.matches(':focus')))
    })
    await step('part of the day, by drag and by keyboard', async () => {
      const box = (await bar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const y = box.y + box.height / 2
      await page.mouse.move(box.x + box.width * 0.25, y)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 })
      await page.mouse.up()
      const part = page.getByRole('region', { name: 'Trecho escolhido' })
      await part.getByText(/^0[56]:.* a 1[12]:/).waitFor()
      await bar.press('Shift+ArrowRight')
      await part.getByText(/^0[56]:.* a 1[23]:/).waitFor()
      await page.waitForURL(/trecho=/)
      await page.reload()
      await part.getByText(/^0[56]:.* a 1[23]:/).waitFor()
      await bar.press('Escape')
      await part.waitFor({ state: 'detached' })
      await bar.press('Home')
      await bar.press('Shift+ArrowRight')
      await part.getByRole('link', { name: 'Ver as gravações' }).waitFor()
    })
    await step('export of the part', async () => {
      await page.getByRole('link', { name: 'Exportar os eventos' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Baixar' }).waitFor()
    })
    await step('timeline again, after the export', async () => {
      await page.keyboard.press('Escape')
      await page.waitForURL((url) => url.pathname.endsWith('/retencao') && !url.searchParams.has('em'))
      await navigate('Linha do tempo')
    })
    await step('part in the recordings of the camera', async () => {
      await bar.focus()
      await bar.press('End')
      await bar.press('Shift+ArrowRight')
      await page.getByRole('link', { name: 'Ver as gravações' }).click()
      await page.waitForURL(/eventos\/gravacoes\?.*ate=/)
      const minutes = await page.getByLabel('Duração').inputValue()
      if (minutes !== '15') throw new Error(`the form asks for ${minutes} minutes`)
      await navigate('Linha do tempo')
    })
    await step('part that plays from the recorder', async () => {
      await bar.focus()
      await bar.press('End')
      await bar.press('Shift+ArrowRight')
      await page.getByRole('button', { name: 'Assistir o trecho' }).click()
      await page.waitForURL(/eventos\/gravacoes\?.*assistir=/)
      const recordings = page.getByRole('list', { name: 'Gravações do gravador' })
      await recordings
        .getByRole('button', { name: /^(Cancelar|Apagar)$/ })
        .first()
        .click()
      await recordings.waitFor({ state: 'detached' })
      await navigate('Linha do tempo')
    })
    await step('list of a camera', async () => {
      await opener.click()
      await cameras.getByText('Invasão').first().waitFor()
    })
    await step('incidente of the day', async () => {
      await cameras.getByRole('link').first().click()
      await page.waitForURL(/\/incidentes\/\d+/)
      await page.getByRole('link', { name: 'Exportar' }).waitFor()
      await page.goBack()
      await opener.waitFor()
    })
    await step('day before', async () => {
      await page.getByRole('button', { name: 'Dia anterior' }).click()
      await page.waitForURL(/dia=/)
      await opener.waitFor()
    })
  },
}

/** Waits until the card of the bar shows a loaded picture and these words. */
async function shows(page: Page, cameras: Locator, words: string): Promise<void> {
  const card = cameras.locator('[aria-hidden="true"]').filter({ hasText: words }).locator('img')
  await card.waitFor()
  await waitFor('the picture', () => page.evaluate<boolean>("document.querySelector('main li img').naturalWidth > 0"))
}

/** Zooms of the bar before its link is opened, at most. */
const MOST_ZOOMS = 12

/** Puts two fingers on a bar and moves them apart, as a touch screen reports it. */
async function pinch(page: Page, bar: Locator): Promise<void> {
  const { x, y, width, height } = (await bar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', shares: readonly number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: shares.map((share, id) => ({ x: x + share * width, y: y + height / 2, id })),
    })
  await touch('touchStart', [0.45])
  await touch('touchStart', [0.45, 0.55])
  for (const apart of [0.1, 0.15, 0.2]) await touch('touchMove', [0.5 - apart, 0.5 + apart])
  await touch('touchEnd', [])
  await session.detach()
}
