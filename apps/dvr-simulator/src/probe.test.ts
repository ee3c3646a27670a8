import { fabricantes } from '@vigia/contracts/fabricantes'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import type { ProbeOptions } from '@vigia/rtsp/contact'
import { type ChannelsInput, probeChannels, probePorts } from '@vigia/rtsp/probe'
import { startRecorder } from '@vigia/testing/simulator'
import { afterEach, describe, expect, it } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'
import { footageFile } from './test/clips.ts'
import { connectClient } from './test/rtsp-client.ts'

const good = { usuario: 'admin', senha: 'p@ss:/#%& =ç' }
const video = { principal: footageFile('campus-b-sub.mp4') }
const h265 = { principal: footageFile('campus-c-h265.mp4') }
const allowed = parseAllowedCidrs('127.0.0.0/8')
const modelo = fabricantes.intelbras.principal
const running: Simulator[] = []

afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.stop()
})

async function start(options: Partial<SimulatorOptions> = {}) {
  const simulator = createSimulator({ porta: 0, canais: [video, null, h265, video], ...good, ...options })
  running.push(simulator)
  const { porta } = await simulator.start()
  const probe = (input: Partial<ChannelsInput> = {}, more: Partial<ProbeOptions> = {}) =>
    probeChannels(
      { modelo, host: '127.0.0.1', porta, canais: [1, 2, 3, 4], ...good, ...input },
      // A sixth of the usual time limit; all waits shrink by the same factor.
      { allowed, signal: new AbortController().signal, prazoMs: 5000, ...more },
    )
  return { simulator, porta, probe, counts: () => simulator.contagem }
}

const found = (canal: number, codec = 'h264') => ({ canal, estado: 'video', codec, resolucao: '384x288' })
const empty = (canal: number) => ({ canal, estado: 'vazia', codec: null, resolucao: null })
const silent = (canal: number) => ({ ...empty(canal), estado: 'sem_resposta' })
const wrong = { senha: 'outra' }

