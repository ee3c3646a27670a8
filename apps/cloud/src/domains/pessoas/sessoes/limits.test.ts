import { rm } from 'node:fs/promises'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { fixture } from '@vigia/testing/fixture'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createApp } from '../../../app.ts'
import { loadConfig } from '../../../config.ts'
import { form, send } from '../../../test/clients/client.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)

/** A sign-in that a proxy forwards from `address`. */
const enter = (username: string, password: string, address: string, url = app.url) =>
  send(`${url}/api/v1/auth/token`, { ...form({ username, password }), headers: { 'x-forwarded-for': address } })
const status = async (...input: Parameters<typeof enter>) => (await enter(...input)).status

it('guessing does not lock a login out: the right password works from other networks', async () => {
  const { empresaId } = await app.account('Vítima')
  const name = `administrador-${empresaId}`
  for (let i = 0; i < 30; i += 1) await enter(name, 'x', '203.0.113.7')
  const blocked = await enter(name, SENHA, '203.0.113.7')
  expect([blocked.status, Number(blocked.headers.get('retry-after')) > 0]).toEqual([429, true])
  for (const address of ['203.0.113.8', '2001:db8::1']) expect(await status(name, SENHA, address)).toBe(200)
})

it('a refusal takes the same processor time for each state of the login', async () => {
  const costly = await startTestApp({}, { passwordCost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 } })
  try {
    const { empresaId, admin } = await costly.account('Relógio')
    const off = { username: `desligado-${empresaId}`, senha: SENHA }
    const { id } = await admin.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', off)
    await admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { ativo: false })
    /** Processor time of the process, in µs: the hash runs in a thread of it. */
    const refusals = async (name: string, password: string) => {
      const before = process.cpuUsage()
      for (let i = 0; i < 6; i += 1) expect(await status(name, password, '203.0.113.50', costly.url)).toBe(401)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    await refusals(`administrador-${empresaId}`, 'x')
    // A refusal without the slow hash takes a tenth of the time.
    const known = await refusals(`usuario-${empresaId}`, 'x')
    expect((await refusals('ninguem', 'x')) / known).toBeGreaterThan(0.5)
    expect((await refusals(off.username, SENHA)) / known).toBeGreaterThan(0.5)
  } finally {
    await costly.stop()
  }
})

it('a client behind a proxy gets no new attempts by its own X-Forwarded-For', async () => {
  const answers: number[] = []
  for (let i = 0; i < 12; i += 1) answers.push(await status('outro', 'x', `198.51.100.${i}, 203.0.113.20`))
  expect(answers.slice(-2)).toEqual([429, 429])
})

it('blocks a network that tries one password on many names, but not a known login there', async () => {
  const { empresaId } = await app.account('Escritório')
  const colleague = `usuario-${empresaId}`
  const office = '203.0.113.30'
  expect(await status(colleague, SENHA, office)).toBe(200)
  const spray = await Promise.all(Array.from({ length: 130 }, (_, i) => status(`nome${i}`, 'x', office)))
  expect(new Set(spray)).toEqual(new Set([401, 429]))
  expect(spray.filter((answer) => answer === 401).length).toBeLessThanOrEqual(100)
  expect(await status(`administrador-${empresaId}`, SENHA, office)).toBe(429)
  expect(await status(colleague, SENHA, office)).toBe(200)
  expect(await status(`administrador-${empresaId}`, SENHA, '203.0.113.31')).toBe(200)
})

it('replicas share the counts, and restarts keep them', async () => {
  const dir = temporaryFolder('vigia-replicas-')
  await ensureInstallationPki({ dir, brokerHosts: [] })
  const config = loadConfig({
    PORT: '0',
    VIGIA_DATA_DIR: dir,
    VIGIA_ADMIN_PASSWORD: ADMIN.password,
    VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
  })
  const start = async () => {
    const replica = createApp({ config, log: pino({ level: 'silent' }), announce: () => {} })
    const { port } = await replica.start()
    return { url: `http://127.0.0.1:${port}`, stop: () => replica.stop() }
  }
  const running = [await start(), await start()]
  try {
    for (let i = 0; i < 10; i += 1) expect(await status('admin', 'x', '203.0.113.40', running[i % 2]?.url)).toBe(401)
    for (const { url } of running) expect(await status('admin', ADMIN.password, '203.0.113.40', url)).toBe(429)
    for (const replica of running.splice(0)) await replica.stop()
    running.push(await start())
    expect(await status('admin', ADMIN.password, '203.0.113.40', running[0]?.url)).toBe(429)
    expect(await status('admin', ADMIN.password, '203.0.113.41', running[0]?.url)).toBe(200)
  } finally {
    for (const replica of running) await replica.stop()
    await rm(dir, { recursive: true, force: true })
  }
})
