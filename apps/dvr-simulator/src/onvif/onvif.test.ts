import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { readDeviceClock } from '@vigia/rtsp/device-clock'
import { listOnvifChannels } from '@vigia/rtsp/onvif'
import { freePort } from '@vigia/testing/free-port'
import { runProgram } from '@vigia/testing/program'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { afterEach, describe, expect, it } from 'vitest'

let recorder: RecorderProcess
let porta: number
afterEach(() => recorder?.close())

async function start(...argumentos: string[]) {
  porta = await freePort()
  recorder = await startRecorder({ argumentos: ['--onvif', String(porta), ...argumentos] })
}
/** Largest number of slots held in parallel. */
let most = 0
const list = (more: object = {}) => {
  let open = 0
  const slots = {
    acquire: async () => {
      most = Math.max(most, ++open)
      return () => void open--
    },
  }
  const { usuario, senha } = recorder
  return listOnvifChannels(
    { host: '127.0.0.1', porta, usuario, senha, canais: [1, 2, 3, 4], ...more },
    { allowed: parseAllowedCidrs('127.0.0.0/8'), signal: new AbortController().signal, prazoMs: 15_000, slots },
  )
}
const path = (canal: number, subtype: number) =>
  `/cam/realmonitor?channel=${canal}&subtype=${subtype}&unicast=true&proto=Onvif`
const stream = (canal: number, subtype: number) => ({ porta: recorder.porta, caminho: path(canal, subtype) })

describe.each(['token', 'digest'])('a device that requires a %s', (login) => {
  it('reports for each video source the stream with the largest picture and the one with the smallest', async () => {
    // An unreachable host, to which the client must not connect.
    await start('--onvif-login', login, '--onvif-host', '203.0.113.9')
    most = 0
    expect(await list()).toEqual({
      ok: true,
      canais: [
        { canal: 1, estado: 'video', codec: 'h264', resolucao: '768x576', principal: stream(1, 0), sub: stream(1, 1) },
        { canal: 2, estado: 'video', codec: 'h264', resolucao: '768x576', principal: stream(2, 0), sub: stream(2, 1) },
        { canal: 3, estado: 'video', codec: 'h265', resolucao: '384x288', principal: stream(3, 0), sub: null },
        { canal: 4, estado: 'vazia', codec: null, resolucao: null, principal: null, sub: null },
      ],
    })
    const { onvif_conexoes_max, onvif_logins_recusados, logins_recusados } = await recorder.counts()
    expect([onvif_logins_recusados, logins_recusados]).toEqual([0, 0])
    expect(onvif_conexoes_max).toBeLessThanOrEqual(2)
    expect(most).toBeLessThanOrEqual(2)
    expect(recorder.program.output()).not.toContain(recorder.senha)
  })

  it('receives a wrong password only once, and no login when no password is set', async () => {
    await start('--onvif-login', login)
    expect(await list({ senha: 'errada' })).toMatchObject({ ok: false, falha: 'senha_recusada' })
    expect((await recorder.counts()).onvif_logins_recusados).toBe(1)
    expect(await list({ usuario: '', senha: '' })).toMatchObject({ ok: false, falha: 'senha_recusada' })
    const counts = await recorder.counts()
    expect([counts.onvif_logins_recusados, counts.logins_recusados, counts.describes]).toEqual([1, 0, 0])
  })
})

it.each(['2', 'sem-encoder'])('with the media service %s reports the same streams', async (form) => {
  await start('--onvif-media', form)
  const [first, second, third] = [1, 2, 3].map((canal) => ({ canal, principal: stream(canal, 0) }))
  expect(await list()).toMatchObject({
    ok: true,
    canais: [
      { ...first, estado: 'video', codec: 'h264', resolucao: '768x576', sub: stream(1, 1) },
      { ...second, estado: 'video', codec: 'h264', resolucao: '768x576', sub: stream(2, 1) },
      { ...third, estado: 'video', codec: 'h265', resolucao: '384x288', sub: null },
      { canal: 4, estado: 'vazia', principal: null },
    ],
  })
  const { onvif_logins_recusados, logins_recusados } = await recorder.counts()
  expect([onvif_logins_recusados, logins_recusados]).toEqual([0, 0])
})

