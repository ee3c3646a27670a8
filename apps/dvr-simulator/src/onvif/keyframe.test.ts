import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { requestKeyframe } from '@vigia/rtsp/onvif-keyframe'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { afterEach, expect, it } from 'vitest'
import { watchSession } from '../test/own-client.ts'

let recorder: RecorderProcess
let porta: number
afterEach(() => recorder?.close())

async function start(argumentos: readonly string[] = [], defeitos = {}) {
  porta = await freePort()
  recorder = await startRecorder({ argumentos: ['--onvif', String(porta), ...argumentos], defeitos })
}

const path = (canal: number, subtype: number) =>
  `/cam/realmonitor?channel=${canal}&subtype=${subtype}&unicast=true&proto=Onvif`
const ask = (more: object = {}) => {
  const { usuario, senha } = recorder
  return requestKeyframe(
    { host: '127.0.0.1', porta, usuario, senha, canal: 1, caminhos: [path(1, 0)], ...more },
    { allowed: parseAllowedCidrs('127.0.0.0/8'), signal: new AbortController().signal, prazoMs: 8_000 },
  )
}

it.each([
  ['1', 'token'],
  ['1', 'digest'],
  ['sem-encoder', 'token'],
  ['2', 'token'],
])('a device with Media %s and a %s sends a keyframe in the middle of a group', async (media, login) => {
  const long = { defeito: 'grupo_longo', quadros: 1_200 }
  await start(['--onvif-media', media, '--onvif-login', login], { 1: long })
  let skipped = 0
  let answer: Awaited<ReturnType<typeof ask>> | undefined
  const { units, end } = await watchSession({
    url: recorder.url(1, 'sub'),
    count: 2,
    onSkipped() {
      if (++skipped === 5) void ask({ caminhos: [path(1, 1)] }).then((result) => (answer = result))
    },
  })
  expect([answer, end]).toEqual([{ ok: true }, 'aborted'])
  expect(units.map(({ keyframe, ticks }) => [keyframe, ticks])).toEqual([
    [true, 0],
    [false, 9000],
  ])
  const { sincronias, quadros_chave } = await recorder.counts()
  expect([sincronias, quadros_chave[0]?.sub]).toEqual([['1_sub'], 0])
})

it('names a device that does not offer it, and a stream that no profile has', async () => {
  await start(['--sem-sincronia'])
  expect(await ask()).toEqual({ ok: false, falha: 'sem_sincronizacao' })
  expect(await ask({ caminhos: ['/outro'] })).toEqual({ ok: false, falha: 'fluxo_inexistente' })
  expect(await ask({ canal: 9 })).toEqual({ ok: false, falha: 'fluxo_inexistente' })
  expect((await recorder.counts()).sincronias).toEqual(['1_principal'])
})

it('sends a wrong password only once', async () => {
  await start()
  expect(await ask({ senha: 'errada' })).toEqual({ ok: false, falha: 'senha_recusada' })
  const { onvif_logins_recusados, sincronias } = await recorder.counts()
  expect([onvif_logins_recusados, sincronias]).toEqual([1, []])
})
