import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { causaText } from '@vigia/contracts/causa-text'
import { afterEach, describe, expect, it } from 'vitest'
import { parseAllowedCidrs } from './address-policy.ts'
import type { ProbeOptions } from './contact.ts'
import { probeChannels, probePorts } from './probe.ts'
import { startDnsServer } from './testing/dns-server.ts'
import { answer, type Behaviour, SDP, startRawServer } from './testing/raw-server.ts'

const allowed = parseAllowedCidrs('127.0.0.0/8')
const credentials = { usuario: 'admin', senha: 'segredo' }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'))
const options = (more: Partial<ProbeOptions> = {}): ProbeOptions => ({
  allowed,
  signal: new AbortController().signal,
  prazoMs: 4000,
  ...more,
})
async function device(behaviour?: Behaviour, where: Parameters<typeof startRawServer>[1] = {}) {
  const server = await startRawServer(behaviour, where)
  closing.push(server.close)
  return server
}
const describes: Behaviour = (socket, _, __, cseq) => socket.write(answer(cseq, 200, [], SDP))

describe('the checked address', () => {
  /** Starts two devices on the same port of two addresses. The name resolves to the first once, then to the second. */
  async function rebinding() {
    const checked = await device(describes, { host: '127.0.0.2' })
    const other = await device(describes, { host: '127.0.0.3', porta: checked.porta })
    const dns = await startDnsServer((name) =>
      dns.asked.filter((one) => one === name).length > 1 ? ['127.0.0.3'] : ['127.0.0.2'],
    )
    closing.push(dns.close)
    const onlyChecked = options({ allowed: parseAllowedCidrs('127.0.0.2/32'), lookup: dns.lookup })
    return { checked, other, dns, options: onlyChecked }
  }

  it('for channels', async () => {
    const { checked, other, dns, options: only } = await rebinding()
    const input = {
      modelo: '{base}/c{channel}',
      host: 'nvr.example',
      porta: checked.porta,
      ...credentials,
      canais: [1, 2, 3],
    }
    expect(await probeChannels(input, only)).toMatchObject({ ok: true, canais: [{ estado: 'video' }, {}, {}] })
    expect(dns.asked).toEqual(['nvr.example'])
    expect(checked.connections).toHaveLength(3)
    expect(other.connections).toHaveLength(0)
    // The name now has another answer, which is checked again.
    expect(await probeChannels(input, only)).toEqual({ ok: false, falha: 'endereco_recusado' })
    expect(other.connections).toHaveLength(0)
  })

  it('for ports', async () => {
    const { checked, other, dns, options: only } = await rebinding()
    const input = { host: 'NVR.example.', portas: [checked.porta], ...credentials }
    expect(await probePorts(input, only)).toMatchObject({ ok: true, portas: [{ tcp: true, rtsp: true }] })
    expect(dns.asked).toEqual(['nvr.example'])
    expect([checked.connections.length, other.connections.length]).toEqual([1, 0])
    expect(checked.connections[0]?.requests[0]).toContain(`rtsp://nvr.example:${checked.porta}/ RTSP/1.0`)
  })

  it('refuses a name with one refused address', async () => {
    const nvr = await device(describes)
    const lookup = async () => ['127.0.0.1', '169.254.169.254']
    const input = { host: 'nvr.example', portas: [nvr.porta], ...credentials }
    expect(await probePorts(input, options({ lookup }))).toEqual({ ok: false, falha: 'endereco_recusado' })
    expect(nvr.connections).toHaveLength(0)
  })
})

describe('names', () => {
  const input = { modelo: '{base}/c{channel}', host: 'nvr.example', porta: 554, ...credentials, canais: [1] }

  it('reports a name that does not exist', async () => {
    const dns = await startDnsServer(() => null)
    closing.push(dns.close)
    expect(await probeChannels(input, options({ lookup: dns.lookup }))).toEqual({
      ok: false,
      falha: 'nome_nao_resolvido',
    })
  })

  it('stops waiting for a silent resolver at the time limit or when aborted', async () => {
    const lookup = () => new Promise<never>(() => {})
    expect(await probeChannels(input, options({ lookup, prazoMs: 100 }))).toEqual({
      ok: false,
      falha: 'nome_nao_resolvido',
    })
    const signal = AbortSignal.timeout(50)
    expect(await probeChannels(input, options({ lookup, signal }))).toEqual({ ok: false, falha: 'cancelado' })
  })
})

