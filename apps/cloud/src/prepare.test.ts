import { X509Certificate } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from './app.ts'
import { ConfigError, loadConfig } from './config.ts'

let dir: string
beforeEach(async () => {
  dir = temporaryFolder('vigia-prepare-')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const prepare = (names: string) =>
  runProgram({
    entry: 'apps/cloud/src/prepare.ts',
    env: { VIGIA_DATA_DIR: join(dir, 'data'), VIGIA_MQTT_NOMES: names },
  })
const read = (name: string) => readFile(join(dir, 'data', name), 'utf8')

describe('prepare', () => {
  it('creates the files for broker and cloud, and a second run changes nothing', async () => {
    expect(await prepare(' broker.exemplo.br, 192.0.2.8 ,')).toEqual({ code: 0, output: '' })
    const names = new X509Certificate(await read('broker/tls/cert.pem')).subjectAltName
    for (const name of ['localhost', '127.0.0.1', 'broker.exemplo.br', '192.0.2.8']) expect(names).toContain(name)
    expect(new X509Certificate(await read('cloud/tls/cert.pem')).subject).toBe('CN=cloud')
    expect((await stat(join(dir, 'data/pki/ca.key'))).mode & 0o777).toBe(0o600)

    const files = ['pki/ca.pem', 'broker/tls/cert.pem', 'cloud/tls/cert.pem', 'cloud/tls/key.pem']
    const before = await Promise.all(files.map(read))
    expect((await prepare('broker.exemplo.br,192.0.2.8')).code).toBe(0)
    expect(await Promise.all(files.map(read))).toEqual(before)
  })

  it('reports an invalid name in one line', async () => {
    const { code, output } = await prepare('não vale')
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(output).toContain('"não vale"')
  })

  it('is named by the error of a cloud that starts without it', async () => {
    const config = loadConfig({ PORT: '0', VIGIA_DATA_DIR: dir, VIGIA_ADMIN_PASSWORD: 'senha-de-teste' })
    const app = createApp({ config, log: pino({ level: 'silent' }), announce: () => {} })
    await expect(app.start()).rejects.toThrow(ConfigError)
    await app.stop()
  })
})