describe('probeChannels', () => {
  it.each(['md5', 'sha256', 'basic'] as const)(
    'reports codec and size of each channel in order (%s)',
    async (autenticacao) => {
      const { probe, counts } = await start({ autenticacao })
      expect(await probe({ canais: [4, 3, 2, 1] })).toEqual({
        ok: true,
        canais: [found(4), found(3, 'h265'), empty(2), found(1)],
      })
      expect(counts()).toMatchObject({ logins_recusados: 0, describes: 4 })
      expect(counts()?.conexoes_max).toBeLessThanOrEqual(2)
    },
  )

  it('describes a recorder without a password', async () => {
    const simulator = createSimulator({ porta: 0, canais: [null, video] })
    running.push(simulator)
    const { porta } = await simulator.start()
    for (const credentials of [good, { usuario: '', senha: '' }])
      expect(
        await probeChannels(
          { modelo, host: '127.0.0.1', porta, canais: [1, 2], ...credentials },
          { allowed, signal: new AbortController().signal },
        ),
      ).toEqual({ ok: true, canais: [empty(1), found(2)] })
  })

  it.each(['giga', 'xm', 'hikvision', 'hikvision_antigo', 'tecvoz_tw', 'multilaser', 'uniview', 'reolink'] as const)(
    'describes a recorder in the address form of %s',
    async (fabricante) => {
      const { probe, counts } = await start()
      expect(await probe({ modelo: fabricantes[fabricante].principal, canais: [1, 2, 3] })).toEqual({
        ok: true,
        canais: [found(1), empty(2), found(3, 'h265')],
      })
      expect(counts()).toMatchObject({ logins_recusados: 0 })
    },
  )

  it('reports a camera without channel numbers only once', async () => {
    const { probe, counts } = await start()
    const { principal } = fabricantes.tplink
    expect(await probe({ modelo: principal })).toEqual({ ok: true, canais: [found(1), empty(2), empty(3), empty(4)] })
    expect(await probe({ modelo: principal, canais: [3] })).toEqual({ ok: true, canais: [empty(3)] })
    expect(counts()).toMatchObject({ describes: 1 })
  })

  it.each(['vazio_404', 'vazio_454', 'vazio_503', 'sem_video'] as const)(
    'continues after channels that answer %s, and reports them as empty',
    async (canalVazio) => {
      const canais = [...Array(6).fill(null), video, ...Array(9).fill(null)]
      const { probe, counts } = await start({ canalVazio, canais })
      const numbers = canais.map((_, index) => index + 1)
      expect(await probe({ canais: numbers })).toEqual({
        ok: true,
        canais: numbers.map((canal) => (canal === 7 ? found(7) : empty(canal))),
      })
      expect(counts()).toMatchObject({ logins_recusados: 0 })
      expect(counts()?.conexoes_max).toBeLessThanOrEqual(2)
    },
  )

  it('distinguishes a silent channel from an empty channel, within the time limit of each', async () => {
    const { probe } = await start({ defeitos: { 1: 'mudo', 4: 'cabecalho_sem_fim' } })
    expect(await probe()).toEqual({ ok: true, canais: [silent(1), empty(2), found(3, 'h265'), silent(4)] })
  })

  it('reports the name of an unknown codec, and drops an invalid name', async () => {
    const { probe } = await start({ defeitos: { 1: 'codec_desconhecido' } })
    expect(await probe({ canais: [1] })).toMatchObject({ ok: true, canais: [{ estado: 'video', codec: 'foo' }] })
  })

  it('does not follow a redirection to another address, and names it', async () => {
    const elsewhere = await start({ host: '127.0.0.9' })
    const para = `rtsp://127.0.0.9:${elsewhere.porta}/cam/realmonitor?channel=1&subtype=0`
    const { probe } = await start({ defeitos: { 1: { defeito: 'redireciona', para } } })
    const moved = { ...empty(1), outro_endereco: `rtsp://127.0.0.9:${elsewhere.porta}` }
    expect(await probe({ canais: [1, 3] })).toEqual({ ok: true, canais: [moved, found(3, 'h265')] })
    expect(elsewhere.counts()).toMatchObject({ conexoes_max: 0 })
  })

  it('follows a redirection to the same address', async () => {
    const { probe, counts, porta } = await start({ defeitos: { 1: 'redireciona_caminho' } })
    expect(await probe({ canais: [1, 3] })).toEqual({ ok: true, canais: [found(1), found(3, 'h265')] })
    expect(counts()).toMatchObject({ logins_recusados: 0 })
    const para = `rtsp://localhost:${porta}/cam/realmonitor?channel=3&subtype=0`
    const other = await start({ defeitos: { 1: { defeito: 'redireciona', para } } })
    expect(await other.probe({ canais: [1] })).toEqual({ ok: true, canais: [found(1, 'h265')] })
  })

  it.each(['cseq_zero', 'sem_cseq', 'options_404', 'options_405', 'macro'] as const)(
    'describes the channels of a recorder with the oddity %s',
    async (defeito) => {
      for (const autenticacao of ['md5', 'sha256'] as const) {
        const { probe, counts } = await start({ autenticacao, defeitos: { 1: defeito, 3: defeito } })
        expect(await probe()).toEqual({ ok: true, canais: [found(1), empty(2), found(3, 'h265'), found(4)] })
        expect(counts()).toMatchObject({ logins_recusados: 0 })
      }
    },
  )

  it('signs again after the nonce has expired', async () => {
    const { probe, counts } = await start({ defeitos: { 1: 'nonce_vencido', 3: 'nonce_vencido' } })
    expect(await probe()).toEqual({ ok: true, canais: [found(1), empty(2), found(3, 'h265'), found(4)] })
    expect(counts()).toMatchObject({ logins_recusados: 0 })
  })
})

describe('a wrong password', () => {
  const many = Array.from({ length: 16 }, (_, index) => index + 1)

  it.each(['md5', 'sha256', 'basic'] as const)('causes one failed login and no lock-out (%s)', async (autenticacao) => {
    const { probe, counts, porta } = await start({ autenticacao, bloqueioApos: 2, canais: Array(16).fill(video) })
    expect(await probe({ canais: many, ...wrong })).toEqual({ ok: false, falha: 'senha_recusada' })
    expect(counts()).toMatchObject({ logins_recusados: 1, conexoes_max: 1 })
    const client = await connectClient(porta, good)
    const uri = `rtsp://127.0.0.1:${porta}/cam/realmonitor?channel=1&subtype=0`
    expect((await client.request('DESCRIBE', uri)).status).toBe(200)
    client.close()
  })

  it.each(['giga', 'xm'] as const)('causes one failed login when the URL path contains it (%s)', async (fabricante) => {
    const { probe, counts } = await start({ canais: Array(16).fill(video) })
    expect(await probe({ modelo: fabricantes[fabricante].principal, canais: many, ...wrong })).toEqual({
      ok: false,
      falha: 'senha_recusada',
    })
    expect(counts()).toMatchObject({ logins_recusados: 1, conexoes_max: 1 })
  })

  it('causes one failed login when the first channels require no password', async () => {
    const { probe, counts } = await start({
      canais: Array(16).fill(video),
      defeitos: { 1: 'mudo', 2: 'mudo', 3: 'mudo' },
    })
    expect(await probe({ canais: many, ...wrong })).toEqual({ ok: false, falha: 'senha_recusada' })
    expect(counts()).toMatchObject({ logins_recusados: 1 })
  })

  it('causes no failed login when it is empty', async () => {
    const { probe, counts } = await start()
    expect(await probe({ usuario: '', senha: '' })).toEqual({ ok: false, falha: 'senha_recusada' })
    expect(counts()).toMatchObject({ logins_recusados: 0 })
  })
})