describe('channels', () => {
  const input = { modelo: '{base}/{channel}', host: '127.0.0.1', ...credentials, canais: [1, 2, 3] }
  const silence = (motivo: string, complemento: string | null = null) => ({
    ok: false,
    falha: 'inalcancavel',
    causa: { motivo, complemento },
  })

  it('of a closed port are reported as unreachable at once', async () => {
    const nvr = await device()
    await nvr.close()
    const found = await probeChannels({ ...input, porta: nvr.porta }, options({ prazoMs: 600_000 }))
    expect(found).toEqual(silence('conexao_recusada'))
  })

  it('of an absent device have that cause', async () => {
    // No route leads to the broadcast address of this machine.
    const absent = { ...input, host: '127.255.255.255', porta: 554 }
    expect(await probeChannels(absent, options())).toEqual(silence('sem_rota'))
  })

  it.each([
    ['HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'nao_e_rtsp', 'página web, HTTP'],
    ['TLS', (socket) => socket.write(Buffer.from('15030100020246', 'hex')), 'nao_e_rtsp', 'conexão cifrada, TLS'],
    ['a greeting', (socket) => socket.write('SSH-2.0-dropbear\r\n'), 'nao_e_rtsp', null],
    ['nothing', () => {}, 'sem_resposta', null],
    ['a reset', (socket) => socket.resetAndDestroy(), 'sem_resposta', null],
  ] as [string, Behaviour, string, string | null][])(
    'of a device that answers %s are unreachable',
    async (_, behaviour, motivo, complemento) => {
      const { porta } = await device(behaviour)
      const found = await probeChannels({ ...input, porta }, options({ prazoMs: 1500 }))
      expect(found).toEqual(silence(motivo, complemento))
    },
  )

  it('of a device that answers 401 without a challenge are busy', async () => {
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, 401)))
    const input = { modelo: '{base}/{channel}', host: '127.0.0.1', porta: nvr.porta, ...credentials, canais: [1] }
    expect(await probeChannels(input, options({ prazoMs: 1500 }))).toEqual({ ok: false, falha: 'ocupado' })
  })

  it('have a codec name only if the text of the device can be one', async () => {
    const sdp = SDP.replace('H264', `${'<script>'.repeat(20)}`)
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, 200, [], sdp)))
    const input = { modelo: '{base}/{channel}', host: '127.0.0.1', porta: nvr.porta, ...credentials, canais: [1] }
    expect(await probeChannels(input, options())).toMatchObject({ canais: [{ estado: 'video', codec: null }] })
  })

  it('are queried on the port in the form', async () => {
    const nvr = await device(describes)
    const input = { modelo: `rtsp://{host}:${nvr.porta}/{channel}`, host: '127.0.0.1', porta: 9, ...credentials }
    expect(await probeChannels({ ...input, canais: [1] }, options())).toMatchObject({ ok: true })
  })
})

