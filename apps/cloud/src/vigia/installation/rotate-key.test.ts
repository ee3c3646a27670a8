import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { ConfigError, loadConfig } from '../../config.ts'
import { clientOf, signIn } from '../../test/clients/client.ts'
import { runVigia } from '../../test/clients/run-vigia.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = temporaryFolder('vigia-troca-')
  file = join(dir, 'cloud', 'chave')
  await ensureInstallationPki({ dir, brokerHosts: [] })
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const rotate = (env: Record<string, string> = {}) => runVigia(['trocar-chave'], { VIGIA_DATA_DIR: dir, ...env })

/** Starts the app on the folder, runs `work` and stops it; returns the announced lines. */
async function run(work: (url: string, token: string) => Promise<void> = async () => {}): Promise<string[]> {
  const lines: string[] = []
  const password = 'senha-do-operador'
  const config = loadConfig({
    PORT: '0',
    VIGIA_DATA_DIR: dir,
    VIGIA_ADMIN_PASSWORD: password,
    VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
  })
  const announce = (line: string) => {
    lines.push(line)
  }
  const app = createApp({ config, log: pino({ level: 'silent' }), announce })
  const { port } = await app.start()
  try {
    const url = `http://127.0.0.1:${port}`
    await work(url, (await signIn(url, 'admin', password)).token)
  } finally {
    await app.stop()
  }
  return lines
}

it('a rotation loses no password, and the old key can be removed after the message of the service', async () => {
  const created = await run(async (url, token) => {
    const client = clientOf(url, token)
    const { id } = await client.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Loja' })
    const camera = { nome: 'C', rtsp_url: 'rtsp://ana:s3nha@127.0.0.9/1', empresa_id: id }
    await client.expect(201, 'POST', '/api/v1/cameras', camera)
  })
  expect(created).toEqual([])
  const old = readFileSync(file, 'utf8')

  const rotated = await rotate()
  expect(rotated).toEqual({ code: 0, output: expect.stringContaining('reinicie o serviço') })
  const [newLine = '', ...rest] = readFileSync(file, 'utf8').split('\n')
  expect(rest.join('\n')).toBe(old)
  expect(rotated.output).not.toContain(newLine)

  expect(await run()).toEqual([expect.stringMatching(/^Chave trocada: 2 .*pode ser removida .*chave\)\.$/)])
  expect(await run()).toEqual([expect.stringMatching(/^A chave anterior não é mais usada/)])
  writeFileSync(file, `${newLine}\n`)
  expect(await run()).toEqual([])
  writeFileSync(file, old)
  await expect(run()).rejects.toThrow(ConfigError)
})

it('explains the steps when no key file exists', async () => {
  const none = await rotate()
  expect([none.code, none.output]).toEqual([1, expect.stringMatching(/^Ainda não há chave.*\n$/)])
  const key = Buffer.alloc(32, 7).toString('base64')
  const own = await rotate({ VIGIA_CHAVE: key })
  expect([own.code, own.output]).toEqual([1, expect.stringMatching(/^A chave vem de VIGIA_CHAVE.*\n$/)])
  expect(own.output).not.toContain(key)
})
