import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { unwatchedStep } from '@vigia/runtime/heartbeat'
import { cleanEnv } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'
import { DataError } from './db/errors.ts'
import { openDataDir } from './open-data-dir.ts'
import { clientOf, signIn } from './test/clients/client.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const PASSWORD = 'senha-do-operador'
let used: string
let dir: string
let children: ChildProcess[] = []

const inDir = (...names: string[]) => join(dir, ...names)

/** Starts the program; resolves with its port or its exit code, and with its output. */
async function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main], {
    env: cleanEnv({
      PORT: '0',
      VIGIA_DATA_DIR: dir,
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      VIGIA_ADMIN_PASSWORD: PASSWORD,
      ...env,
    }),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  children.push(child)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const port = await new Promise<number | null>((resolve) => {
    child.on('message', (sign: { pronto?: true; porta?: number }) => sign.pronto && resolve(sign.porta ?? null))
    void ended.then(() => resolve(null))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { port, code: child.exitCode, said: () => said, stop }
}

/** Opens the directory in this process like the program, and releases it; resolves with the announced lines. */
async function open(env: Record<string, string> = {}): Promise<string> {
  const said: string[] = []
  const config = loadConfig({ VIGIA_DATA_DIR: dir, VIGIA_EDGE_LOCAL: '1', ...env })
  const announce = (line: string) => said.push(line)
  const lock = await openDataDir({ config, announce, step: unwatchedStep, now: Date.UTC(2026, 10, 22, 5, 4, 3) })
  lock.release()
  return said.join('\n')
}

/** Expects a refusal; resolves with its message. */
async function refused(env: Record<string, string> = {}): Promise<string> {
  const error: unknown = await open(env).then(
    () => null,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(DataError)
  return (error as DataError).message
}

beforeAll(async () => {
  used = temporaryFolder('vigia-usado-')
  dir = used
  await ensureInstallationPki({ dir, brokerHosts: [] })
  const { port, stop } = await start()
  const url = `http://127.0.0.1:${port}`
  const client = clientOf(url, (await signIn(url, 'admin', PASSWORD)).token)
  const { id } = await client.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Loja' })
  const camera = { nome: 'Doca', empresa_id: id, rtsp_url: 'rtsp://a:segredo@192.168.0.9/1' }
  await client.expect(201, 'POST', '/api/v1/cameras', camera)
  await stop()
})
beforeEach(() => {
  dir = temporaryFolder('vigia-dados-')
  cpSync(used, dir, { recursive: true })
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  rmSync(dir, { recursive: true, force: true })
})
afterAll(() => rmSync(used, { recursive: true, force: true }))

/** All files below the data directory, with their sizes. */
const listing = (): (readonly [string, number])[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(em-uso|vigia\.db-(wal|shm))/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path): [string, number] => [path.slice(dir.length), statSync(path).size])
    .sort()

describe('a second cloud on one data directory', () => {
  it('is refused in one sentence, also on another port; a killed process releases the directory', async () => {
    const first = await start()
    const second = await start()
    expect([second.port, second.code, second.said()]).toEqual([
      null,
      1,
      `Outra central do Vigia já usa a pasta ${dir}. Pare-a antes, ou use outra pasta com VIGIA_DATA_DIR.\n`,
    ])
    await expect(signIn(`http://127.0.0.1:${first.port}`, 'admin', PASSWORD)).resolves.toBeTruthy()
    children[0]?.kill('SIGKILL')
    await first.stop()
    expect(await open()).toBe('')
  })

  it('is refused at a simultaneous start', async () => {
    const both = await Promise.all([start(), start()])
    expect(both.filter(({ port }) => port !== null)).toHaveLength(1)
  })
})

describe('data that do not belong together', () => {
  it.each<[string, () => void]>([
    ['a database that is missing', () => rmSync(inDir('cloud/vigia.db'))],
    ['an empty database', () => truncateSync(inDir('cloud/vigia.db'))],
    ['a database that is missing, with the key file', () => rmSync(inDir('cloud'), { recursive: true })],
  ])('%s is refused without a write', async (_, spoil) => {
    spoil()
    const before = listing()
    const sentence = await refused()
    expect(sentence.trim().split('\n')).toHaveLength(1)
    expect(sentence).toContain(inDir('cloud/vigia.db'))
    expect(sentence).toContain('VIGIA_COMECAR_DE_NOVO=1')
    expect(listing()).toEqual(before)
  })

  it('a missing key beside sealed passwords is refused, unless the key comes from the environment', async () => {
    const key = readFileSync(inDir('cloud/chave'), 'utf8').trim()
    rmSync(inDir('cloud/chave'))
    const before = listing()
    const sentence = await refused()
    expect(sentence).toContain(`Falta ${inDir('cloud/chave')}`)
    expect(sentence).toContain('VIGIA_COMECAR_DE_NOVO=1')
    expect(listing()).toEqual(before)
    expect(await open({ VIGIA_CHAVE: key })).toBe('')
  })

  it.each<[string, (file: string, size: number) => void]>([
    ['cut off', (file, size) => truncateSync(file, Math.floor(size / 2))],
    ['cut off within its first page', (file) => truncateSync(file, 700)],
    ['zeroed', (file, size) => writeFileSync(file, Buffer.alloc(size))],
    ['overwritten in the middle', (file, size) => overwrite(file, Math.floor(size / 2), 20_000, 0)],
    ['with flipped bits in every page', (file, size) => flipEachPage(file, size)],
  ])('a database %s is refused with the steps that may save it', async (_, spoil) => {
    const file = inDir('cloud/vigia.db')
    spoil(file, statSync(file).size)
    const before = readFileSync(file)
    const text = await refused()
    expect(text).toContain(`O banco de dados ${file} está danificado`)
    for (const step of ['\n1. ', '\n2. ', '\n3. sem', '\n4. ', 'VIGIA_COMECAR_DE_NOVO=1'])
      expect(text.toLowerCase()).toContain(step.toLowerCase())
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

describe('VIGIA_COMECAR_DE_NOVO=1', () => {
  const NEW = { VIGIA_COMECAR_DE_NOVO: '1' }

  it.each<[string, () => void]>([
    ['missing', () => rmSync(inDir('cloud/vigia.db'))],
    ['zeroed', () => writeFileSync(inDir('cloud/vigia.db'), Buffer.alloc(50_000))],
    ['without its key', () => rmSync(inDir('cloud/chave'))],
  ])('moves the rest of a database that is %s into a dated folder', async (_, spoil) => {
    mkdirSync(inDir('edge'))
    writeFileSync(inDir('edge/edge.db'), 'x')
    spoil()
    const isMoved = ([path]: readonly [string, number]) => /^\/(cloud\/(?!tls\/)|edge\/)/.test(path)
    const before = listing()
    const folder = 'antigo-2026-11-22T05-04-03'
    expect(await open(NEW)).toBe(
      `O Vigia começa de novo. Os dados anteriores estão em ${inDir(folder)}; nada foi apagado.`,
    )
    const expected = before.map((file) => (isMoved(file) ? [`/${folder}${file[0]}`, file[1]] : file))
    expect(listing()).toEqual([...expected, ['/pki/sem-dados', 0]].sort())
    expect(await open(NEW)).toBe('')
  })

  it('starts the program with an empty database, and a second time finds nothing to do', async () => {
    truncateSync(inDir('cloud/vigia.db'))
    const { port, stop } = await start(NEW)
    const url = `http://127.0.0.1:${port}`
    const client = clientOf(url, (await signIn(url, 'admin', PASSWORD)).token)
    expect(await client.expect<unknown[]>(200, 'GET', '/api/v1/cameras')).toEqual([])
    await stop()
    const before = listing()
    expect(await open(NEW)).toBe(
      `VIGIA_COMECAR_DE_NOVO foi ignorada: os dados em ${dir} estão em ordem. Tire-a da configuração.`,
    )
    expect(listing()).toEqual(before)
  })

  it('announces nothing in an empty directory, or after a first start without a database', async () => {
    rmSync(dir, { recursive: true })
    expect(await open(NEW)).toBe('')
    await ensureInstallationPki({ dir, brokerHosts: [] })
    expect(await open()).toBe('')
    writeFileSync(inDir('cloud/vigia.db'), '')
    expect(await open()).toBe('')
  })
})

it('a damaged database ends the program with those steps and no stack trace', async () => {
  writeFileSync(inDir('cloud/vigia.db'), Buffer.alloc(50_000))
  const { port, code, said } = await start()
  expect([port, code]).toEqual([null, 1])
  expect(said()).toMatch(/^O banco de dados .* está danificado/)
  expect(said()).not.toMatch(/\n\s+at |Error:/)
})

function overwrite(file: string, at: number, length: number, byte: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, byte), 0, length, at)
  closeSync(handle)
}

/** Pages of 4096 bytes: overwrites the header of each except the first. */
function flipEachPage(file: string, size: number): void {
  const bytes = readFileSync(file)
  for (let page = 4096; page < size; page += 4096)
    for (let i = 0; i < 8; i++) bytes[page + i] = (bytes[page + i] ?? 0) ^ 0xff
  writeFileSync(file, bytes)
}