describe('a recorder at its limit', () => {
  it.each(['ocupado_401', 'ocupado_403', 'ocupado_453', 'ocupado_503', 'corta'] as const)(
    'gets a retry after a temporary %s that follows a success, and no report of a wrong password',
    async (defeito) => {
      const { probe } = await start({ defeitos: { 3: { defeito, vezes: 1 }, 4: { defeito, vezes: 1 } } })
      expect(await probe()).toEqual({ ok: true, canais: [found(1), empty(2), found(3, 'h265'), found(4)] })
    },
  )

  it.each([
    ['ocupado_403', 1],
    ['ocupado_503', 2],
    ['corta', 2],
  ] as const)('gets a retry after %s on the first channel', async (defeito, vezes) => {
    const { probe } = await start({ defeitos: { 1: { defeito, vezes } } })
    expect(await probe()).toMatchObject({ ok: true, canais: [found(1), empty(2), found(3, 'h265'), found(4)] })
  })

  it.each(['ocupado_401', 'ocupado_403', 'ocupado_453', 'corta'] as const)(
    'has no result for a channel that always answers %s',
    async (defeito) => {
      const { probe } = await start({ defeitos: { 3: { defeito, vezes: 99 } } })
      expect(await probe()).toEqual({ ok: true, canais: [found(1), empty(2), silent(3), found(4)] })
    },
  )

  it.each([
    ['ocupado_403', 'ocupado'],
    ['ocupado_503', 'ocupado'],
    ['mudo', 'inalcancavel'],
    ['corta', 'ocupado'],
  ] as const)('that answers %s on every channel is reported as %s', async (defeito, falha) => {
    const quirk = { defeito, vezes: 99 }
    const { probe, counts } = await start({ defeitos: { 1: quirk, 2: quirk, 3: quirk, 4: quirk } })
    expect(await probe()).toMatchObject({ ok: false, falha })
    expect(await probe({ canais: [1] })).toMatchObject({ ok: false, falha })
    expect(counts()).toMatchObject({ logins_recusados: 0 })
  })

  it('gets one connection at a time after it answered 401 to a second one', async () => {
    const canais = Array.from({ length: 24 }, (_, index) => index + 1)
    const { probe, counts } = await start({ conexoes401: 1, canais: canais.map(() => video) })
    let connections = 0
    const slots = {
      async acquire() {
        connections++
        return () => {}
      },
    }
    const result = await probe({ canais }, { slots, prazoMs: 10_000 })
    expect(result).toEqual({ ok: true, canais: canais.map((canal) => found(canal)) })
    expect(counts()).toMatchObject({ logins_recusados: 0, conexoes_max: 2 })
    // One connection per channel, plus the few refused ones before the limit was detected.
    expect(connections).toBeLessThanOrEqual(24 + 3)
  })

  it('gets one connection at a time after it answered 503 to a second one', async () => {
    const { probe } = await start({ maxConexoes: 1, canais: Array(8).fill(video) })
    const canais = [1, 2, 3, 4, 5, 6, 7, 8]
    expect(await probe({ canais })).toEqual({ ok: true, canais: canais.map((canal) => found(canal)) })
  })
})

