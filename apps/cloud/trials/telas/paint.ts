import { gravidades } from '@vigia/contracts/ias'
import type { Api } from '@vigia/testing/api'
import { openGuardPage, type Page } from '../guard-page.ts'

const PAINTS = 10
/** Entries of the first page of the search (busca-query.ts). */
const SEARCH_PAGE = 20

/** Lines of the first page of the timeline (linha-query.ts). */
const LINES = 100

/** A page of the dashboard with its list. */
interface Screen {
  /** Address of its link. */
  readonly path: string
  /** Page with that link; default: a page without the data of any measured one, by its navigation. */
  readonly from?: string
  /** Selector of an element that exists when its data is shown. */
  readonly shown: string
  /** Selector of the rows. */
  readonly rows: string
  /** Selector of the element that scrolls; default: the window. */
  readonly scroller?: string
  /** Number of rows that a person reaches by scrolling. */
  readonly promised: number
}

export interface Painted {
  /** Different rows that were in the page while it was scrolled, at most `promised`. */
  readonly rows: number
  readonly promised: number
  /** Largest number of elements of the whole page. */
  readonly nodes: number
  readonly heightPx: number
}

interface PaintedScreen {
  readonly screen: string
  readonly durations: readonly number[]
  readonly painted: Painted
}

/** Measures the pages of one login in Chromium, from the click on their link to the painted data. */
export async function paintScreens(api: Api): Promise<readonly PaintedScreen[]> {
  const { page, close } = await openGuardPage(api.base, api.token)
  try {
    const measured: PaintedScreen[] = []
    for (const [name, screen] of Object.entries(await screensOf(api))) {
      await timePaint(page, api.base, screen)
      const durations: number[] = []
      for (let i = 0; i < PAINTS; i += 1) durations.push(await timePaint(page, api.base, screen))
      measured.push({ screen: `${name}, paint`, durations, painted: await countRows(page, screen) })
    }
    return measured
  } finally {
    await close()
  }
}

async function screensOf(api: Api): Promise<Readonly<Record<string, Screen>>> {
  const { length: cameras } = await api.get<unknown[]>('/cameras')
  const { itens } = await api.get<{ itens: unknown[] }>(`/busca/incidentes?limit=${SEARCH_PAGE}`)
  const queues = gravidades.map((one) => api.get<unknown[]>(`/incidentes?atendido=false&limit=100&gravidade=${one}`))
  const waiting = (await Promise.all(queues)).flat()
  const { por_camera } = await api.get<{ por_camera: unknown[] }>(`/relatorios?${shownDays(Date.now())}`)
  const counts = 'main section[aria-labelledby="tabela-camera"] tr[data-row]'
  const lines = 'main ul[aria-label="Câmeras"] > li'
  return {
    search: { path: '/busca', shown: 'main ul > li time', rows: 'main ul > li', promised: itens.length },
    timeline: { path: '/linha-do-tempo', shown: lines, rows: lines, promised: Math.min(cameras, LINES) },
    plantao: {
      path: '/',
      shown: 'main button[aria-current]',
      rows: FILA,
      scroller: 'main [data-fila] div:has(> ul)',
      promised: waiting.length,
    },
    mosaic: {
      path: '/mosaico',
      shown: 'main li[data-camera]',
      rows: 'main li[data-camera]',
      promised: Math.min(cameras, TILES),
    },
    list: { path: '/cameras', shown: LINKS, rows: LINKS, promised: cameras },
    people: { path: '/pessoas', ...(await table(api, '/usuarios')) },
    passages: {
      path: '/passagens',
      shown: CARDS,
      rows: CARDS,
      promised: (await api.get<unknown[]>(`/passagens?com_placa=true&limit=${PASSAGES}`)).length,
    },
    plates: { path: '/placas', from: '/passagens', ...(await table(api, `/placas?limit=${PLATES}`)) },
    report: { path: '/relatorios', shown: counts, rows: counts, promised: por_camera.length },
  }
}

/** Rows of the queue. */
const FILA = 'main [data-fila] li[data-row]'
/** Largest page of the mosaic. */
const TILES = 16

/** First pages of the passages and of the plates on lists (placas-queries.ts). */
const PASSAGES = 50
const PLATES = 200
/** Plates of the cards. */
const CARDS = 'main ul > li[data-row] h3'

const table = async (api: Api, path: string) => {
  const { length: promised } = await api.get<unknown[]>(path)
  return { shown: 'main tr[data-row]', rows: 'main tr[data-row]', promised }
}

/** Period of a report without a choice: today and six days before, in the time zone of every Empresa (UTC-3). */
function shownDays(now: number): string {
  const day = 86_400_000
  const today = new Date(now - 3 * 3_600_000).setUTCHours(3, 0, 0, 0)
  const iso = (instant: number) => encodeURIComponent(new Date(instant).toISOString())
  return `desde=${iso(today - 6 * day)}&ate=${iso(today + day)}`
}

/** Links to the pages of the cameras. */
const LINKS = 'main li a[href^="/cameras/"], main td a[href^="/cameras/"]'

/** Page without the data of any screen that is reached from it. */
const ELSEWHERE = '/conta'

/** Time in ms from the click on the link of a page, whose data the browser does not have, until it is painted. */
async function timePaint(page: Page, base: string, { path, from, shown }: Screen): Promise<number> {
  await page.goto(`${base}${from ?? ELSEWHERE}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Work of the first page ends before the measurement.
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const link = document.querySelector('${from ? 'main' : 'nav'} a[href^=${JSON.stringify(path)}]')
    const start = performance.now()
    link.click()
    const check = () => {
      if (performance.now() - start > 20000) reject(new Error('not shown: ' + ${JSON.stringify(shown)}))
      else if (document.querySelector(${JSON.stringify(shown)}) === null) requestAnimationFrame(check)
      // The second frame begins after the first one is painted.
      else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)))
    }
    check()
  })`)
}

/** Scrolls down by three quarters of the window until every promised row was there, or the page ends. */
const countRows = (page: Page, { rows, promised, scroller = 'html' }: Screen): Promise<Painted> =>
  page.evaluate<Painted>(`(async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const seen = new Set()
    let nodes = 0
    for (;;) {
      for (const row of document.querySelectorAll(${JSON.stringify(rows)})) {
        const named = ['data-camera', 'data-row', 'href'].map((name) => row.getAttribute(name)).find(Boolean)
        seen.add(named ?? row.querySelector('a')?.getAttribute('href') ?? row.textContent)
      }
      nodes = Math.max(nodes, document.querySelectorAll('*').length)
      if (seen.size >= ${promised}) break
      const element = document.querySelector(${JSON.stringify(scroller)})
      const before = element.scrollTop
      element.scrollBy({ top: element.clientHeight * 0.75, behavior: 'instant' })
      await painted()
      if (element.scrollTop === before) break
    }
    const heightPx = document.documentElement.scrollHeight
    return { rows: Math.min(seen.size, ${promised}), promised: ${promised}, nodes, heightPx }
  })()`)
