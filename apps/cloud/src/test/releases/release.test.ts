import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '@vigia/testing/program'
import { readRecorded, releaseNames, unpackData } from '@vigia/testing/release-folder'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send, signIn } from '../clients/client.ts'
import { askToken, refreshFields } from '../clients/oauth-flow.ts'
import type { StillCloud } from '../clouds/still-cloud.ts'
import { ADMIN } from '../clouds/test-app.ts'
import { askAs, startReleaseApp } from './ask-release.ts'
import { allowedBy, differences, findDifferences } from './differences.ts'
import { faultsOf, pretendNewer } from './fill-store.ts'

describe.each(releaseNames())('the data directory of release %s', (release) => {
  let dataDir: string
  let app: StillCloud
  let recorded: Awaited<ReturnType<typeof readRecorded<'answers'>>>

  beforeAll(async () => {
    dataDir = temporaryFolder('vigia-release-')
    await unpackData(release, dataDir)
    recorded = await readRecorded(release, 'answers')
    app = await startReleaseApp(dataDir, recorded.now)
  })
  afterAll(async () => {
    await app.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('gives the recorded answers, except for the declared differences', async () => {
    const used = new Set<unknown>()
    const unexpected: unknown[] = []
    expect(recorded.answers.length).toBeGreaterThan(100)
    for (const was of recorded.answers) {
      const is = await askAs(app.url, was.caller, recorded.tokens[was.caller] ?? '', was.path)
      for (const found of findDifferences(was, is)) {
        const allowed = allowedBy(release, was, { ...found, value: found.value.replace(/^body\.?/, '') })
        if (allowed) used.add(allowed)
        else unexpected.push({ caller: was.caller, path: was.path, ...found })
      }
    }
    expect(unexpected).toEqual([])
    expect(differences.filter((one) => one.release === release && !used.has(one))).toEqual([])
  })

  it('accepts the logins and the agents of that release', async () => {
    await expect(signIn(app.url, ADMIN.username, ADMIN.password)).resolves.toBeTruthy()
    const { clientId, refreshToken } = recorded.agent
    const { status, body } = await askToken(app, refreshFields(clientId, refreshToken))
    expect(status).toBe(200)
    const mcp = await send(`${app.url}/mcp`, { headers: { authorization: `Bearer ${body.access_token}` } })
    expect(mcp.status).toBe(405)
  })

  it('is intact after the upgrade, and starts again', async () => {
    await app.stop()
    expect(faultsOf(dataDir)).toEqual([])
    app = await startReleaseApp(dataDir, recorded.now)
    const { status } = await send(`${app.url}/healthz`)
    expect(status).toBe(200)
  })
})

it('refuses a data directory of a newer release with one sentence about the next step', async () => {
  const [release = ''] = releaseNames()
  const dataDir = temporaryFolder('vigia-newer-')
  try {
    await unpackData(release, dataDir)
    pretendNewer(dataDir)
    const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
    const env = cleanEnv({ PORT: '0', VIGIA_DATA_DIR: dataDir, VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1' })
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
      execFile(process.execPath, [main], { env }, (error, _stdout, text) =>
        resolve({ code: error?.code ?? 0, stderr: text }),
      ),
    )
    expect(code).toBe(1)
    expect(stderr).toBe(
      'Os dados desta pasta foram gravados por uma versão mais nova da Vigia (9999-future). ' +
        'Instale essa versão ou uma mais nova, ou restaure a cópia de segurança feita antes da atualização.\n',
    )
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
