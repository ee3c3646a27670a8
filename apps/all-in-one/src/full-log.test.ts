import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@vigia/testing/free-port'
import { cleanEnv, runProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const apps = new URL('../../', import.meta.url)

/** Each program with standard output and error on a disk without a free byte, at the most verbose level. */
describe('a program with a log file on a full disk', () => {
  const dir = temporaryFolder('vigia-full-log-')
  const full = openSync('/dev/full', 'w')
  const children: ChildProcess[] = []
  let ports: { broker: number; cloud: number }

  const start = async (entry: string, env: Record<string, string>, args: readonly string[] = []) => {
    const child = fork(new URL(entry, apps), args, {
      env: cleanEnv({ VIGIA_DATA_DIR: dir, VIGIA_LOG_LEVEL: 'trace', ...env }),
      execArgv: [],
      stdio: ['ignore', full, full, 'ipc'],
    })
    children.push(child)
    const first = await Promise.race([once(child, 'message'), once(child, 'exit')])
    expect(first[0]).toMatchObject({ pronto: true })
    return child
  }
  const stop = async (child: ChildProcess) => {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  }

  beforeAll(async () => {
    ports = { broker: await freePort(), cloud: await freePort() }
    await runProgram({ entry: 'apps/cloud/src/prepare.ts', env: { VIGIA_DATA_DIR: dir } })
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    closeSync(full)
    rmSync(dir, { recursive: true, force: true })
  })

  it('starts, works and stops: broker, cloud, edge, simulator', async () => {
    const base = `http://127.0.0.1:${ports.cloud}`
    const broker = await start('broker/src/main.ts', { VIGIA_MQTT_PORT: String(ports.broker) })
    const cloud = await start('cloud/src/main.ts', {
      PORT: String(ports.cloud),
      VIGIA_MQTT_URL: `mqtts://127.0.0.1:${ports.broker}`,
      VIGIA_EDGE_LOCAL: '1',
    })
    const edge = await start('edge/src/main.ts', {
      VIGIA_CLOUD_URL: base,
      VIGIA_ATIVACAO_ARQUIVO: join(dir, 'cloud/edge-local.codigo'),
    })
    const simulator = await start('dvr-simulator/src/main.ts', {}, ['--porta', '0'])
    for (let i = 0; i < 20; i += 1) expect((await fetch(`${base}/healthz`)).status).toBe(200)
    for (const child of [simulator, edge, cloud, broker]) await stop(child)
  })
})
