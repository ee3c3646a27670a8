import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { startS3Server } from '@vigia/testing/s3-server'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runVigia } from '../../test/clients/run-vigia.ts'
import { startWithBackstage } from '../../test/clouds/backstage.ts'
import type { TestApp } from '../../test/clouds/test-app.ts'

let app: TestApp
let broker: Program
let env: Record<string, string>
let pictures: string[]

beforeAll(async () => {
  const mqttPort = String(await freePort())
  const mqttUrl = `mqtts://127.0.0.1:${mqttPort}`
  const started = await startWithBackstage({ VIGIA_MQTT_URL: mqttUrl })
  app = started.app
  const { dataDir } = app
  const brokerEnv = { VIGIA_DATA_DIR: dataDir, VIGIA_MQTT_PORT: mqttPort, VIGIA_LOG_LEVEL: 'warn' }
  broker = await startProgram({ entry: 'apps/broker/src/main.ts', env: brokerEnv })
  env = { VIGIA_DATA_DIR: dataDir, VIGIA_MQTT_URL: mqttUrl, PORT: new URL(app.url).port, ...app.banco }
  const { empresaId, admin } = await app.account('Loja')
  const camera = { nome: 'Doca', rtsp_url: 'rtsp://ana:senha@127.0.0.9/1', empresa_id: empresaId }
  await admin.expect(201, 'POST', '/api/v1/cameras', camera)
  const seeded = await started.backstage.camera(empresaId)
  for (let i = 0; i < 10; i += 1) await started.backstage.event(seeded)
  const rows = await started.backstage.db.selectFrom('eventos').select('crop_path').execute()
  pictures = rows.map(({ crop_path }) => join(dataDir, 'cloud/media', crop_path ?? ''))
})
afterAll(async () => {
  await broker.stop()
  await app.stop()
})

/** Lines that are not `OK`, and the exit code. */
async function findings(more: Readonly<Record<string, string>> = {}) {
  const { code, output } = await runVigia(['diagnostico'], { ...env, ...more })
  const lines = output.trim().split('\n')
  return { code, problems: lines.slice(0, -1).filter((line) => !line.startsWith('OK ')), lines }
}

it('finds nothing in an intact installation, and changes nothing that a running service holds', async () => {
  await waitFor('the link', async () => (await (await fetch(`${app.url}/healthz`)).text()).includes('"ok"'))
  const { code, problems, lines } = await findings()
  // The machine of a test may have no synchronized clock.
  expect(problems.filter((line) => !/Relógio/.test(line))).toEqual([])
  expect([code, lines.length, lines.at(-1)]).toEqual([0, 12, 'Nenhuma falha.'])
  expect((await app.operator.send('GET', '/api/v1/me')).status).toBe(200)
})

/** Changes a file during `run`. */
async function withFile(path: string, content: Buffer | string | null, run: () => Promise<void>): Promise<void> {
  const before = readFileSync(path)
  if (content === null) rmSync(path)
  else writeFileSync(path, content)
  try {
    await run()
  } finally {
    writeFileSync(path, before, { mode: 0o600 })
  }
}

it('names another key, and secrets that others can read', async () => {
  const file = join(app.dataDir, 'cloud/chave')
  await withFile(file, `${randomBytes(32).toString('base64')}\n`, async () => {
    const { code, problems } = await findings()
    expect([code, problems]).toEqual([1, [expect.stringMatching(/^FALHA {4}Chave .*não abre \d+ de \d+ segredos/)]])
  })
  chmodSync(file, 0o644)
  const { code, problems } = await findings()
  chmodSync(file, 0o600)
  expect([code, problems]).toEqual([1, [expect.stringMatching(/Pasta de dados .*chmod 600/)]])
})

it('names missing pictures, few and many', async () => {
  await withFile(pictures[0] ?? '', null, async () => {
    const { code, problems } = await findings()
    expect([code, problems]).toEqual([0, [expect.stringMatching(/^ATENÇÃO .*Faltam 1 de \d+ arquivos/)]])
    await withFile(pictures[1] ?? '', null, async () =>
      withFile(pictures[2] ?? '', null, async () => {
        expect((await findings()).problems).toEqual([expect.stringMatching(/^FALHA .*Faltam 3 de/)])
      }),
    )
  })
})

it('names a setting, a service and a broker that are not there', async () => {
  const invalid = await findings({ VIGIA_CHAVE: 'curta' })
  expect([invalid.code, invalid.problems]).toEqual([1, [expect.stringMatching(/^FALHA {4}Configuração .*VIGIA_CHAVE/)]])
  const port = String(await freePort())
  const { code, problems } = await findings({ PORT: port, VIGIA_MQTT_URL: `mqtts://127.0.0.1:${port}` })
  expect([code, problems]).toEqual([
    1,
    [
      expect.stringMatching(/^FALHA {4}Broker .*ECONNREFUSED/),
      expect.stringMatching(/^ATENÇÃO {2}Serviço .*não responde/),
    ],
  ])
})

it('names a bucket that keeps deleted pictures', async () => {
  const server = await startS3Server({ buckets: ['fotos'], versions: { status: 'Enabled', rules: [] } })
  const { problems } = await findings({
    VIGIA_MIDIA: 's3://fotos',
    VIGIA_S3_ENDPOINT: server.url,
    VIGIA_S3_CHAVE_ID: server.id,
    VIGIA_S3_CHAVE_SECRETA: server.secret,
  })
  await server.stop()
  expect(problems).toContainEqual(expect.stringMatching(/^ATENÇÃO {2}Imagens e clipes .*fotos guarda versões/))
})

it('names an unfinished restore and a folder without data', async () => {
  const mark = join(app.dataDir, 'cloud/restaurando')
  writeFileSync(mark, 'id')
  const unfinished = await findings()
  rmSync(mark)
  expect(unfinished.problems).toEqual([expect.stringMatching(/Pasta de dados .*restauração inacabada/)])
  const { code, problems } = await findings({ VIGIA_DATA_DIR: join(app.dataDir, 'nada') })
  expect(code).toBe(1)
  expect(problems[0]).toMatch(/Pasta de dados .*não existe|ainda não existe/)
})
