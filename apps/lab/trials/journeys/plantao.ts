import { type Api, signIn } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'
import { HOSTILE } from './harness/hostile.ts'
import { type Journey, PASSWORD } from './harness/journey.ts'
import { observeSound } from './harness/observe-sound.ts'

interface IncidenteView {
  readonly id: number
  readonly veredito: string
  readonly atendimento: { readonly resposta: string; readonly revisor: string } | null
}

const ZONA = `Pátio ${HOSTILE}`.slice(0, 60)
const WHOLE_FRAME = [[0, 0, 1, 0, 1, 1, 0, 1]]

/** Tones of one alarm of this severity, and the time to its repetition (apps/dashboard/src/live/alarm-sound.ts). */
const ALTA = { tones: 3, everyMs: 5_000 }

/** A guard works by keyboard alone, beside a second screen of the administrador and one that only reads. */
export const plantao: Journey = {
  name: 'plantao',
  // The browser blocks the sound in the first step, and requests fail in the one without contact.
  expected: [/AudioContext was not allowed/, /net::ERR_/, /Failed to load resource/, /vigia: .* interrompido/],
  async run({ page, base, recorder, account, login, enter, step, narrow }) {
    const own = await account()
    const addCamera = async (nome: string) => {
      const { id } = await own.admin.api.call<{ id: number }>('POST', '/cameras', {
        nome: `${nome} ${HOSTILE}`,
        rtsp_url: recorder.url(1),
        sub_rtsp_url: recorder.url(1, 'sub'),
      })
      await own.admin.api.call('PATCH', `/cameras/${id}/geometria`, { zonas: WHOLE_FRAME, nomes_zonas: [ZONA] })
    }
    await addCamera('Portão')
    await step('screen in kiosk mode: only Plantão, with sound after one touch', async () => {
      const value = await startQuiosque(await signIn(base, own.admin.username, PASSWORD))
      await page.context().addCookies([{ name: 'session', value, url: base }])
      const sound = await observeSound(page)
      await page.goto(base)
      // Playwright's own evaluations count as an interaction, which would allow the sound.
      const session = await page.context().newCDPSession(page)
      const expression = "document.body.textContent.includes('Som bloqueado: toque aqui')"
      const isBlocked = async () =>
        (await session.send('Runtime.evaluate', { expression, userGesture: false })).result.value === true
      await waitFor('the blocked sound', isBlocked)
      await sound.state('suspended')
      await page.keyboard.press('Tab')
      await sound.state('running')
      await page.getByRole('button', { name: 'Desligar som dos alertas' }).waitFor()
      await page.getByRole('button', { name: 'Som bloqueado: toque aqui' }).waitFor({ state: 'detached' })
      if ((await page.getByRole('link', { name: 'Quedas' }).count()) > 0) throw new Error('a quiosque has navigation')
    })
    await step('empty queue', async () => {
      await enter((await account()).admin)
      await page.getByText('Nenhuma câmera ainda').first().waitFor()
    })
    const guard = await login(own, 'vigilante')
    const reader = await login(own, 'usuario')
    const first = async () => (await own.admin.api.get<IncidenteView[]>('/incidentes?atendido=false'))[0]
    const isConfirmed = async () => (await first())?.veredito === 'confirmado'
    await waitFor('a confirmed incidente', isConfirmed, { timeoutMs: 120_000 })

    const panel = page.getByRole('article').first()
    // Live streams are refused for the lack of capacity until the page has said so: a new cover opens another one.
    let isFull = !narrow
    await page.routeWebSocket(/\/transmissao\?/, (socket) => {
      if (!isFull) return void socket.connectToServer()
      socket.send(JSON.stringify({ tipo: 'fim', motivo: 'sem_banda', detail: 'Sem banda.' }))
      void socket.close()
    })
    await step('live picture without capacity on the line', async () => {
      await enter(guard)
      // A phone shows no live picture beside the incidente.
      if (!narrow) await page.getByText('Só imagens: a internet do local está cheia').waitFor()
      isFull = false
    })
    await step('incidente with the whole frame', async () => {
      await panel.getByRole('img', { name: /^Quadro inteiro/ }).waitFor()
      await panel.getByText('Sem resposta').waitFor()
      await panel.getByText(/ · visto (agora|há )/).waitFor()
      await panel.getByText(ZONA, { exact: true }).waitFor()
    })
    const sound = await observeSound(page)
    await step('test of the sounds while the alarm is off', async () => {
      await page.keyboard.press('?')
      for (const [name, tones] of [
        ['Baixa', 1],
        ['Crítica', 6],
        ['sem contato', 2],
      ] as const) {
        const before = sound.tones()
        await page.getByRole('button', { name: `Ouvir: ${name}` }).focus()
        await page.keyboard.press('Enter')
        await waitFor(`the sound ${name}`, () => sound.tones() - before === tones)
      }
      await sound.state('running')
    })
    await step('alarm that repeats', async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const before = sound.tones()
      await page.getByRole('button', { name: 'Ligar som dos alertas' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Desligar som dos alertas' }).waitFor()
      await waitFor('the alarm twice', () => sound.tones() - before >= 2 * ALTA.tones, { timeoutMs: 60_000 })
    })
    await step('full screen by one key', async () => {
      await page.keyboard.press('t')
      await page.getByRole('button', { name: 'Sair da tela cheia' }).waitFor()
      if (!(await page.evaluate<boolean>('document.fullscreenElement === document.documentElement')))
        throw new Error('the page is not in full screen')
    })
    await step('end of full screen', async () => {
      await page.keyboard.press('t')
      await page.getByRole('button', { name: 'Tela cheia' }).waitFor()
    })
    await step('a new incidente waits behind a button and moves no card', async () => {
      const card = page.getByRole('list', { name: 'Fila de incidentes' }).getByRole('button').first()
      const top = async () => (await card.boundingBox())?.y
      const before = await top()
      await addCamera('Doca')
      const news = page.getByRole('button', { name: '1 novo' })
      await waitFor(
        'the second incidente',
        async () => {
          // Without any key for 30 s the page would show it by itself.
          await page.keyboard.press('Shift')
          return news.isVisible()
        },
        { timeoutMs: 120_000, everyMs: 500 },
      )
      if ((await top()) !== before) throw new Error('the card moved')
    })
    await step('the new incidente by one key', async () => {
      await page.keyboard.press('a')
      await panel.getByText(/^Doca/).waitFor()
    })

    const browser = page.context().browser()
    if (!browser) throw new Error('the page has no browser')
    const otherScreen = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 800 } })
    try {
      await otherScreen.addCookies([{ name: 'session', value: own.admin.api.token, url: base }])
      const other = await otherScreen.newPage()
      await other.goto(base)
      await other.getByRole('article').getByRole('button', { name: 'Falso' }).waitFor()

      await step('answer by one key, shown on the other screen', async () => {
        // The keys answer nothing in the first moment after the selection has changed.
        await page.waitForTimeout(400)
        await page.keyboard.press('f')
        await panel.getByText(`Falso: atendido por ${guard.username} às`).waitFor()
        await other.getByRole('article').getByText(`Falso: atendido por ${guard.username} às`).waitFor()
      })
      await step('silence by one key, shown on the other screen', async () => {
        await page.keyboard.press('m')
        await panel.getByText(`por ${guard.username}`).last().waitFor()
        await other
          .getByRole('article')
          .getByText(/^Silenciada até/)
          .waitFor()
      })
      if (!narrow)
        await step('live picture beside the incidente', async () => {
          await page
            .getByRole('figure')
            .getByRole('img', { name: /^Câmera Doca/ })
            .waitFor()
          await page.locator('figure video[data-toca]').waitFor()
        })
      await step('lost contact', async () => {
        await page.context().setOffline(true)
        await page.getByRole('alert').getByText('Sem contato com a central', { exact: false }).waitFor()
        await waitFor('the title', async () => (await page.title()).startsWith('Sem contato'))
      })
      await step('contact again', async () => {
        await page.context().setOffline(false)
        await page.getByRole('alert').waitFor({ state: 'detached', timeout: 60_000 })
      })
      await step('keyboard help', async () => {
        await page.keyboard.press('?')
        await page.getByRole('dialog').getByText('Responder: verdadeiro').waitFor()
      })
      await step('incidente page by Enter', async () => {
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.evaluate('document.activeElement?.blur()')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Eventos deste incidente' }).waitFor()
        await page.getByRole('listitem').getByText(ZONA, { exact: true }).first().waitFor()
        await page.keyboard.press('v')
        await page.getByText(`Verdadeiro: atendido por ${guard.username} às`).waitFor()
      })
      await step('strip of the events', async () => {
        const first = page.getByRole('button', { name: /^Mostrar .*, \d\d:\d\d:\d\d/ }).first()
        await first.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: /^Mostrar /, pressed: true }).waitFor()
        await page.getByRole('link', { name: 'Ver no gravador' }).waitFor()
      })
      await step('evento page', async () => {
        await page
          .getByRole('link', { name: /^Abrir evento/ })
          .first()
          .focus()
        await page.keyboard.press('Enter')
        await page.getByText('O que foi visto').waitFor()
        await page.getByRole('definition').getByText(ZONA, { exact: true }).waitFor()
      })
      await step('mosaic with a live tile', async () => {
        await page.getByRole('link', { name: 'Plantão' }).first().focus()
        await page.keyboard.press('Enter')
        await page.getByRole('main').getByRole('link', { name: 'Mosaico' }).focus()
        await page.keyboard.press('Enter')
        const tile = page.getByRole('listitem').filter({ hasText: 'Doca' })
        await tile.getByRole('img', { name: /^Câmera Doca/ }).waitFor()
        // Something moves in it.
        await page.locator('li video[data-toca]').first().waitFor()
      })
      await step('alarm until somebody answers the last incidente on another screen', async () => {
        const { api } = own.admin
        // Without cameras no later incidente sounds.
        for (const { id } of await api.get<{ id: number }[]>('/cameras'))
          await api.call('PATCH', `/cameras/${id}`, { ativa: false })
        const before = sound.tones()
        await waitFor('one more alarm', () => sound.tones() > before, { timeoutMs: 60_000 })
        for (const { id } of await api.get<{ id: number }[]>('/incidentes?atendido=false'))
          await api.call('POST', `/incidentes/${id}/atendimento`, { resposta: 'verdadeiro' })
        await sound.silent(ALTA.everyMs * 1.5)
      })
      await step('a usuario sees the answer without buttons', async () => {
        await enter(reader)
        await page.getByRole('radio', { name: 'Respondidos' }).focus()
        await page.keyboard.press('Space')
        await panel.getByText(/^Verdadeiro: atendido por ana-\d+ às/).waitFor()
        if ((await panel.getByRole('button', { name: /Verdadeiro|Falso|Silenciar/ }).count()) > 0)
          throw new Error('a usuario has answer buttons')
      })
      await step('book of occurrences of a usuario', async () => {
        await page.goto(`${base}/livro`)
        await page.getByRole('article').getByText(guard.username).first().waitFor()
        if ((await page.getByRole('button', { name: 'Escrever no livro' }).count()) > 0)
          throw new Error('a usuario writes into the book')
      })
    } finally {
      await otherScreen.close()
    }
  },
}

/** Returns the session of a new screen in kiosk mode. */
async function startQuiosque({ base, token }: Api): Promise<string> {
  const response = await fetch(`${base}/api/v1/quiosques`, {
    method: 'POST',
    // As the browser of the screen, whose session ends with this request.
    headers: { cookie: `session=${token}`, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ nome: 'Portaria', papel: 'vigilante' }),
  })
  const session = /^session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (session === undefined) throw new Error(`no session of a quiosque: HTTP ${response.status}`)
  return session
}