describe('ports', () => {
  const said = (motivo: CameraFailure) => causaText({ motivo, complemento: null })
  const probing = (portas: readonly number[], more: Partial<ProbeOptions> = {}) =>
    probePorts({ host: '127.0.0.1', portas, ...credentials }, options(more))

  it.each([
    ['HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), false, /HTTP/],
    ['TLS', (socket) => socket.write(Buffer.from('15030100020246', 'hex')), false, /TLS/],
    ['noise', (socket) => socket.write(Buffer.alloc(100_000, 0xa5)), false, /não é RTSP/],
    ['a greeting', (socket) => socket.write('SSH-2.0-dropbear\r\n'), false, /não é RTSP/],
    ['nothing', () => {}, false, /não respondeu ao RTSP/],
    ['only a close', (socket) => socket.end(), false, /desligou sem responder/],
    ['a reset', (socket) => socket.resetAndDestroy(), false, /desligou sem responder/],
    ['200', describes, true, /sem pedir senha/],
    ['404', (socket, _, __, cseq) => socket.write(answer(cseq, 404)), true, /sem pedir senha/],
    ['500', (socket, _, __, cseq) => socket.write(answer(cseq, 500)), true, /sem pedir senha/],
    ['302', (socket, _, __, cseq) => socket.write(answer(cseq, 302)), true, /sem pedir senha/],
    [
      '302 to another device',
      (socket, _, __, cseq) => socket.write(answer(cseq, 302, ['Location: rtsp://a:b@10.9.8.7/x?p=b'])),
      true,
      /respondeu 302: .* em rtsp:\/\/10\.9\.8\.7:554\. .*cadastre esse endereço\.$/,
    ],
    ['453', (socket, _, __, cseq) => socket.write(answer(cseq, 453)), true, /conexões livres/],
    ['401', (socket, _, __, cseq) => socket.write(answer(cseq, 401)), true, /pede usuário e senha/],
    ['half an answer', (socket) => socket.write('RTSP/1.0 200 OK\r\n'), true, /parou/],
    ['endless headers', (socket) => socket.write(`RTSP/1.0 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`), true, /sem fim/],
  ] as [string, Behaviour, boolean, RegExp][])('that answer %s are explained', async (_, behaviour, rtsp, detalhe) => {
    const { porta } = await device(behaviour)
    expect(await probing([porta], { prazoMs: 2000 })).toEqual({
      ok: true,
      portas: [{ porta, tcp: true, rtsp, detalhe: expect.stringMatching(detalhe) }],
    })
  })

  it('reports closed ports in the requested order', async () => {
    const [open, closed] = [await device(describes), await device()]
    await closed.close()
    expect(await probing([closed.porta, open.porta])).toEqual({
      ok: true,
      portas: [
        { porta: closed.porta, tcp: false, rtsp: false, detalhe: said('conexao_recusada') },
        { porta: open.porta, tcp: true, rtsp: true, detalhe: expect.any(String) },
      ],
    })
  })

  it('says of an absent device what the discovery of its channels says', async () => {
    const found = await probePorts({ host: '127.255.255.255', portas: [554], ...credentials }, options())
    expect(found).toMatchObject({ portas: [{ tcp: false, rtsp: false, detalhe: said('sem_rota') }] })
  })

  it.runIf(hasIpv6)('tests ports of an IPv6 address in any spelling (needs IPv6)', async () => {
    const { porta, connections } = await device(describes, { host: '::1' })
    const only = options({ allowed: parseAllowedCidrs('::1/128') })
    for (const host of ['::1', '[0:0::1]'])
      expect(await probePorts({ host, portas: [porta], ...credentials }, only)).toMatchObject({
        portas: [{ rtsp: true }],
      })
    for (const { requests } of connections) expect(requests[0]).toContain(`DESCRIBE rtsp://[::1]:${porta}/ RTSP/1.0`)
    expect(connections).toHaveLength(2)
  })

  it('tests two ports at a time', async () => {
    let open = 0
    let most = 0
    const servers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const server = createServer((socket) => {
          most = Math.max(most, ++open)
          socket.on('close', () => open--)
          socket.on('error', () => socket.destroy())
          socket.resume()
        })
        closing.push(() => new Promise((resolve) => server.close(resolve)))
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const address = server.address()
        return typeof address === 'object' && address ? address.port : 0
      }),
    )
    expect(await probing(servers, { prazoMs: 2000 })).toMatchObject({ ok: true })
    expect(most).toBe(2)
  })

  it('reports ports not reached in time', async () => {
    const servers = await Promise.all(Array.from({ length: 8 }, () => device()))
    const result = await probing(
      servers.map(({ porta }) => porta),
      { prazoMs: 400 },
    )
    const details = result.ok ? result.portas.map(({ detalhe }) => detalhe) : []
    expect(details).toHaveLength(8)
    expect(details.at(-1)).toMatch(/tempo do teste acabou/)
  })

  it('stops when aborted', async () => {
    const { porta } = await device()
    expect(await probing([porta], { signal: AbortSignal.timeout(100) })).toEqual({ ok: false, falha: 'cancelado' })
  })
})
