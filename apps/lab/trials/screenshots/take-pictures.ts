import { extname } from 'node:path'
import { waitFor } from '@vigia/testing/wait'
import type { Browser, Page } from 'playwright-core'
import type { Screen } from './pages.ts'
import { enterState, type State, shown } from './states.ts'

/** CSS pixels. `parede` is the screen of a control centre. */
export const sizes = {
  celular: { width: 390, height: 844 },
  notebook: { width: 1280, height: 800 },
  parede: { width: 2560, height: 1440 },
} as const

interface Credentials {
  readonly username: string
  readonly password: string
}

interface PicturesOptions {
  readonly browser: Browser
  readonly base: string
  /** Login with data. */
  readonly operator: Credentials
  /** Login of an Empresa without any data. */
  readonly newcomer: Credentials
  readonly screens: readonly Screen[]
  readonly states: readonly State[]
  /** Paths (`.jpg` or `.png`) of the picture with this name, `<screen>[-<state>]-<size>`. */
  readonly filesOf: (picture: string) => readonly string[]
}

/** The page before the sign-in, of which each run takes a picture. */
export const LOGIN = 'entrar'

const pictureName = (screen: string, state: State, size: string): string =>
  `${screen}${state === 'cheia' ? '' : `-${state}`}-${size}`

/** Takes the pictures of `screens` for which there are files, writes them and yields the paths. */
export async function* takePictures(options: PicturesOptions): AsyncGenerator<string> {
  const { browser, base, operator, newcomer, screens, states, filesOf } = options
  for (const [size, viewport] of Object.entries(sizes)) {
    const open = async () => {
      const context = await browser.newContext({
        viewport,
        locale: 'pt-BR',
        timezoneId: 'America/Sao_Paulo',
        // Its answers would pass by the routes of states.ts.
        serviceWorkers: 'block',
      })
      return await context.newPage()
    }
    const isWanted = (name: string, state: State) => filesOf(pictureName(name, state, size)).length > 0
    const take = async (page: Page, name: string, state: State, ready?: Screen['ready']) => {
      await waitFor(`${name} in the state ${state}`, () => page.evaluate<boolean>(shown[state]))
      if (state === 'cheia') await ready?.(page)
      const files = filesOf(pictureName(name, state, size))
      for (const path of files) {
        const format = extname(path) === '.png' ? ({ type: 'png' } as const) : ({ type: 'jpeg', quality: 75 } as const)
        await page.screenshot({ path, animations: 'disabled', ...format })
      }
      return files
    }
    const signIn = async (page: Page, { username, password }: Credentials) => {
      await page.getByLabel('Senha', { exact: true }).fill(password)
      await page.getByLabel('Usuário').fill(username)
      await page.getByRole('button', { name: 'Entrar', exact: true }).click()
      await page.getByRole('heading', { name: 'Plantão' }).waitFor()
    }
    for (const state of states) {
      if (![LOGIN, ...screens.map(({ name }) => name)].some((name) => isWanted(name, state))) continue
      const page = await open()
      await page.goto(`${base}/login`)
      const who = state === 'vazia' ? newcomer : operator
      if (state === 'cheia') {
        await page.getByLabel('Usuário').fill(who.username)
        yield* await take(page, LOGIN, state)
      }
      await signIn(page, who)
      await enterState(page, state)
      for (const { name, path, prepare, ready } of screens) {
        if ((prepare && state !== 'cheia') || !isWanted(name, state)) continue
        await page.goto(`${base}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await prepare?.(page)
        yield* await take(page, name, state, ready)
      }
      await page.context().close()
    }
  }
}
