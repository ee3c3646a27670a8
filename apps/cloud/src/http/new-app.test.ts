import { readdir, readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'
import { send } from '../test/clients/client.ts'
import { startTestApp } from '../test/clouds/test-app.ts'

const app = fixture(startTestApp)

describe('errors', () => {
  it('answer an unknown address in JSON', async () => {
    for (const path of ['/api/v1/nada', '/nada.php', '/api', '/assets/nada.js']) {
      const answer = await send(`${app.url}${path}`, { headers: { accept: 'application/json' } })
      expect([path, answer.status, answer.body]).toEqual([path, 404, { detail: 'Endereço não encontrado.' }])
    }
    const browser = await send(`${app.url}/api/v1/nada`, { headers: { accept: 'text/html' } })
    expect([browser.status, browser.body]).toEqual([404, { detail: 'Endereço não encontrado.' }])
  })

  it('answer a method that a path does not have with 405 and Allow', async () => {
    const answer = await send(`${app.url}/api/v1/cameras/1`, { method: 'PUT' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PATCH'])
  })

  it('refuse more than 1 MiB, announced or not', async () => {
    const body = JSON.stringify({ nome: 'x'.repeat(1024 * 1024) })
    const headers = { authorization: `Bearer ${app.operator.token}`, 'content-type': 'application/json' }
    const announced = await send(`${app.url}/api/v1/empresas`, { method: 'POST', headers, body })
    expect([announced.status, announced.body]).toEqual([413, { detail: expect.stringContaining('limite') }])
    const stream = new Blob([body]).stream()
    const chunked = await send(`${app.url}/api/v1/empresas`, { method: 'POST', headers, body: stream, duplex: 'half' })
    expect(chunked.status).toBe(413)
  })

  it('do not stop the server after a request that is not HTTP', async () => {
    const { port } = new URL(app.url)
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('\x16\x03\x01 nonsense\r\n\r\n'))
      socket
        .on('data', () => {})
        .on('close', () => resolve())
        .on('error', reject)
    })
    expect((await send(`${app.url}/healthz`)).status).toBe(200)
  })
})

it('logs a client that disconnects during its body as a client error', async () => {
  const { port } = new URL(app.url)
  const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`${head}Content-Length: 100\r\n\r\nusername=interrompido`)
  await waitFor('the request to arrive', () => socket.bytesWritten > 0 && socket.readyState === 'open')
  socket.destroy()
  const line = await waitFor('its log line', () =>
    app
      .logText()
      .split('\n')
      .find((text) => text.includes('/api/v1/auth/login') && text.includes('"status":422')),
  )
  expect(line).not.toContain('"err"')
})

it('answers HEAD like GET, without the body', async () => {
  for (const path of ['/healthz', '/api/v1/nada']) {
    const [head, get] = [await send(`${app.url}${path}`, { method: 'HEAD' }), await send(`${app.url}${path}`)]
    expect([head.status, head.body, head.headers.get('content-type')]).toEqual([
      get.status,
      null,
      get.headers.get('content-type'),
    ])
  }
})

describe('headers', () => {
  it('carry the request id of the log', async () => {
    const answer = await send(`${app.url}/api/v1/me?token=segredo-na-busca`, { headers: { 'x-request-id': 'meu' } })
    const id = answer.headers.get('x-request-id') ?? ''
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const line =
      app
        .logText()
        .split('\n')
        .find((text) => text.includes(id)) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ metodo: 'GET', caminho: '/api/v1/me', rota: '/api/v1/me', status: 401 })
  })

  it('forbid sniffing, framing, scripts and caching on every answer', async () => {
    for (const path of ['/healthz', '/api/v1/me', '/nada']) {
      const { headers } = await send(`${app.url}${path}`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('strict-transport-security')).toBeNull()
    }
    const https = await send(`${app.url}/healthz`, { headers: { 'x-forwarded-proto': 'https' } })
    expect(https.headers.get('strict-transport-security')).toContain('max-age=')
  })
})

it('answers /healthz without a login', async () => {
  const answer = await send(`${app.url}/healthz`)
  expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
})

it('keeps tokens, passwords and queries out of the log and the data directory', async () => {
  const camera = { nome: 'Cofre', rtsp_url: 'rtsp://ana:senha-da-camera-9@127.0.0.9:554/1' }
  const { empresaId, admin } = await app.account('Banco')
  await admin.expect(201, 'POST', '/api/v1/cameras', { ...camera, empresa_id: empresaId })
  await app.operator.send('GET', '/api/v1/me?token=segredo-na-busca')
  const secrets = ['senha-da-camera-9', 'senha-do-operador', 'senha-de-teste', 'segredo-na-busca', admin.token]
  for (const secret of secrets) expect(app.logText()).not.toContain(secret)
  const dir = join(app.dataDir, 'cloud')
  for (const name of await readdir(dir)) {
    if (!name.startsWith('vigia.db')) continue
    expect([name, (await stat(join(dir, name))).mode & 0o777]).toEqual([name, 0o600])
    const bytes = await readFile(join(dir, name))
    for (const secret of secrets) expect([name, secret, bytes.includes(secret)]).toEqual([name, secret, false])
  }
})