describe('limits', () => {
  it('ends in time with 32 silent channels', async () => {
    const canais = Array.from({ length: 32 }, (_, index) => index + 1)
    const { probe, counts } = await start({ defeitos: Object.fromEntries(canais.map((canal) => [canal, 'mudo'])) })
    expect(await probe({ canais }, { prazoMs: 6000 })).toMatchObject({ ok: false, falha: 'inalcancavel' })
    // The limit leaves no time to ask all of them.
    expect(counts()?.describes).toBeLessThan(canais.length)
    expect(counts()?.conexoes_max).toBe(2)
  })

  it('returns its results at the time limit', async () => {
    const { probe, counts } = await start({ defeitos: { 2: 'mudo', 3: 'mudo', 4: 'mudo' } })
    expect(await probe({}, { prazoMs: 300 })).toEqual({ ok: true, canais: [found(1), silent(2), silent(3), silent(4)] })
    // Without a limit every channel would be asked.
    expect(counts()?.describes).toBeLessThan(4)
  })

  it('stops at once and closes its connections when aborted', async () => {
    const { probe, counts } = await start({ defeitos: { 3: 'mudo' } })
    const abort = new AbortController()
    const probing = probe({}, { signal: abort.signal })
    await expect.poll(counts).toMatchObject({ describes: 3 })
    abort.abort()
    expect(await probing).toEqual({ ok: false, falha: 'cancelado' })
    await expect.poll(counts).toMatchObject({ conexoes: 0 })
    expect(await probe({}, { signal: abort.signal })).toEqual({ ok: false, falha: 'cancelado' })
  })

  it('holds a slot of the canonical host for each connection', async () => {
    const { probe } = await start()
    const log: string[] = []
    const slots = {
      async acquire(url: string) {
        log.push(`+${new URL(url).hostname}`)
        return () => log.push('-')
      },
    }
    expect(await probe({ host: '127.1' }, { slots })).toMatchObject({ ok: true })
    expect(log.filter((entry) => entry === '+127.0.0.1')).toHaveLength(4)
    expect(log.filter((entry) => entry === '-')).toHaveLength(4)
    // The first channel runs alone, then at most two in parallel.
    expect(log.slice(0, 2)).toEqual(['+127.0.0.1', '-'])
  })

  it('reports a timeout when it receives no slot in time', async () => {
    const { probe, counts } = await start()
    const slots = {
      acquire: (_url: string, signal: AbortSignal) =>
        new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null))),
    }
    expect(await probe({}, { slots, prazoMs: 200 })).toEqual({ ok: false, falha: 'prazo_esgotado' })
    expect(counts()).toMatchObject({ conexoes_max: 0 })
  })

  it('connects to no address that the policy refuses', async () => {
    const { probe, counts } = await start()
    const none = parseAllowedCidrs('')
    for (const host of ['127.0.0.1', 'localhost', '127.1', '::ffff:127.0.0.1'])
      expect(await probe({ host }, { allowed: none })).toEqual({ ok: false, falha: 'endereco_recusado' })
    expect(counts()).toMatchObject({ conexoes_max: 0 })
  })
})

describe('ports', () => {
  const probing = (portas: readonly number[], credentials: { usuario: string; senha: string } = good) =>
    probePorts({ host: '127.0.0.1', portas, ...credentials }, { allowed, signal: new AbortController().signal })

  it('reports the answer of each port and whether it accepted the credentials', async () => {
    const [one, open] = [await start(), createSimulator({ porta: 0, canais: [video] })]
    running.push(open)
    const guest = (await open.start()).porta
    const answer = (porta: number, detalhe: RegExp) => ({
      porta,
      tcp: true,
      rtsp: true,
      detalhe: expect.stringMatching(detalhe),
    })
    expect(await probing([guest, one.porta])).toEqual({
      ok: true,
      portas: [answer(guest, /sem pedir senha/), answer(one.porta, /aceitos/)],
    })
    expect(await probing([one.porta], { usuario: '', senha: '' })).toEqual({
      ok: true,
      portas: [answer(one.porta, /pede usuário e senha\.$/)],
    })
    expect(one.counts()).toMatchObject({ logins_recusados: 0 })
  })

  it('tries a wrong password on only one of the ports that require a login', async () => {
    const recorders = [await start(), await start(), await start()]
    const portas = recorders.map(({ porta }) => porta)
    const result = await probing(portas, { ...good, senha: 'outra' })
    const details = result.ok ? result.portas.map(({ detalhe }) => detalhe) : []
    expect(details.filter((detalhe) => /recusou/.test(detalhe ?? ''))).toHaveLength(1)
    expect(details.filter((detalhe) => /não foram tentados/.test(detalhe ?? ''))).toHaveLength(2)
    expect(recorders.map(({ counts }) => counts()?.logins_recusados).sort()).toEqual([0, 0, 1])
  })
})

it('works with the recorder as a separate process', async () => {
  const recorder = await startRecorder({ defeitos: { 3: { defeito: 'ocupado_453', vezes: 1 } } })
  const { porta, usuario, senha } = recorder
  const probe = (password: string) =>
    probeChannels(
      { modelo, host: '127.0.0.1', porta, usuario, senha: password, canais: [1, 2, 3, 4] },
      { allowed, signal: new AbortController().signal },
    )
  expect(await probe(senha)).toMatchObject({
    ok: true,
    canais: [
      { estado: 'video', codec: 'h264', resolucao: '768x576' },
      { estado: 'video' },
      { codec: 'h265' },
      empty(4),
    ],
  })
  expect(await recorder.counts()).toMatchObject({ logins_recusados: 0, describes: 5 })
  expect(await probe('outra')).toEqual({ ok: false, falha: 'senha_recusada' })
  expect(await recorder.counts()).toMatchObject({ logins_recusados: 1 })
  await recorder.close()
})
