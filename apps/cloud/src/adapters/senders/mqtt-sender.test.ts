import { createServer, type Server } from 'node:net'
import tls from 'node:tls'
import { createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import { type MqttSubscriber, subscribeToAll } from '@vigia/link/testing/mqtt-subscriber'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type DnsServer, startDnsServer } from '@vigia/rtsp/testing/dns-server'
import { mosquittoProgram, startCustomerBroker } from '@vigia/testing/mosquitto'
import type { Program } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN, PICTURE, sampleAttachments } from '../../test/records/attachments.ts'
import { mensagem, mensagemQueda } from '../../test/records/sample-message.ts'
import { startTcpProxy } from '../../test/stand-ins/tcp-proxy.ts'
import type { Mensagem } from './interface.ts'
import { createMqttSender } from './mqtt-sender.ts'

const login = { usuario: 'vigia', senha: 's3nh@-do-broker' }
const loopback = parseAllowedCidrs('127.0.0.0/8')

interface Sent {
  url: string
  segredo?: string | null
  mensagem?: Mensagem
  allowed?: string
  timeoutMs?: number
  lookup?: DnsServer['lookup']
}
const send = ({ url, segredo = JSON.stringify(login), mensagem: about = mensagem, allowed, timeoutMs, lookup }: Sent) =>
  createMqttSender({
    allowed: allowed === undefined ? loopback : parseAllowedCidrs(allowed),
    attachments: sampleAttachments(),
    ...(timeoutMs && { timeoutMs }),
    ...(lookup && { lookup }),
  }).send({ endereco: url, segredo, redes: [] }, about, new AbortController().signal)

describe.skipIf(mosquittoProgram === null)('a broker with a password (needs mosquitto)', () => {
  let broker: Program
  let subscriber: MqttSubscriber
  let port: number
  let url: string
  let seen = 0
  beforeAll(async () => {
    broker = await startCustomerBroker(login)
    port = broker.porta ?? 0
    url = `mqtt://127.0.0.1:${port}/casa/vigia`
    subscriber = await subscribeToAll(port, login)
  })
  afterAll(async () => {
    await subscriber.close()
    await broker.stop()
  })
  const received = async (count: number) => {
    await waitFor('the messages', () => subscriber.received.length >= seen + count)
    const messages = subscriber.received.slice(seen)
    seen = subscriber.received.length
    expect(messages).toHaveLength(count)
    return (topic: string) => messages.find((one) => one.topic === topic)
  }
  const read = (one?: { payload: Buffer }): unknown => JSON.parse(one?.payload.toString() ?? 'null')

  it('gets body, state, picture and the entities of Home Assistant', async () => {
    expect(await send({ url })).toEqual({ ok: true })
    const message = await received(6)
    const body = { id: mensagem.id, tipo: 'evento.confirmado', link: `${ORIGIN}/incidentes/12` }
    expect(read(message('casa/vigia/mensagens/evento.confirmado'))).toMatchObject(body)
    expect(message('casa/vigia/mensagens/evento.confirmado')).toMatchObject({ qos: 1 })
    expect(message('casa/vigia/cameras/9/invasao/estado')?.payload.toString()).toBe('ON')
    expect(message('casa/vigia/cameras/9/imagem')?.payload).toEqual(PICTURE)
    const device = { identifiers: ['vigia_casa_vigia_9'], name: 'Portão <fundos>' }
    const config = (component: string, entity: string) =>
      read(message(`homeassistant/${component}/vigia_casa_vigia_9_${entity}/config`))
    expect(config('binary_sensor', 'invasao')).toMatchObject({
      device,
      unique_id: 'vigia_casa_vigia_9_invasao',
      state_topic: 'casa/vigia/cameras/9/invasao/estado',
      json_attributes_topic: 'casa/vigia/cameras/9/invasao/atributos',
      off_delay: 60,
    })
    expect(config('image', 'imagem')).toMatchObject({ device, image_topic: 'casa/vigia/cameras/9/imagem' })
    const later = await subscribeToAll(port, login)
    await waitFor('the retained entities', () => later.received.length === 2)
    expect(later.received.every(({ topic, retain }) => retain && topic.startsWith('homeassistant/'))).toBe(true)
    await later.close()
  })

  it('gets the connection of a camera, retained', async () => {
    expect(await send({ url, mensagem: mensagemQueda })).toEqual({ ok: true })
    const message = await received(3)
    expect(message('casa/vigia/cameras/9/conexao')?.payload.toString()).toBe('ON')
    expect(read(message('homeassistant/binary_sensor/vigia_casa_vigia_9_conexao/config'))).toMatchObject({
      device_class: 'connectivity',
    })
  })

  it('switches no sensor on by a test or an evento without verification', async () => {
    for (const tipo of ['teste', 'evento.nao_verificado'] as const)
      expect(await send({ url, mensagem: { ...mensagem, tipo } })).toEqual({ ok: true })
    const message = await received(2)
    for (const tipo of ['teste', 'evento.nao_verificado']) expect(message(`casa/vigia/mensagens/${tipo}`)).toBeDefined()
  })

  it.each([
    [JSON.stringify({ ...login, senha: 'outra-senha' }), 'O broker MQTT não aceitou o usuário ou a senha do canal.'],
    [null, 'O broker MQTT pede usuário e senha: preencha-os no canal.'],
  ])('that refuses the login is named without it', async (segredo, erro) => {
    expect(await send({ url, segredo })).toEqual({ ok: false, erro, de: 'mensagem' })
  })

  it('is connected only by TLS where the address says so', async () => {
    expect(await send({ url: url.replace('mqtt:', 'mqtts:') })).toMatchObject({ ok: false })
  })

  it('in a network that is not allowed is not connected', async () => {
    const before = broker.output().length
    expect(await send({ url, allowed: '' })).toEqual({
      ok: false,
      de: 'mensagem',
      erro: expect.stringContaining('rede interna'),
    })
    expect(broker.output().slice(before)).not.toContain('New connection')
  })
})

