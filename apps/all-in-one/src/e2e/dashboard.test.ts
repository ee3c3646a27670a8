import type { EventoDetalhe } from '@vigia/contracts/eventos'
import type { Api } from '@vigia/testing/api'
import { openBrowser } from '@vigia/testing/browser'
import { type Installation, OPERATOR, startInstallation } from '@vigia/testing/installation'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('the dashboard in a real browser', () => {
  let recorder: RecorderProcess
  let vigia: Installation
  let api: Api
  let browser: Browser
  let page: Page
  const problems: string[] = []

  beforeAll(async () => {
    recorder = await startRecorder()
    vigia = await startInstallation({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8' })
    api = await vigia.signIn()
    browser = await openBrowser()
    page = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      locale: 'pt-BR',
      timezoneId: 'America/Sao_Paulo',
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(vigia.base) && !/^(data|blob):/.test(request.url())) problems.push(request.url())
    })
  })
  afterAll(async () => {
    await browser?.close()
    await vigia?.close()
    await recorder?.close()
  })

  it('a wrong password is told in a sentence, the right one leads to the alerts', async () => {
    await page.goto(vigia.base)
    await page.getByLabel('Usuário').fill(OPERATOR.username)
    await page.getByLabel('Senha', { exact: true }).fill('errada')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page
      .getByText(/senha.*(incorret|inválid|não confere)/i)
      .first()
      .waitFor()
    await page.getByLabel('Usuário').fill(OPERATOR.username)
    await page.getByLabel('Senha', { exact: true }).fill(OPERATOR.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByRole('link', { name: 'Alertas' }).waitFor()
    const cookies = await page.context().cookies()
    expect(cookies.find((cookie) => cookie.name === 'session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  })

  it('shows the camera with its status as it changes', async () => {
    const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Mercado Bom Preço' })
    await api.call('POST', '/cameras', {
      nome: 'Doca de carga',
      empresa_id: empresa.id,
      rtsp_url: recorder.url(1),
      sub_rtsp_url: recorder.url(1, 'sub'),
    })
    await page.getByRole('link', { name: 'Câmeras' }).click()
    await page.getByText('Doca de carga').first().waitFor({ timeout: 30_000 })
    await page.getByText('Online', { exact: true }).first().waitFor({ timeout: 60_000 })
  })

  it('an alert appears as it happens, with picture, verdict and reason', async () => {
    await page.getByRole('link', { name: 'Alertas' }).click()
    const alert = page
      .getByRole('article', { name: /Doca de carga/ })
      .filter({ hasText: /Confirmado/i })
      .first()
    await alert.waitFor({ timeout: 120_000 })
    await alert.getByText('Invasão').first().waitFor()
    await alert
      .getByText(/Segundo modelo/)
      .first()
      .waitFor()
    const picture = alert.getByRole('img').first()
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth), {
        timeout: 15_000,
      })
      .toBeGreaterThan(16)
  })

  it('a person says that the alarm was true, and the central keeps it', async () => {
    await page
      .getByRole('article', { name: /Doca de carga/ })
      .filter({ hasText: /Confirmado/i })
      .first()
      .click()
    const yes = page.getByRole('button', { name: 'Sim, verdadeiro' })
    await yes.click()
    await page.locator('button[aria-pressed="true"]', { hasText: 'Sim, verdadeiro' }).waitFor()
    const id = new URL(page.url()).searchParams.get('alerta')
    const { revisao } = await api.get<EventoDetalhe>(`/events/${id}`)
    expect(revisao).toMatchObject({ rotulo_humano: 'confirmado', revisor: OPERATOR.username })
    await page.getByRole('button', { name: 'Fechar' }).click()
  })

  it('a recorder is searched, and the chosen channel becomes a camera', async () => {
    await page.getByRole('link', { name: 'Câmeras' }).click()
    await page.getByRole('button', { name: 'Adicionar gravador' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Endereço IP ou nome').fill('127.0.0.1')
    await dialog.getByLabel('Porta RTSP').fill(String(recorder.porta))
    await dialog.getByLabel('Usuário do gravador').fill('vigia')
    await dialog.getByLabel('Senha do gravador').fill('errada')
    await dialog.getByLabel('Número de canais').fill('2')
    await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
    await dialog.locator('input[name=senha][aria-invalid=true]').waitFor({ timeout: 30_000 })
    await dialog.getByLabel('Senha do gravador').fill(recorder.senha)
    await dialog.getByRole('button', { name: 'Procurar câmeras' }).click()
    await dialog.getByLabel('Canal 1').waitFor({ timeout: 30_000 })
    await dialog.getByText('Já cadastrada: Doca de carga').waitFor()
    await dialog.getByLabel('Nome do gravador (opcional)').fill('DVR da doca')
    await dialog.getByRole('button', { name: 'Adicionar 1 câmera' }).click()
    await page
      .getByText(/DVR da doca/)
      .first()
      .waitFor({ timeout: 30_000 })
  })

  it('runs under the strict policy: nothing blocked, nothing loaded from elsewhere, no script error', () => {
    // The refused sign-in and the recorder's refused password are the errors that the console must show.
    expect(problems.filter((problem) => !/401|Unauthorized|422|Unprocessable/.test(problem))).toEqual([])
  })
})
