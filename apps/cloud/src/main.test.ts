import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import type { LifeSign } from '@vigia/runtime/life-sign'
import { cleanEnv } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { signIn } from './test/clients/client.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
let dir: string
let children: ChildProcess[]
beforeEach(async () => {
  dir = temporaryFolder('vigia-main-')
  await ensureInstallationPki({ dir, brokerHosts: [] })
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** Starts the program. `ready` is its port (undefined if it ends before), `ended` its exit code and output. */
function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: cleanEnv({ PORT: '0', VIGIA_DATA_DIR: dir, VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1', ...env }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  children.push(child)
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
  const ready = new Promise<number | undefined>((resolve) => {
    child.on('message', ({ porta }: { porta: number }) => resolve(porta))
    child.on('close', () => resolve(undefined))
  })
  return { child, ready, ended }
}

it('creates the operator once, keeps the password out of the log, and stops cleanly on SIGTERM', async () => {
  const first = run({})
  const port = await first.ready
  const file = join(dir, 'cloud', 'senha-inicial')
  const senha = readFileSync(file, 'utf8').trim()
  expect(senha.length).toBeGreaterThanOrEqual(20)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(dir, 'cloud', 'vigia.db')).mode & 0o777).toBe(0o600)
  await expect(signIn(`http://127.0.0.1:${port}`, 'admin', senha)).resolves.toBeTruthy()
  first.child.kill('SIGTERM')
  const { code, out, err } = await first.ended
  expect(code).toBe(0)
  expect(err).toContain(file)
  expect(err).not.toContain(senha)
  expect(out).not.toContain(senha)
  expect(out).toContain('"msg":"pronto"')

  const second = run({ VIGIA_ADMIN_PASSWORD: 'outra-senha-bem-longa' })
  const again = `http://127.0.0.1:${await second.ready}`
  await expect(signIn(again, 'admin', senha)).resolves.toBeTruthy()
  await expect(signIn(again, 'admin', 'outra-senha-bem-longa')).rejects.toThrow('401')
  second.child.kill('SIGINT')
  const end = await second.ended
  expect(end.code).toBe(0)
  expect(end.err).toContain('VIGIA_ADMIN_PASSWORD')
  expect(end.err).not.toContain(senha)
})

it('announces the steps of its start to the supervisor, and sends heartbeats when it is ready', async () => {
  const { child } = run({ VIGIA_BATIDA_MS: '100' })
  const signs: LifeSign[] = []
  child.on('message', (sign: LifeSign) => signs.push(sign))
  await waitFor('two beats', () => signs.filter((sign) => 'batida' in sign).length >= 2)
  const kinds = signs.map((sign) => ('etapa' in sign ? sign.etapa : Object.keys(sign)[0]))
  const first = (kind: string) => kinds.indexOf(kind)
  expect(first('migração 0001-initial-schema')).toBeGreaterThanOrEqual(0)
  expect(first('cifragem das senhas')).toBeGreaterThan(first('migração 0001-initial-schema'))
  expect(first('pronto')).toBeGreaterThan(kinds.lastIndexOf('cifragem das senhas'))
  expect(kinds.slice(first('pronto') + 1).every((kind) => kind === 'batida')).toBe(true)
})

it.skipIf(!existsSync('/usr/bin/script'))('shows the password on a terminal (needs script)', async () => {
  const env = cleanEnv({ PORT: '0', VIGIA_DATA_DIR: dir, VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1' })
  const child = spawn('/usr/bin/script', ['-qefc', `"${process.execPath}" "${main}"`, '/dev/null'], { env })
  children.push(child)
  const file = join(dir, 'cloud', 'senha-inicial')
  let shown = ''
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => {
      shown += chunk
      if (shown.includes('"msg":"pronto"')) resolve()
    }),
  )
  expect(shown).toContain(`Senha: ${readFileSync(file, 'utf8').trim()}`)
})

it('reports a used port in one line', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const address = blocker.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const { code, err } = await run({ PORT: port, VIGIA_ADMIN_PASSWORD: 'senha-bem-longa' }).ended
  blocker.close()
  expect(code).toBe(1)
  expect(err).toBe(`A porta ${port} já está em uso. Encerre o outro programa ou escolha outra com PORT.\n`)
})

it('reports a damaged key file in one line, and leaves it', async () => {
  const first = run({})
  await first.ready
  first.child.kill('SIGTERM')
  await first.ended
  const file = join(dir, 'cloud/chave')
  writeFileSync(file, 'estragada\n')
  const { code, err } = await run({}).ended
  expect(code).toBe(1)
  expect(err).toContain(`A chave em ${file} está danificada`)
  expect(err).not.toContain('    at ')
  expect(readFileSync(file, 'utf8')).toBe('estragada\n')
})

it('reports a wrong setting in one line', async () => {
  const { code, err } = await run({ VIGIA_CHAVE: 'curta', PORT: 'x' }).ended
  expect(code).toBe(1)
  expect(err).toMatch(/^Configuração inválida\. PORT: .*; VIGIA_CHAVE: .*\n$/)
})
