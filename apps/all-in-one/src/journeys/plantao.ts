import type { Api } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'
import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

interface IncidenteView {
  readonly id: number
  readonly veredito: string
  readonly atendimento: { readonly resposta: string; readonly revisor: string } | null
}

/** A guard works by keyboard alone, beside a second screen of the administrador and one that only reads. */
export const plantao: Journey = {
  name: 'plantao',
  // The browser blocks the sound in the first step, and requests fail in the one without contact.
  expected: [/AudioContext was not allowed/, /net::ERR_/, /Failed to load resource/, /vigia: .* interrompido/],
  async run({ page, base, recorder, account, login, enter, step, narrow }) {
    const own = await account()
    const addCamera = (nome: string) =>
      own.admin.api.call('POST', '/cameras', {
        nome: `${nome} ${HOSTILE}`,
        rtsp_url: recorder.url(1),
        sub_rtsp_url: recorder.url(1, 'sub'),
      })
    await addCamera('Portão')
    await step('screen in kiosk mode: only Plantão, with sound after one touch', async () => {
      await page.context().addCookies([{ name: 'session', value: await startQuiosque(own.admin.api), url: base }])
      await page.goto(base)
      // Playwright's own evaluations count as an interaction, which would allow the sound.
      const session = await page.context().newCDPSession(page)
      const expression = "document.body.textContent.includes('Som bloqueado: toque aqui')"
      const isBlocked = async () =>
        (await session.send('Runtime.evaluate', { expression, userGesture: false })).result.value === true
      await waitFor('the blocked sound', isBlocked)
      await page.keyboard.press('Tab')
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
    await step('incidente with the whole frame', async () => {
      await enter(guard)
      await panel.getByRole('img', { name: /^Quadro inteiro/ }).waitFor()
      await panel.getByText('Sem resposta').waitFor()
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
      await step('mosaic', async () => {
        if (narrow) {
          await page.getByRole('radio', { name: 'Câmeras' }).focus()
          await page.keyboard.press('Space')
        }
        await page
          .getByRole('figure')
          .getByRole('img', { name: /^Câmera Doca/ })
          .waitFor()
        if (narrow) {
          await page.getByRole('radio', { name: 'Incidentes' }).focus()
          await page.keyboard.press('Space')
        }
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
        await page.keyboard.press('v')
        await page.getByText(`Verdadeiro: atendido por ${guard.username} às`).waitFor()
      })
      await step('evento page', async () => {
        await page
          .getByRole('link', { name: /^Abrir evento/ })
          .first()
          .focus()
        await page.keyboard.press('Enter')
        await page.getByText('O que foi visto').waitFor()
      })
      await step('a usuario sees the answer without buttons', async () => {
        await enter(reader)
        await page.getByRole('radio', { name: 'Respondidos' }).focus()
        await page.keyboard.press('Space')
        await panel.getByText(`Verdadeiro: atendido por ${guard.username} às`).waitFor()
        if ((await panel.getByRole('button', { name: /Verdadeiro|Falso|Silenciar/ }).count()) > 0)
          throw new Error('a usuario has answer buttons')
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
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ nome: 'Portaria', papel: 'vigilante' }),
  })
  const session = /^session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (session === undefined) throw new Error(`no session of a quiosque: HTTP ${response.status}`)
  return session
}