describe.skipIf(mosquittoProgram === null)('a broker with TLS (needs mosquitto)', () => {
  const before = tls.getCACertificates('default')
  let installation: TestInstallation
  let broker: Program
  let url: string
  beforeAll(async () => {
    installation = await createTestInstallation()
    broker = await startCustomerBroker(login, installation.broker)
    url = `mqtts://127.0.0.1:${broker.porta}/vigia`
  })
  afterAll(async () => {
    tls.setDefaultCACertificates(before)
    await broker.stop()
    await installation.remove()
  })

  it('of an unknown authority, for another name, or with another password has its own sentence', async () => {
    expect(await send({ url })).toEqual({
      ok: false,
      erro: expect.stringMatching(/autoridade que o Vigia não conhece: .*NODE_EXTRA_CA_CERTS/),
    })
    tls.setDefaultCACertificates([...before, installation.broker.ca])
    expect(await send({ url })).toEqual({ ok: true })
    expect(await send({ url, segredo: JSON.stringify({ ...login, senha: 'outra' }) })).toEqual({
      ok: false,
      de: 'mensagem',
      erro: 'O broker MQTT não aceitou o usuário ou a senha do canal.',
    })
    const names = await startDnsServer(() => ['127.0.0.1'])
    expect(await send({ url: url.replace('127.0.0.1', 'broker.example'), lookup: names.lookup })).toEqual({
      ok: false,
      erro: expect.stringContaining('o certificado TLS do servidor não é deste nome'),
    })
    await names.close()
  })
})

describe.skipIf(mosquittoProgram === null)('a slow broker (needs mosquitto)', () => {
  it('gets a message once, and a broker that is unavailable or silent gets none', async () => {
    const broker = await startCustomerBroker(login)
    const subscriber = await subscribeToAll(broker.porta ?? 0, login)
    const proxy = await startTcpProxy(broker.porta ?? 0)
    const url = `mqtt://127.0.0.1:${proxy.port}/vigia`
    const bodies = () => subscriber.received.filter(({ topic }) => topic.startsWith('vigia/mensagens/'))
    proxy.answer = 'slow'
    expect(await send({ url })).toEqual({ ok: true })
    expect(bodies()).toHaveLength(1)
    for (const [answer, words] of [
      ['unavailable', 'encerrou a conexão sem aceitar'],
      ['mute', 'não respondeu em 0.3 s'],
    ] as const) {
      proxy.answer = answer
      expect(await send({ url, timeoutMs: 300 })).toMatchObject({
        ok: false,
        erro: expect.stringContaining(words),
      })
    }
    expect(bodies()).toHaveLength(1)
    await subscriber.close()
    await proxy.close()
    await broker.stop()
  })
})

describe('a broken broker', () => {
  const listen = async (onConnect: Parameters<typeof createServer>[1]): Promise<{ server: Server; url: string }> => {
    const server = createServer({}, onConnect)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return { server, url: `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
  }

  it('that never answers is given up', async () => {
    const { server, url } = await listen((socket) => socket.on('error', () => {}).resume())
    expect(await send({ url, timeoutMs: 200 })).toEqual({ ok: false, erro: 'O servidor não respondeu em 0.2 s.' })
    server.close()
  })

  it('that closes the connection, or speaks another protocol, is reported', async () => {
    const closing = await listen((socket) => socket.destroy())
    expect(await send({ url: closing.url })).toMatchObject({ ok: false })
    closing.server.close()
    const http = await listen((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await send({ url: http.url })).toMatchObject({ ok: false })
    http.server.close()
  })

  it('that does not exist is named', async () => {
    const { server, url } = await listen(() => {})
    await new Promise((resolve) => server.close(resolve))
    expect(await send({ url })).toEqual({ ok: false, erro: expect.stringContaining('ECONNREFUSED') })
  })
})
