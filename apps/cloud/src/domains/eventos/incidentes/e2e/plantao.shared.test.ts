import { readFile } from 'node:fs/promises'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { Preferencias } from '@vigia/contracts/preferencias'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, expect } from 'vitest'
import type { Client } from '../../../../test/clients/client.ts'
import { type Backstage, openBackstage, type SeededCamera } from '../../../../test/clouds/backstage.ts'
import { it, type OpenContext, type Page } from '../../../../test/clouds/shared-cloud.ts'
import type { Account, TestApp } from '../../../../test/clouds/test-app.ts'

/** H.264. */
const CLIP = new URL('../../../../../../dvr-simulator/footage/campus-b-sub.mp4', import.meta.url)
const PLAYS = `document.createElement('video').canPlayType('video/mp4; codecs="avc1.4d401f"') !== ''`

/** Incidentes of the queue: more than the largest screen shows. */
const INCIDENTES = 14
const HOUR_MS = 3_600_000

let app: TestApp
let backstage: Backstage
let account: Account
let guard: Client
let openContext: OpenContext
let camera: SeededCamera
const problems: string[] = []

const happened = (hoursAgo: number, gravidade: 'alta' | 'critica') =>
  backstage.event(camera, { ocorrido_em: app.clock.now() - hoursAgo * HOUR_MS, gravidade })

