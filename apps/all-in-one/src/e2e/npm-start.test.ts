import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Empresa } from '@vigia/contracts/empresas'
import type { Evento } from '@vigia/contracts/eventos'
import type { Gravador } from '@vigia/contracts/gravadores'
import { signIn } from '@vigia/testing/api'
import { freePort } from '@vigia/testing/free-port'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_HOST } from '../demo.ts'

/** `npm start` in its own process group, as in a terminal, so that Ctrl-C reaches the whole group. */
function npmStart(env: Record<string, string>) {
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: repositoryRoot,
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    output: () => output,
    exited,
    ready: () => waitFor('“Vigia pronto”', () => output.includes('Vigia pronto'), { timeoutMs: 120_000 }),
    /** Sends SIGINT to every process of the group, as a terminal does on Ctrl-C. */
    ctrlC: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
    kill: () => child.exitCode === null && child.signalCode === null && process.kill(-(child.pid ?? 0), 'SIGKILL'),
  }
}

describe('npm start', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vigia-start-'))
  let env: Record<string, string>
  let base: string
  let running: ReturnType<typeof npmStart> | undefined

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    env = {
      PORT: String(port),
      VIGIA_MQTT_PORT: String(await freePort()),
      VIGIA_DATA_DIR: dataDir,
      VIGIA_SEM_RESPOSTA_S: '8',
    }
  })
  afterAll(() => {
    running?.kill()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const passwordOf = (output: string) => /^Senha: (\S+) {2}/m.exec(output)?.[1] ?? ''
  let password = ''
  let firstIds: number[] = []
  let cameraIds: number[] = []
  let recorderPort = 0

  it('prints address and login, and has a verified event with its picture', async () => {
    running = npmStart(env)
    await running.ready()
    await waitFor('the login', () => passwordOf(running?.output() ?? ''))
    expect(running.output()).toContain(`Vigia pronto: ${base}`)
    expect(running.output()).toContain('Operador: admin')
    password = passwordOf(running.output())
    const api = await signIn(base, 'admin', password)
    const verifiedOf = (tipo: string) =>
      waitFor(
        `a verified event of ${tipo}`,
        async () => (await api.get<Evento[]>(`/events?veredito=confirmado&tipo=${tipo}`))[0],
        { timeoutMs: 150_000 },
      )
    const verified = await verifiedOf('invasao')
    for (const tipo of ['cruzamento_linha', 'aglomeracao']) await verifiedOf(tipo)
    const crop = await api.fetch(`/crops/${verified.id}`)
    expect([...new Uint8Array(await crop.arrayBuffer()).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
    firstIds = (await api.get<Evento[]>('/events')).map((evento) => evento.id)
    cameraIds = (await api.get<Camera[]>('/cameras')).map((camera) => camera.id)
    recorderPort = (await api.get<Gravador[]>('/gravadores'))[0]?.porta ?? 0
    expect(cameraIds).toHaveLength(4)
  })

  it('reports a second start on the same ports in one line', async () => {
    const same = npmStart({ ...env, VIGIA_DATA_DIR: `${dataDir}-outra` })
    expect(await same.exited).toBe(1)
    expect(same.output()).toContain(`A porta ${env.PORT} já está em uso`)
    expect(same.output()).not.toMatch(/^\s+at /m)
    rmSync(`${dataDir}-outra`, { recursive: true, force: true })
  })

  it('reports a second start on the same data in one line', async () => {
    const sameData = npmStart({ ...env, PORT: String(await freePort()), VIGIA_MQTT_PORT: String(await freePort()) })
    expect(await sameData.exited).toBe(1)
    expect(sameData.output()).toContain('O Vigia já está rodando com a pasta')
  })

  it('reports a data folder that is a file in one line', async () => {
    const file = join(dataDir, 'logs/central.log')
    const noFolder = npmStart({ ...env, VIGIA_DATA_DIR: file })
    expect(await noFolder.exited).toBe(1)
    expect(noFolder.output()).toContain(`Não é possível gravar na pasta ${file}`)
    expect(noFolder.output()).not.toMatch(/^\s+at /m)
  })

  it('also names an occupied port of the broker', async () => {
    const server = createServer()
    const taken = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    const start = npmStart({
      PORT: String(await freePort()),
      VIGIA_MQTT_PORT: String(taken),
      VIGIA_DATA_DIR: `${dataDir}-2`,
    })
    expect(await start.exited).toBe(1)
    expect(start.output()).toContain(`VIGIA_MQTT_PORT=${taken + 1}`)
    server.close()
    rmSync(`${dataDir}-2`, { recursive: true, force: true })
  })

  it('restarts programs that crash or freeze, and serves the page again', async () => {
    const signal = (program: string, name: NodeJS.Signals) => {
      for (const { pid } of processesUsing(dataDir, `apps/${program}/src/main.ts`)) process.kill(pid, name)
    }
    // The other two send heartbeats: otherwise they would have been killed by now.
    for (const program of ['broker', 'dvr-simulator']) signal(program, 'SIGKILL')
    for (const program of ['cloud', 'edge']) signal(program, 'SIGSTOP')
    const said = (pattern: RegExp) => (running?.output().match(pattern) ?? []).length
    await waitFor('all four to be missed', () =>
      [/ caiu \(SIGKILL\); reinicia em /g, / não respondeu por 8 s e foi encerrado; reinicia em /g].every(
        (pattern) => said(pattern) === 2,
      ),
    )
    const api = await waitFor('the cloud', () => signIn(base, 'admin', password))
    const since = new Date().toISOString()
    await waitFor('a new event', async () => (await api.get<Evento[]>(`/events?desde=${since}`))[0], {
      timeoutMs: 90_000,
    })
  })

  it('Ctrl-C stops every process cleanly', async () => {
    running?.ctrlC()
    await running?.exited
    expect(running?.output()).toMatch(/Parando…\nVigia parado\.\n$/)
    expect(processesUsing(dataDir)).toEqual([])
  })

  it('continues after a restart, even if the port of the demonstration is occupied', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(recorderPort, DEMO_HOST, resolve))
    running = npmStart(env)
    await running.ready()
    expect(passwordOf(running.output())).toBe('')
    const api = await signIn(base, 'admin', password)
    const ids = await waitFor('the events of the first run', async () => {
      const all = (await api.get<Evento[]>('/events?limit=200')).map((evento) => evento.id)
      return firstIds.every((id) => all.includes(id)) && all
    })
    expect((await api.get<Camera[]>('/cameras')).map((camera) => camera.id)).toEqual(cameraIds)
    await waitFor('a new event', async () => {
      const now = await api.get<Evento[]>('/events?limit=200&veredito=confirmado')
      return now.some((evento) => !ids.includes(evento.id))
    })
    squatter.close()
  })

  it('stops the simulator at the end of the demonstration', async () => {
    const api = await signIn(base, 'admin', password)
    const empresas = await api.get<Empresa[]>('/empresas')
    const { id } = empresas.find(({ demonstracao }) => demonstracao) ?? {}
    await api.call('POST', `/empresas/${id}/encerrar-demonstracao`)
    await waitFor('the simulator to end', () => processesUsing(dataDir, 'apps/dvr-simulator').length === 0)
    expect(await api.get<Camera[]>('/cameras')).toEqual([])
    expect(await api.get<Evento[]>('/events')).toEqual([])
    running?.ctrlC()
    await running?.exited
    expect(running?.output()).toContain('Vigia parado.')
  })

  it('starts no ended demonstration, and leaves no process behind when the launcher is killed', async () => {
    running = npmStart(env)
    await running.ready()
    expect(processesUsing(dataDir, 'apps/dvr-simulator')).toEqual([])
    const api = await signIn(base, 'admin', password)
    expect(await api.get<Empresa[]>('/empresas')).toEqual([])
    const [launcher] = processesUsing(dataDir, 'node apps/all-in-one/src/main.ts').filter(({ command }) =>
      command.startsWith('node'),
    )
    if (!launcher) throw new Error('the launcher was not found')
    process.kill(launcher.pid, 'SIGKILL')
    await running.exited
    await waitFor('the others to end', () => processesUsing(dataDir).length === 0)
  })

  it('starts no simulator and no camera with VIGIA_DEMO=0', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'vigia-start-'))
    running = npmStart({ ...env, VIGIA_DATA_DIR: dir, VIGIA_DEMO: '0', VIGIA_ADMIN_PASSWORD: 'escolhida-123' })
    await running.ready()
    const api = await signIn(base, 'admin', 'escolhida-123')
    expect(await api.get<Camera[]>('/cameras')).toEqual([])
    expect(readdirSync(join(dir, 'logs')).sort()).toEqual(['broker.log', 'central.log', 'edge.log', 'preparo.log'])
    expect(running.output()).not.toContain('escolhida-123')
    running.ctrlC()
    await running.exited
    expect(running.output()).toContain('Vigia parado.')
    rmSync(dir, { recursive: true, force: true })
  })

  it('stores files that only the owner can read', () => {
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o077
      const inPrivateFolder = (statSync(entry.parentPath).mode & 0o077) === 0
      expect(inPrivateFolder || mode === 0, join(entry.parentPath, entry.name)).toBe(true)
    }
  })
})

/** Returns running processes on `dataDir` with `command` in their command line. */
function processesUsing(dataDir: string, command = ''): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        const ours = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`VIGIA_DATA_DIR=${dataDir}`)
        return { pid: Number(pid), ours, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
      } catch {
        return { pid: 0, ours: false, command: '' } // the process has ended or is not readable
      }
    })
    .filter((process) => process.ours && process.command.includes(command))
    .map(({ pid, command: line }) => ({ pid, command: line }))
}
