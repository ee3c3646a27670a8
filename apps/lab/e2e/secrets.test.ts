import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Gravador } from '@vigia/contracts/gravadores'
import type { CanalCriado } from '@vigia/contracts/notificacoes'
import { type Api, signIn } from '@vigia/testing/api'
import { type Installation, OPERATOR, startInstallation } from '@vigia/testing/installation'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { onPostgres } from '@vigia/testing/test-databases'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CHAVE = randomBytes(32).toString('base64')
/** Part of a name stored in plain text: it proves that the search works. */
const MARKER = 'Câmera-que-se-acha'

/** All texts that must appear nowhere: description → spelling. Grows as the installation is used. */
const secrets = new Map<string, string>([
  ['recorder password', 'S3nh4-dvr@:/#&% ç'],
  ['new recorder password', 'N0v4-dvr?/&@: ã'],
  ['wrong recorder password', 'Err4d4-dvr@/ ü'],
  ['password in an RTSP URL', 'S3nh4-url@/ é'],
  ['password in a URL that is refused', 'S3nh4-url-recusada'],
  ['login password', 'Frase-da-usuaria 1'],
  ['changed login password', 'Frase-da-usuaria 2'],
  ['wrong login password', 'Frase-que-nao-vale'],
  ['password typed as a user name', 'Frase-no-campo-errado'],
  ['password in a body that is not JSON', 'Frase-em-json-partido'],
  ['password in an unknown field', 'Frase-em-campo-a-mais'],
  ['made-up token', 'token-inventado-por-alguem'],
  ['operator password', OPERATOR.password],
  ['VIGIA_CHAVE', CHAVE],
  ['SMTP password', 'Senha-do-correio-9'],
  ['Twilio token', 'twilio-token-0123456789abcdef'],
  ['key of the external verifier', 'chave-do-modelo-0123456789'],
])
/** Part of a webhook's address. Its administrator can read it again, so it is stored but never logged. */
const IN_ADDRESS = 'T0ken-no-endereco'

const secret = (name: string): string => {
  const text = secrets.get(name)
  if (text === undefined) throw new Error(`no such secret: ${name}`)
  return text
}

/** Possible spellings: plain, in a URL, in JSON, in Base64, and shifted inside Base64 or after a prefix. */
function spellings(text: string): Buffer[] {
  const encoded = encodeURIComponent(text)
  const lower = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  const base64 = Buffer.from(text).toString('base64').replace(/=+$/, '')
  const texts = new Set([text, encoded, lower, encodeURI(text), JSON.stringify(text).slice(1, -1), base64])
  const bare = text.replace(/^whsec_/, '')
  const bytes = /^[A-Za-z0-9+/]{32,}=*$/.test(bare) ? [Buffer.from(bare, 'base64'), Buffer.from(bare)] : []
  return [...[...texts].map((one) => Buffer.from(one)), ...bytes]
}

/** Returns the content of a file; null: a running program has deleted it. */
const readIfPresent = (file: string): Promise<Buffer | null> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

/** Returns the occurrences of `names` below `dir`: `file @ offset: name`. */
async function search(dir: string, names: ReadonlyMap<string, string>): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readIfPresent(file)
    if (bytes === null) continue
    for (const [name, text] of names)
      for (const spelling of spellings(text)) {
        const offset = bytes.indexOf(spelling)
        if (offset >= 0) found.push(`${relative(dir, file)} @ ${offset}: ${name}`)
      }
  }
  return [...new Set(found)]
}