async function open(path: string, width: number, height: number): Promise<Page> {
  const context = await openContext({ viewport: { width, height }, locale: 'pt-BR' })
  await context.addCookies([{ name: 'session', value: guard.token, url: app.url }])
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${app.url}${path}`)
  return page
}

const rows = (page: Page) => page.getByRole('list', { name: 'Fila de incidentes' }).getByRole('button')

it.beforeAll(async ({ app: shared, openContext: own }) => {
  app = shared
  openContext = own
  backstage = await openBackstage(app)
  account = await app.account('Central Bom Preço')
  guard = await app.vigilante(account)
  camera = await backstage.camera(account.empresaId)
  for (let hours = 1; hours <= INCIDENTES; hours += 1) await happened(hours, hours === 3 ? 'critica' : 'alta')
})
afterAll(async () => {
  await backstage.close()
  expect(problems).toEqual([])
})

it('shows the gravest first, in rows of 72 px: five on a laptop and nine on a monitor without scrolling', async () => {
  const page = await open('/', 1280, 800)
  await rows(page).first().getByText('Crítica').waitFor()
  const whole = () =>
    page.evaluate<number>(`[...document.querySelectorAll('[data-fila] li')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return top >= 0 && bottom <= Math.min(innerHeight, row.closest('ul').parentElement.getBoundingClientRect().bottom)
    }).length`)
  expect(await whole()).toBeGreaterThanOrEqual(5)
  expect((await rows(page).first().boundingBox())?.height).toBe(72)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await waitFor('nine rows', async () => (await whole()) >= 9)
  expect((await rows(page).first().boundingBox())?.height).toBe(72)
})

it('lets no row move under the pointer when an incidente comes', async () => {
  const page = await open('/', 1920, 1080)
  const under = rows(page).nth(4)
  await under.hover()
  const before = { text: await under.textContent(), box: await under.boundingBox() }
  await happened(0, 'critica')
  await page.getByRole('button', { name: '1 novo' }).waitFor()
  expect({ text: await under.textContent(), box: await under.boundingBox() }).toEqual(before)
  await page.keyboard.press('a')
  await page.getByRole('button', { name: '1 novo' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Crítica 2', exact: true }).waitFor()
})

it('loops the clip, and begins with the picture for a person who asks for less movement', async ({ skip }) => {
  await backstage.clip(await happened(0, 'critica'), await readFile(CLIP))
  const page = await open('/', 1600, 900)
  skip(!(await page.evaluate<boolean>(PLAYS)), 'the browser plays no H.264')
  await waitFor('the clip to play', () => page.evaluate("document.querySelector('article video')?.currentTime > 0.2"))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await page.getByRole('button', { name: 'Clipe', exact: true }).waitFor()
  await page.getByRole('img', { name: /^Quadro inteiro/ }).waitFor()
  expect(await page.locator('article video').count()).toBe(0)
})

it('is worked by keys: take, note with an own phrase, answer; the book prints all', async () => {
  const page = await open('/', 1600, 900)
  const panel = page.getByRole('article').first()
  await panel.getByText('Ninguém assumiu').waitFor()
  // The keys answer nothing in the first moment after the selection.
  await waitFor('the key', async () => {
    await page.keyboard.press('u')
    return panel.getByText(/assumiu agora/).isVisible()
  })
  await page.getByRole('button', { name: 'Minhas frases' }).click()
  await page.getByRole('textbox', { name: 'Frase 1' }).fill('Ronda foi ao local')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('button', { name: 'Ronda foi ao local' }).click()
  await page.keyboard.press('o')
  await page.keyboard.press('End')
  await page.keyboard.type(', nada visto')
  await page.keyboard.press('Escape')
  await page.keyboard.press('f')
  await panel.getByText(/^Falso: atendido por/).waitFor()
  await panel.getByText('Ronda foi ao local, nada visto').waitFor()
  const { frases } = await guard.expect<Preferencias>(200, 'GET', '/api/v1/me/preferencias')
  expect(frases).toEqual(['Ronda foi ao local'])
  const answered = await guard.expect<Incidente[]>(200, 'GET', '/api/v1/incidentes?atendido=true')
  expect(answered[0]?.atendimento?.nota).toBe('Ronda foi ao local, nada visto')

  const texts = Array.from({ length: 90 }, (_, at) => `Passagem ${at}`)
  const handOver = { empresa_id: account.empresaId, autor: 'ana', em: app.clock.now() - 60_000 }
  await backstage.db
    .insertInto('passagens_de_turno')
    .values(texts.map((texto) => ({ ...handOver, texto })))
    .execute()
  await page.goto(`${app.url}/livro`)
  await page.getByRole('textbox', { name: /^Passagem de turno/ }).fill('Portão 2 travado')
  await page.keyboard.press('Enter')
  await page.getByText('Passagem 0', { exact: true }).waitFor()
  await page.getByText(`: ${texts.length + 2} entradas.`).waitFor()
  const listed = () => page.getByRole('list', { name: 'Livro de ocorrências' }).getByRole('listitem').count()
  expect(await listed()).toBeLessThan(texts.length)
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  expect(await listed()).toBe(texts.length + 2)
  await page.getByText('Portão 2 travado', { exact: true }).waitFor()
  await page.getByText('Ronda foi ao local, nada visto').waitFor()
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
})

it('covers no picture with the answers at 200 % of a laptop and of a monitor, and on a phone', async () => {
  const page = await open('/', 640, 400)
  for (const size of [
    { width: 640, height: 400 },
    { width: 960, height: 540 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.getByRole('article').getByRole('img').first().waitFor()
    const covered = await page.evaluate<number[]>(`(async () => {
      const answers = document.querySelector('article fieldset').parentElement.parentElement
      const picture = document.querySelector('article img')
      const covered = []
      for (let y = 0; y < innerHeight; y += 40) {
        scrollTo({ top: y, behavior: 'instant' })
        await new Promise(requestAnimationFrame)
        if (answers.getBoundingClientRect().top < picture.getBoundingClientRect().bottom) covered.push(y)
      }
      return covered
    })()`)
    expect([size, covered]).toEqual([size, []])
  }
})

it('keeps a layout of the mosaic, whose tiles all say something', async () => {
  for (let more = 0; more < 5; more += 1) await backstage.camera(account.empresaId)
  const page = await open('/mosaico', 1280, 800)
  const tiles = page.getByRole('list', { name: 'Câmeras ao vivo' }).getByRole('listitem')
  await tiles.nth(8).waitFor()
  for (const text of await tiles.allTextContents()) expect(text).not.toBe('')
  await page.getByRole('radio', { name: '4', exact: true }).focus()
  await page.keyboard.press('Space')
  await page.getByText('1 de 2').waitFor()
  await page.getByRole('button', { name: 'Salvar arranjo' }).click()
  await page.getByRole('textbox', { name: 'Nome do arranjo' }).fill('Portões')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await page.getByRole('button', { name: 'Mudar arranjo' }).waitFor()
  await page.reload()
  const layout = page.getByRole('combobox', { name: 'Arranjo' })
  await waitFor('the layout', async () => (await layout.inputValue()) === 'Portões')
  await page.getByRole('button', { name: 'Próxima página' }).click()
  await page.getByText('2 de 2').waitFor()
  expect(new URL(page.url()).search).toContain('pagina=2')
  const { mosaicos } = await guard.expect<Preferencias>(200, 'GET', '/api/v1/me/preferencias')
  expect(mosaicos).toEqual([{ nome: 'Portões', quadros: 4, cameras: [], ronda_s: 0 }])
})
