import { openBrowser } from '@vigia/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkPage } from './check-page.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser({ shell: true })
  page = await browser.newPage({ viewport: { width: 390, height: 844 } })
})
afterAll(() => browser?.close())

/** Problems of a page with this content. */
async function problemsOf(content: string): Promise<string[]> {
  const head = '<title>Teste</title><meta name="viewport" content="width=device-width">'
  await page.setContent(`<!doctype html><html lang="pt-BR">${head}<body><main><h1>Teste</h1>${content}</main></body>`)
  return await checkPage(page)
}
const WIDE_TABLE = '<table style="width: 500px"><tr><td>Texto</td></tr></table>'
const FIELD = '<input type="text" name="a">'

it('finds nothing in a sound page, however often it comes', async () => {
  const label = `<label>Nome ${FIELD}</label>`
  for (const content of [label, label, '<ul><li>1</li></ul>', '<ul><li>2</li><li>3</li></ul>'])
    expect([content, await problemsOf(content)]).toEqual([content, []])
})

it.each([
  ['a field without a label', FIELD, 'axe label: '],
  ['a picture without a text', '<img src="data:,">', 'axe image-alt: '],
  ['a text with too little contrast', '<p style="color: #ccc">Texto</p>', 'axe color-contrast: '],
  ['content wider than the screen', '<div style="width: 500px">Texto</div>', 'the content is '],
  [
    'several primary actions',
    '<button class="mantine-Button-root">Um</button><button class="mantine-Button-root">Dois</button>',
    'several primary actions: Um, Dois',
  ],
  [
    'a table that scrolls sideways on a phone',
    `<div tabindex="0" style="overflow-x: auto"><div>${WIDE_TABLE}</div></div>`,
    'a phone shows a table without its last ',
  ],
  ['markup from a name', '<img src=x alt="">', 'a hostile name became markup'],
])('finds %s, also beside known parts and a second time', async (_, content, problem) => {
  for (const before of ['', '<label>Nome <input type="text" name="a"></label>', ''])
    expect(await problemsOf(before + content)).toContainEqual(expect.stringContaining(problem))
})

it.each([
  ['a name that is empty', '<button aria-label="Fechar"></button>', '<button aria-label=""></button>'],
  ['other colours', '<p style="color: #000">Texto</p>', '<p style="color: #ddd">Texto</p>'],
  ['another element', '<h2>Texto</h2>', '<h2></h2><a href="/"></a>'],
])('measures a page again that has %s', async (_, sound, broken) => {
  expect(await problemsOf(sound)).toEqual([])
  expect(await problemsOf(broken)).not.toEqual([])
})