/** A receiver that echoes its requests, as a failing one may. The product must not repeat the echo. */
async function startEcho(): Promise<{ port: number; server: Server }> {
  const server = createHttpServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.writeHead(500, { 'content-type': 'text/plain' })
    response.end(`${request.rawHeaders.join('\n')}\n${body}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

/** A mail server that refuses the login and echoes it. */
async function startMailEcho(): Promise<{ port: number; server: Server }> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 correio ESMTP\r\n')
    socket.setEncoding('utf8').on('data', (line: string) => {
      if (/^EHLO/i.test(line)) socket.write('250-correio\r\n250 AUTH PLAIN\r\n')
      else if (/^AUTH PLAIN /i.test(line))
        socket.write(`535 5.7.8 ${Buffer.from(line.slice(11).trim(), 'base64').toString().replaceAll('\0', ' ')}\r\n`)
      else socket.end('221 bye\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, server }
}

describe('secrets of an installation in use and misuse', () => {
  let recorder: RecorderProcess
  let vigia: Installation
  let api: Api
  let empresaId: number
  let access: Record<string, unknown>
  let gravador: Gravador
  const helpers: Server[] = []

  beforeAll(async () => {
    const [echo, mail] = [await startEcho(), await startMailEcho()]
    helpers.push(echo.server, mail.server)
    recorder = await startRecorder({ senha: secret('recorder password') })
    vigia = await startInstallation({
      VIGIA_VLM_URL: 'http://127.0.0.1:1/v1',
      VIGIA_VLM_MODELO: 'modelo-de-teste',
      VIGIA_VLM_CHAVE: secret('key of the external verifier'),
      VIGIA_LOG_LEVEL: 'trace',
      VIGIA_CHAVE: CHAVE,
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8',
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
      VIGIA_SMTP_URL: `smtp://vigia:${secret('SMTP password')}@127.0.0.1:${mail.port}`,
      VIGIA_SMTP_SEM_TLS: '1',
      VIGIA_EMAIL_REMETENTE: 'Vigia <vigia@exemplo.com.br>',
      VIGIA_TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      VIGIA_TWILIO_AUTH_TOKEN: secret('Twilio token'),
      VIGIA_TWILIO_REMETENTE: 'whatsapp:+5511987654321',
      VIGIA_TWILIO_CONTENT_SID: `HX${'0'.repeat(32)}`,
      VIGIA_TWILIO_URL: `http://127.0.0.1:${echo.port}`,
    })
    webhook = `http://127.0.0.1:${echo.port}/avisos/${IN_ADDRESS}`
    api = await vigia.signIn()
    secrets.set('session token', api.token)
    empresaId = (await api.call<{ id: number }>('POST', '/empresas', { nome: 'Mercado' })).id
    access = {
      fabricante: 'intelbras',
      host: '127.0.0.1',
      porta: recorder.porta,
      usuario: 'vigia',
      senha: secret('recorder password'),
      num_canais: 1,
      empresa_id: empresaId,
    }
    await waitFor('the local edge to be online', async () => {
      const [edge] = await api.get<{ status: string }[]>('/edges')
      return edge?.status === 'online'
    })
  })
  afterAll(async () => {
    await vigia?.close()
    await recorder?.close()
    for (const server of helpers) server.close()
  })

  let webhook: string
  const attempt = (method: string, path: string, body: unknown) =>
    api.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const statusOf = async (method: string, path: string, body: unknown) => (await attempt(method, path, body)).status

  it('a recorder is found, refused and registered, and its camera comes online', async () => {
    await api.call('POST', '/gravadores/descobrir', access)
    const wrong = { ...access, senha: secret('wrong recorder password') }
    expect(await statusOf('POST', '/gravadores/descobrir', wrong)).toBe(422)
    const { host, usuario, senha } = access
    await api.call('POST', '/cameras/testar-conexao', { host, usuario, senha, portas: [recorder.porta] })
    const { gravador_id, cameras } = await api.call<{ gravador_id: number; cameras: Camera[] }>(
      'POST',
      '/gravadores/cadastrar',
      { ...access, canais: [{ canal: 1, nome: MARKER }] },
    )
    gravador = await api.get<Gravador>(`/gravadores/${gravador_id}`)
    const path = `/cameras/${cameras[0]?.id}`
    await waitFor('the camera to be online', async () => (await api.get<Camera>(path)).status === 'online', {
      timeoutMs: 60_000,
    })
    expect((await api.fetch(`${path}/snapshot`)).status).toBe(200)
    await waitFor('an event', async () => (await api.get<unknown[]>('/events')).length > 0)
  })

  it('its password changes, also to a wrong one, and addresses contain other passwords', async () => {
    for (const name of ['new recorder password', 'wrong recorder password'])
      await api.call('PATCH', `/gravadores/${gravador.id}`, { senha: secret(name) })
    await waitFor('the refusal of the recorder', async () =>
      (await api.get<Camera[]>('/cameras')).some(({ status_detalhe }) => /senha/i.test(status_detalhe ?? '')),
    )
    const camera = await api.call<Camera>('POST', '/cameras', {
      nome: 'Com endereço próprio',
      empresa_id: empresaId,
      rtsp_url: recorder.url(1, 'principal', secret('password in an RTSP URL')),
      sub_rtsp_url: recorder.url(1, 'sub', secret('password in an RTSP URL')),
    })
    await api.call('PATCH', `/cameras/${camera.id}`, { nome: 'Outro nome', rtsp_url: camera.rtsp_url })
    const refused = secret('password in a URL that is refused')
    for (const body of [
      { rtsp_url: `http://ana:${refused}@127.0.0.1/1` },
      { rtsp_url: `rtsp://ana:${refused}@/1` },
      { sub_rtsp_url: [`rtsp://ana:${refused}@127.0.0.1/1`] },
      { [`rtsp://ana:${refused}@127.0.0.1/1`]: 1 },
    ])
      expect([body, await statusOf('PATCH', `/cameras/${camera.id}`, body)]).toEqual([body, 422])
  })

  it('people sign in, mistype, and change their passwords', async () => {
    const login = (username: string, password: string) =>
      fetch(`${vigia.base}/api/v1/auth/token`, { method: 'POST', body: new URLSearchParams({ username, password }) })
    const usuario = { username: 'ana', senha: secret('login password'), empresa_id: empresaId }
    const { id } = await api.call<{ id: number }>('POST', '/usuarios', usuario)
    expect(await statusOf('POST', '/usuarios', { ...usuario, papel: 'dono' })).toBe(422)
    expect((await login('ana', secret('wrong login password'))).status).toBe(401)
    expect((await login(secret('password typed as a user name'), 'ana')).status).toBe(401)
    const ana = await signIn(vigia.base, 'ana', secret('login password'))
    secrets.set('token of a login', ana.token)
    await api.call('PATCH', `/usuarios/${id}`, { senha: secret('changed login password') })
    const again = await signIn(vigia.base, 'ana', secret('changed login password'))
    secrets.set('token after the change', again.token)
    await again.fetch('/auth/logout')
    await fetch(`${vigia.base}/api/v1/me?token=${api.token}`)
    await fetch(`${vigia.base}/api/v1/sse/alertas?token=${secret('made-up token')}`)
    const socket = new WebSocket(`${vigia.base.replace('http', 'ws')}/api/v1/ws/alertas?token=${api.token}`)
    await once(socket, 'open')
    socket.close()
    for (const headers of [
      { authorization: `Bearer ${secret('made-up token')}` },
      { authorization: `Basic ${Buffer.from(`ana:${secret('changed login password')}`).toString('base64')}` },
      { cookie: `session=${secret('made-up token')}` },
    ])
      expect((await fetch(`${vigia.base}/api/v1/me`, { headers })).status).toBe(401)
  })

  it('canais are created, fail, and report the reason', async () => {
    const create = (body: object) =>
      api.call<CanalCriado>('POST', '/notificacoes', { empresa_id: empresaId, ...body }, 201)
    const channels = [
      await create({ tipo: 'webhook', destino: webhook }),
      await create({ tipo: 'email', destinatarios: ['ana@exemplo.com.br'] }),
      await create({ tipo: 'whatsapp', destinatarios: ['+5511987654321'] }),
    ]
    secrets.set('webhook secret', channels[0]?.segredo ?? '')
    expect(secret('webhook secret')).toMatch(/^whsec_/)
    for (const { id } of channels) {
      const answer = await api.call<{ ok: boolean; erros: string[] }>('POST', `/notificacoes/${id}/teste`)
      expect(answer).toMatchObject({ ok: false, erros: [expect.stringMatching(/\S/)] })
      for (const [name, text] of secrets)
        for (const spelling of spellings(text))
          expect([name, answer.erros.join().includes(String(spelling))]).toEqual([name, false])
    }
  })

  it('invalid requests contain secrets too', async () => {
    const post = (path: string, body: string) =>
      api.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await post('/usuarios', `{"senha": "${secret('password in a body that is not JSON')}"`)).status).toBe(422)
    const more = { nome: 'Loja', senha: secret('password in an unknown field') }
    expect(await statusOf('POST', '/empresas', more)).toBe(422)
    expect(await statusOf('PATCH', `/gravadores/${gravador.id}`, { segredo: more.senha })).toBe(422)
    const edge = await api.call<{ edge_id?: number; id?: number; codigo: string }>('POST', '/edges', {
      nome: 'Caixa',
      empresa_id: empresaId,
    })
    secrets.set('activation code', edge.codigo)
    expect(await statusOf('POST', '/edges/ativar', { codigo: edge.codigo })).toBe(422)
  })

  it('no secret is on disk or in the output of the programs, running or stopped', async () => {
    const find = (names: ReadonlyMap<string, string>) => search(vigia.dataDir, names)
    const database = onPostgres() ? [] : [expect.stringMatching(/^cloud\/vigia\.db(-wal)? @ \d+: marker$/)]
    expect(await find(new Map([['marker', MARKER]]))).toEqual(expect.arrayContaining(database))
    expect((await find(new Map([['log', '"level":']]))).length).toBeGreaterThanOrEqual(3)
    expect(await find(secrets)).toEqual([])
    for (const name of ['edge', 'cloud', 'broker'] as const) await vigia.programs[name].stop()
    expect(await find(secrets)).toEqual([])
    const logs = (await find(new Map([['address', IN_ADDRESS]]))).filter((found) => /^[^/]*\.log/.test(found))
    expect(logs).toEqual([])
    const printed = recorder.program.output()
    for (const [name, text] of secrets) expect([name, printed.includes(text)]).toEqual([name, false])
  })
})
