import type { GravacaoContinua } from '@vigia/contracts/gravacao-continua'
import type { Gravacao } from '@vigia/contracts/gravacoes'
import { waitFor } from '@vigia/testing/wait'
import type { Page } from 'playwright-core'
import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'
import { hearCamera } from './hear-camera.ts'
import { walkTest } from './walk-test.ts'

/** Points of a triangle on the picture, as fractions. */
const TRIANGLE = [
  [0.2, 0.3],
  [0.8, 0.3],
  [0.5, 0.8],
] as const

/** Fractions of the width and of the height. */
type Fraction = readonly [number, number]
/** Movements of a finger in one drag: a browser that scrolls takes the finger away after the first. */
const DRAG_STEPS = 6

/** Large enough for a finger between its points on a phone. */
const LARGE_TRIANGLE = [
  [0.05, 0.05],
  [0.95, 0.05],
  [0.5, 0.95],
] as const

/** Runs in the browser. */
const widthOf = (element: unknown) => (element as { videoWidth: number }).videoWidth

const ZONA = `Gramado ${HOSTILE.slice(0, 50)}`

/** Opens each tab of a camera, changes what it offers, and reads the change back from the API. */
export const camera: Journey = {
  name: 'camera',
  expected: [/409 \(Conflict\)/, /422 \(Unprocessable Entity\)/],
  async run({ page, base, operator, recorder, onvifPorta, account, login, enter, step }) {
    const own = await account()
    const nome = `Pátio ${HOSTILE}`
    const sources = { rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') }
    const { usuario, senha } = recorder
    await waitFor('the edge', async () =>
      (await operator.api.get<{ status: string }[]>('/edges')).some(({ status }) => status === 'online'),
    )
    const { cameras } = await own.admin.api.call<{ cameras: { id: number }[] }>('POST', '/gravadores/cadastrar', {
      fabricante: 'onvif',
      host: '127.0.0.1',
      porta: onvifPorta,
      usuario,
      senha,
      num_canais: 1,
      canais: [{ canal: 1, nome }],
      empresa_id: own.empresaId,
    })
    const id = cameras[0]?.id ?? 0
    // No form of playback is known for this address of the main stream.
    const unknown = { rtsp_url: sources.rtsp_url.replace(/\/cam\/.*/, '/stream1'), eventos_habilitados: [] }
    const doca = await own.admin.api.call<{ id: number }>('POST', '/cameras', { nome: 'Doca', ...sources, ...unknown })
    const stored = () => own.admin.api.get<Record<string, unknown>>(`/cameras/${id}`)
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    const tab = async (area: string, part?: string) => {
      await link(area).click()
      if (part !== undefined) await link(part).click()
    }
    const save = async () => {
      await page.getByRole('button', { name: 'Salvar', exact: true }).click()
      await page.getByText('Tudo salvo.').waitFor()
    }
    const expectStored = async (field: string, expected: unknown) => {
      const value = (await stored())[field]
      if (JSON.stringify(value) !== JSON.stringify(expected))
        throw new Error(`${field} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`)
    }
    await enter(own.admin)
    await step('live picture', async () => {
      await page.goto(`${base}/cameras`)
      await page.getByRole('article', { name: nome }).getByText('Online', { exact: true }).waitFor({ timeout: 60_000 })
      await page.getByRole('link', { name: nome }).click()
      const video = page.getByLabel(/^Vídeo ao vivo da câmera/)
      const playedS = () => video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime)
      const begunS = await waitFor('the first picture', async () => (await playedS()) || null)
      await waitFor('the picture to move', async () => (await playedS()) > begunS + 1)
      await page.getByText('Secundário', { exact: true }).click()
      await waitFor('the sub stream', async () => (await video.evaluate(widthOf)) === 384)
    })
    await step('digital zoom', async () => {
      await page.getByRole('button', { name: /^Zoom:/ }).focus()
      for (const key of ['+', '+', 'ArrowRight']) await page.keyboard.press(key)
      await page.locator('[style*="scale(1.5625)"]').waitFor()
    })
    await step('analysed picture', async () => {
      await page.getByText('Análise', { exact: true }).click()
      await page.getByRole('img', { name: /^Imagem ao vivo da câmera/ }).waitFor()
    })
    await step('camera moved by a key, which stops when the key is let go', async () => {
      await page.getByRole('button', { name: 'Mover a câmera', exact: true }).click()
      await page.getByRole('button', { name: /^Mover: arraste/ }).focus()
      await page.keyboard.down('ArrowRight')
      await waitFor('the move', async () => (await recorder.counts()).ptz_em_movimento === 1)
      await page.getByText('A câmera está fora da posição inicial.', { exact: false }).waitFor()
      await page.keyboard.up('ArrowRight')
      await waitFor('the stop', async () => (await recorder.counts()).ptz_em_movimento === 0)
    })
    await step('home position set and reached', async () => {
      await page.getByRole('button', { name: 'Definir posição inicial' }).click()
      await page.getByText('A câmera está fora', { exact: false }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Ir', exact: true }).click()
      await page.getByText('A câmera está fora', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Posição inicial', exact: true }).click()
      await page.getByText('A câmera está fora', { exact: false }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Mover a câmera', exact: true }).click()
    })
    await step('silenced camera', async () => {
      await page.getByRole('button', { name: 'Silenciar por 15 minutos' }).click()
      await page.getByText(`por ${own.admin.username}`).waitFor()
    })
    await step('ended silence', async () => {
      await page.getByRole('button', { name: 'Encerrar o silêncio' }).click()
      await page.getByRole('button', { name: 'Silenciar por 15 minutos' }).waitFor()
      await expectStored('silencio', null)
    })
    await step('Perfil with preview', async () => {
      await tab('O que vigia')
      await page.getByLabel('Perfil a aplicar').selectOption('comercio')
      await page.getByText('Liga Aglomeração').waitFor()
      await page.getByRole('button', { name: 'Usar este Perfil' }).click()
      await save()
      await expectStored('eventos_habilitados', ['invasao', 'aglomeracao', 'fogo', 'camera_obstruida'])
    })
    await step('drawn zone', async () => {
      await tab('O que vigia', 'Zonas e linha')
      await page.getByRole('img', { name: /^Imagem ao vivo da câmera/ }).waitFor()
      await page.getByRole('button', { name: 'Desenhar zona' }).click()
      for (const [x, y] of TRIANGLE) await tap(page, x, y)
      await page.getByRole('button', { name: 'Concluir zona' }).click()
      await page.getByRole('button', { name: 'Zona 1', exact: true }).waitFor()
    })
    await step('zone drawn and changed by touch', async () => {
      const touch = await startTouch(page)
      await page.getByRole('button', { name: 'Desenhar zona' }).click()
      for (const [x, y] of LARGE_TRIANGLE) await touch.tap(x, y)
      await page.getByRole('button', { name: 'Concluir zona' }).click()
      const first = (place: string) => page.getByRole('button', { name: `Zona 2, ponto 1 de 3: ${place}` }).waitFor()
      await first('5 % da esquerda, 5 % do alto')
      await touch.drag([0.05, 0.05], [0.2, 0.2])
      await first('20 % da esquerda, 20 % do alto')
      await touch.drag([0.55, 0.4], [0.6, 0.45])
      // Chromium holds back small movements of a finger, so the distance is not exact.
      await page
        .getByRole('button', { name: /^Zona 2, ponto 1 de 3: 2[1-5] % da esquerda, 2[1-5] % do alto/ })
        .waitFor()
      for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Desfazer' }).click()
      await page.getByRole('button', { name: 'Zona 2', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Zona 1', exact: true }).click()
    })
    await step('named zone', async () => {
      await page.getByLabel('Nome da zona 1').fill(ZONA)
      await page.getByRole('button', { name: ZONA, exact: true }).waitFor()
    })
    await step('line by keyboard, undone and done again', async () => {
      await page.getByRole('button', { name: 'Linha no meio' }).click()
      await page.getByRole('button', { name: /^Linha, ponto 1 de 2/ }).press('Shift+ArrowUp')
      await page.getByRole('button', { name: 'Linha, ponto 1 de 2: 20 % da esquerda, 55 % do alto' }).waitFor()
      await page.keyboard.press('Control+z')
      await page.keyboard.press('Control+Shift+Z')
      await save()
      await expectStored('linha', [
        [0.2, 0.55],
        [0.8, 0.6],
      ])
      await expectStored('nomes_zonas', [ZONA])
    })
    await step('change of another person', async () => {
      await page.getByRole('button', { name: 'Retângulo' }).click()
      await own.admin.api.call('PATCH', `/cameras/${id}`, { zonas: [] })
      await page.getByRole('button', { name: 'Salvar', exact: true }).click()
      await page.getByText(/^Outra pessoa mudou isto às/).waitFor()
      await expectStored('zonas', [])
    })
    await step('own change over it', async () => {
      await page.getByRole('button', { name: 'Salvar o meu por cima' }).click()
      await page.getByText('Tudo salvo.').waitFor()
    })
    await step('mask that covers in advance', async () => {
      await tab('Privacidade e som')
      // The tab before it has a live picture and a button of the same name.
      await page.getByRole('button', { name: 'Desenhar máscara' }).waitFor()
      await page.getByRole('img', { name: /^Imagem ao vivo da câmera/ }).waitFor()
      await page.getByRole('button', { name: 'Retângulo' }).click()
      await page.getByLabel('Prévia: cobrir de cinza, como a caixa cobre').check()
      await page.getByRole('button', { name: 'Máscara 1', exact: true }).waitFor()
      // The points of the picture must not lie under the head of the page.
      await page.evaluate('scrollTo(0, 0)')
    })
    await step('mask that the box applies', async () => {
      await save()
      await page.getByText('A caixa aplica estas máscaras.').waitFor()
      await expectStored('mascaras', [[0.3, 0.3, 0.7, 0.3, 0.7, 0.8, 0.3, 0.8]])
      await page.getByRole('button', { name: 'Remover Máscara 1' }).click()
      await save()
      await expectStored('mascaras', [])
    })
    await step('hours', async () => {
      await tab('O que vigia', 'Horários')
      const aglomeracao = page.getByRole('listitem').filter({ hasText: 'Aglomeração' })
      await aglomeracao.getByLabel('Das', { exact: true }).selectOption('9')
      await aglomeracao.getByRole('button', { name: 'dom', exact: true }).first().click()
      await aglomeracao.getByRole('button', { name: 'Mais uma janela: Aglomeração' }).click()
      await aglomeracao.getByLabel('Das', { exact: true }).last().selectOption('22.5')
      await save()
      const { agenda, horarios } = (await stored()) as Record<string, Record<string, unknown>>
      const expected = [
        { dias: [0, 1, 2, 3, 4, 5], inicio: '09:00', fim: '20:00' },
        { dias: [], inicio: '22:30', fim: '06:00' },
      ]
      if (JSON.stringify(horarios?.aglomeracao) !== JSON.stringify(expected)) throw new Error(JSON.stringify(horarios))
      const single = { inicio: 9, fim: 6, dias: [] }
      if (JSON.stringify(agenda?.aglomeracao) !== JSON.stringify(single)) throw new Error(JSON.stringify(agenda))
    })
    await step('holidays of the Empresa', async () => {
      await page.getByRole('button', { name: 'Editar as listas da Empresa' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Mais uma lista' }).click()
      await dialog.getByLabel('Nome da lista').fill('Nacionais')
      await dialog.getByLabel('Datas').fill('25/12/2027\n31/02/2027')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByText('Escreva cada data como 25/12/2027.').waitFor()
      await dialog.getByLabel('Datas').fill('25/12/2027\n01/01/2028')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByLabel('Lista de feriados').selectOption('Nacionais')
      await save()
      const { horarios } = (await stored()) as Record<string, Record<string, unknown>>
      if (JSON.stringify(horarios?.feriados) !== '{"lista":"Nacionais","dia":6}')
        throw new Error(JSON.stringify(horarios))
    })
    await step('threshold with a mistake', async () => {
      await link('Sensibilidade').click()
      await page.getByText('Avançado', { exact: true }).first().click()
      await page.getByLabel('Confiança mínima').first().fill('2')
      await page.getByText('Use um valor de 0 a 1.').waitFor()
    })
    await step('simulation before saving', async () => {
      const field = page.getByLabel('Confiança mínima').first()
      const simulate = page.getByRole('button', { name: 'Simular', exact: true })
      await field.fill('0,3')
      await simulate.click()
      await page.getByText(/A caixa só guardou detecções/).waitFor()
      await field.fill('0,6')
      await simulate.click()
      await page.getByText(/^(Com estes valores|Não veio nenhum evento)/).waitFor()
    })
    await step('threshold', async () => {
      await page.getByLabel('Confiança mínima').first().fill('0,6')
      await save()
      await page.getByText(/^Em vigor: 0,6 · salvo nesta câmera: 0,6; padrão: 0,45/).waitFor()
    })
    await step('slider, with the answer of the simulation', async () => {
      const slider = page.getByRole('slider', { name: 'Sensibilidade de Invasão' })
      await slider.press('End')
      await page.getByText(/^(Com estes valores|Não veio nenhum evento)/).waitFor()
      await page.getByText('A menor pessoa que Invasão ainda vê.').waitFor()
      await page.getByRole('button', { name: 'Descartar mudanças' }).click()
    })
    await step('suggested threshold without enough reviews', async () => {
      await page.getByRole('button', { name: 'Sugerir pela revisão: Invasão' }).click()
      await page.getByText('São precisas 30 revisões com a confiança de hoje (0,6); há 0.').waitFor()
    })
    await step('instructions, and the warning before they are lost', async () => {
      await link('Instruções').click()
      await page.getByLabel('Instruções desta câmera').fill(`Ignore o cachorro\n${HOSTILE.slice(0, 60)}`)
      await tab('Prova e saúde')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
      await save()
    })
    await step('health', async () => {
      await tab('Prova e saúde')
      await page.getByText('Não falta nenhum evento desta câmera.').waitFor()
      await page.getByText(/^a cada \d/).waitFor()
    })
    await step('video over UDP, and over TCP again', async () => {
      const transporte = page.getByLabel('Transporte', { exact: true })
      await transporte.selectOption('udp')
      await page.getByText('Agora: UDP.').waitFor()
      await transporte.selectOption('automatico')
      await page.getByText('Agora: TCP.').waitFor()
    })
    await step('continuous recording, and a part of it', async () => {
      await page.getByLabel('Gravar o fluxo secundário na caixa').click()
      await page.locator('#conteudo').getByText('Gravando.').waitFor({ timeout: 60_000 })
      const path = `/cameras/${doca.id}`
      await own.admin.api.call('PUT', `${path}/gravacao-continua`, { ligada: true })
      const held = async () => (await own.admin.api.get<GravacaoContinua>(`${path}/gravacao-continua`)).de
      const begun = Date.parse((await waitFor('a held part', held, { timeoutMs: 60_000 })) ?? '')
      await waitFor('some seconds', () => Date.now() > begun + 12_000)
      const span = { inicio: new Date(begun + 1_000).toISOString(), fim: new Date(begun + 4_000).toISOString() }
      const { id: pedido } = await own.admin.api.call<Gravacao>('POST', `${path}/gravacoes`, span)
      const fetched = async () => await own.admin.api.get<Gravacao>(`/gravacoes/${pedido}`)
      const settled = async () => ['pronta', 'falhou'].includes((await fetched()).estado)
      await waitFor('the recording', settled, { timeoutMs: 120_000 })
      const { estado, fonte, detalhe } = await fetched()
      if (estado !== 'pronta' || fonte !== 'caixa') throw new Error(`${estado} ${fonte} ${detalhe}`)
    })
    await step('continuous recording turned off', async () => {
      await page.getByLabel('Gravar o fluxo secundário na caixa').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Desligar e apagar' }).click()
      await page.locator('#conteudo').getByText('Desligada.').waitFor()
      await expectStored('gravacao_continua', false)
    })
    await hearCamera({ page, step, tab, expectStored })
    // Outside its hours an IA detects nobody.
    await own.admin.api.call('PATCH', `/cameras/${id}`, { agenda: {} })
    await walkTest({ page, step, tab, guard: operator.api })
    await step('events', async () => {
      await tab('Eventos e gravações')
      await page
        .locator('#conteudo')
        .getByText(/Nenhum evento desta câmera ainda|Invasão|Fogo/)
        .first()
        .waitFor()
    })
    await step('many cameras', async () => {
      await page.goto(`${base}/cameras`)
      await page.getByRole('link', { name: 'Mudar várias' }).click()
      await page.getByLabel('Todas as 2 da lista').check()
      await page.getByLabel('Mudança', { exact: true }).selectOption('perfil')
      await page.getByLabel('Perfil a aplicar').selectOption('condominio')
      await page.getByLabel('Ler placas: Doca').check()
      await page.getByRole('button', { name: 'Aplicar a 2 câmeras' }).click()
      await page.getByText('2 câmeras mudadas.').waitFor()
      await expectStored('eventos_habilitados', ['invasao', 'cruzamento_linha', 'permanencia', 'camera_obstruida'])
      const gate = await own.admin.api.get<{ modo_b_config: { ativo: boolean } | null }>(`/cameras/${doca.id}`)
      if (gate.modo_b_config?.ativo !== true) throw new Error('the named camera reads no plates')
    })
    await step('tabs of a vigilante', async () => {
      await enter(await login(own, 'vigilante'))
      await page.goto(`${base}/cameras/${id}`)
      await page.getByRole('button', { name: 'Silenciar por 15 minutos' }).click()
      await page.getByText(/^Silenciada até /).waitFor()
      if (await page.getByRole('link', { name: 'O que vigia' }).isVisible())
        throw new Error('a vigilante sees the editor')
    })
    await step('tabs of a usuario', async () => {
      await enter(await login(own, 'usuario'))
      await page.goto(`${base}/cameras/${id}/zonas`)
      await page.getByText(/^Silenciada até /).waitFor()
      if (await page.getByRole('button', { name: 'Encerrar o silêncio' }).isVisible())
        throw new Error('a usuario may end a silence')
      await page.getByRole('link', { name: 'Prova e saúde', exact: true }).waitFor()
      if (await page.getByRole('link', { name: 'O que vigia' }).isVisible())
        throw new Error('a usuario sees the editor')
      if (!page.url().endsWith(`/cameras/${id}`)) throw new Error(page.url())
    })
  },
}

/** Presses the picture at a fraction of its width and height. */
async function tap(page: Page, x: number, y: number): Promise<void> {
  const at = await pictureOf(page)
  await page.mouse.click(...at([x, y]))
}

/** A finger on the picture. The browser makes pointer events of it, and scrolls where the page lets it. */
async function startTouch(page: Page) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: readonly [number, number]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [{ x: at[0], y: at[1] }] : [] })
  const drag = async (from: Fraction, to: Fraction) => {
    const at = await pictureOf(page)
    await send('touchStart', at(from))
    for (let part = 1; part <= DRAG_STEPS; part += 1) {
      const between = (axis: 0 | 1) => from[axis] + ((to[axis] - from[axis]) * part) / DRAG_STEPS
      await send('touchMove', at([between(0), between(1)]))
    }
    await send('touchEnd')
  }
  return { drag, tap: (x: number, y: number) => drag([x, y], [x, y]) }
}

/** Returns the position of a fraction of the picture on the screen, CSS pixels. */
async function pictureOf(page: Page): Promise<(fraction: Fraction) => [number, number]> {
  const picture = page.getByRole('img', { name: /^Imagem ao vivo da câmera/ })
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  if (!box) throw new Error('no picture')
  return ([x, y]) => [box.x + x * box.width, box.y + y * box.height]
}