it.each([-9, 14, 24 * 365 * 40])('with a clock %d hours ahead accepts the password', async (hours) => {
  await start(`--onvif-relogio=${hours * 3600}`)
  expect(await list({ canais: [2] })).toMatchObject({ ok: true, canais: [{ canal: 2, estado: 'video' }] })
  expect((await recorder.counts()).onvif_logins_recusados).toBe(0)
})

it.each([
  ['reports local time as UTC', 0, -3, 1],
  ['has local time as its clock, and reports UTC', -3, 3, 1],
  ['has and reports another time', -9, 0, 0],
])('accepts the password of a device that %s', async (_name, clockH, reportedH, refused) => {
  await start(`--onvif-relogio=${clockH * 3600}`, `--onvif-hora-dita=${reportedH * 3600}`)
  process.env.TZ = 'America/Sao_Paulo'
  try {
    expect(await list({ canais: [2] })).toMatchObject({ ok: true, canais: [{ canal: 2, estado: 'video' }] })
  } finally {
    delete process.env.TZ
  }
  expect((await recorder.counts()).onvif_logins_recusados).toBe(refused)
})

it.each([
  [0, 1],
  [50_000, 1],
  // A time zone explains the difference: the right time is tried too, and refused for its time, then the last one.
  [9 * 3600, 3],
])('whose clock is %i s ahead receives a wrong password so many times: %i', async (aheadS, refused) => {
  await start(`--onvif-relogio=${aheadS}`)
  expect(await list({ senha: 'errada' })).toMatchObject({ ok: false, falha: 'senha_recusada' })
  expect((await recorder.counts()).onvif_logins_recusados).toBeLessThanOrEqual(refused)
})

it('receives the password itself only if that was chosen, and only from a private network', async () => {
  await start('--onvif-login', 'texto')
  expect(await list({ canais: [1] })).toMatchObject({ ok: false, falha: 'senha_recusada' })
  expect(await list({ canais: [1], senha_em_texto: true })).toMatchObject({ ok: true, canais: [{ estado: 'video' }] })
  const wrong = await list({ canais: [1], senha: 'errada', senha_em_texto: true })
  expect(wrong).toMatchObject({ ok: false, falha: 'senha_recusada' })
  expect((await recorder.counts()).onvif_logins_recusados).toBe(2)
  expect(recorder.program.output()).not.toContain(recorder.senha)
})

it('names the reported port of RTSP when it does not answer, and uses a typed one in its place', async () => {
  const closed = await freePort()
  await start('--onvif-rtsp', String(closed))
  expect(await list({ canais: [1] })).toMatchObject({ ok: false, falha: 'inalcancavel', porta: closed })
  const typed = await list({ canais: [1], porta_rtsp: recorder.porta })
  expect(typed).toMatchObject({ ok: true, canais: [{ canal: 1, estado: 'video', resolucao: '768x576' }] })
})

it('answers only for the requested channels', async () => {
  await start()
  expect(await list({ canais: [3, 9] })).toMatchObject({
    ok: true,
    canais: [
      { canal: 3, principal: stream(3, 0) },
      { canal: 9, estado: 'vazia', principal: null },
    ],
  })
  expect((await recorder.counts()).describes).toBe(1)
})

it.each([
  [['--onvif', 'x'], 'Configuração inválida: --onvif precisa ser um número.'],
  [['--onvif', '0', '--onvif-login', 'x'], 'Configuração inválida: --onvif-login precisa ser token, texto ou digest.'],
])('rejects %j with one line', async (args, sentence) => {
  const { code, output } = await runProgram({ entry: 'apps/dvr-simulator/src/main.ts', args })
  expect([code, output.trim()]).toEqual([1, sentence])
})

it('reports its clock without a login', async () => {
  await start('--onvif-relogio', '3600')
  const options = { allowed: parseAllowedCidrs('127.0.0.0/8'), signal: new AbortController().signal, prazoMs: 15_000 }
  const clock = await readDeviceClock('127.0.0.1', { ...options, ports: [recorder.porta, porta] })
  expect(clock?.zoneMin).toBeNull()
  expect(Math.abs((clock?.offsetMs ?? 0) - 3_600_000)).toBeLessThan(2_000)
  expect(await readDeviceClock('127.0.0.1', { ...options, ports: [recorder.porta] })).toBeNull()
})
