import { randomUUID } from 'node:crypto'
import { jpegSize } from '@vigia/link/jpeg-size'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProbeSlots } from '../capture/connection-slots.ts'
import { createStillTaker, type StillTaker } from '../stills/still-taker.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { createCanalPictureHandler } from './capture-canal.ts'

const FORMS = [1, 0].map((subtype) => `{base}/cam/realmonitor?channel={channel}&subtype=${subtype}`)
const FOOTAGE = 'apps/dvr-simulator/footage'
const CANAL = `${FOOTAGE}/campus-a-principal.mp4,${FOOTAGE}/campus-a-sub.mp4`
let recorder: RecorderProcess
let stills: StillTaker
let handle: ReturnType<typeof createCanalPictureHandler>['capturar_canal']

beforeAll(async () => {
  recorder = await startRecorder({
    canais: Array.from({ length: 9 }, () => CANAL),
    defeitos: {
      4: { defeito: 'redireciona', para: 'rtsp://169.254.1.1:1/' },
      5: 'vazio_404',
      6: 'sem_pacotes',
      7: 'codec_desconhecido',
      8: 'tcp_sem_pacotes',
      9: 'vazio_503',
    },
    argumentos: ['--onvif', '0'],
  })
  stills = createStillTaker({ log: pino({ level: 'silent' }) })
  const slots = createProbeSlots(createOwnSlots(createHostSlots(2)))
  handle = createCanalPictureHandler({ allowed: parseAllowedCidrs('127.0.0.0/8'), slots, stills }).capturar_canal
})
afterAll(async () => {
  stills.stop()
  await recorder.close()
})

const capture = (change: object = {}, prazoMs = 20_000, { signal } = new AbortController()) =>
  handle(
    {
      acao: 'capturar_canal',
      host: '127.0.0.1',
      porta: recorder.porta,
      canal: 3,
      lado_maximo: 160,
      usuario: recorder.usuario,
      senha: recorder.senha,
      modelos: FORMS,
      ...change,
    },
    { id: randomUUID(), signal, prazoMs },
  )
const failed = (falha: string) => ({ ok: false, falha })

it('takes one small picture of a canal', async () => {
  const answer = await capture()
  expect(answer).toMatchObject({ ok: true, resultado: { largura: 160, altura: 120 } })
  expect(jpegSize((answer.ok && answer.corpo) || Buffer.alloc(0))).toEqual({ width: 160, height: 120 })
})

it('takes the pictures of many canais, two at a time', async () => {
  const answers = await Promise.all([1, 2, 3, 1, 2].map((canal) => capture({ canal })))
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true, true])
  expect((await recorder.counts()).conexoes_max).toBeLessThanOrEqual(2)
})

it('takes the picture of a canal that sends over UDP only', async () => {
  expect(await capture({ canal: 8 })).toMatchObject({ ok: true, resultado: { largura: 160 } })
})

it('tries a refused password once', async () => {
  const before = (await recorder.counts()).logins_recusados
  expect(await capture({ senha: 'errada' })).toEqual(failed('senha_recusada'))
  expect((await recorder.counts()).logins_recusados).toBe(before + 1)
})

it.each(['169.254.1.1', '0.0.0.0', '[::1]', 'localhost4.invalid.'])('does not connect to %s', async (host) => {
  expect(await capture({ host })).toMatchObject({ ok: false })
})

const causa = (motivo: string, complemento: string | null = null) => ({ causa: { motivo, complemento } })

it.each([
  [4, 'fluxo_inexistente', causa('redirecionado', 'respondeu 302 a DESCRIBE: rtsp://169.254.1.1:1')],
  [5, 'fluxo_inexistente', causa('nao_encontrado')],
  [7, 'fluxo_inexistente', causa('codec_nao_suportado', 'FOO')],
  [9, 'ocupado', causa('equipamento_ocupado', 'respondeu 503 a DESCRIBE')],
] as const)('says why canal %i has no picture: %s', async (canal, falha, seen) => {
  expect(await capture({ canal })).toEqual({ ...failed(falha), ...seen })
})

it('says why no device answered, and that no picture came in time', async () => {
  expect(await capture({ canal: 6 }, 3_000)).toEqual(failed('sem_quadro'))
  expect(await capture({ porta: 1 })).toEqual({ ...failed('inalcancavel'), ...causa('conexao_recusada') })
})
