import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { runProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockFolder } from '../../db/lock-folder.ts'
import { runVigia } from '../../test/clients/run-vigia.ts'
import { startTestApp } from '../../test/clouds/test-app.ts'

const KEY = randomBytes(32).toString('base64')
let dir: string
let file: string
let ca: string

beforeAll(async () => {
  dir = temporaryFolder('vigia-restauracao-')
  file = join(dir, 'a.copia')
  const app = await startTestApp({ VIGIA_CHAVE: KEY })
  const env = { VIGIA_DATA_DIR: app.dataDir, VIGIA_CHAVE: KEY, ...app.banco }
  try {
    ca = readFileSync(join(app.dataDir, 'pki/ca.key'), 'utf8')
    // Beside the running service.
    const { code, output } = await runVigia(['backup', file], env)
    if (code !== 0) throw new Error(output)
  } finally {
    await app.stop()
  }
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const folder = (name: string) => join(dir, name)
const restore = (name: string, env: Record<string, string> = {}) =>
  runVigia(['restaurar', file], { VIGIA_DATA_DIR: folder(name), ...env })

it('brings the key of the environment and the CA, readable only by their owner', async () => {
  expect((await restore('novo')).output).toMatch(/^Restauração completa/)
  expect(readFileSync(join(folder('novo'), 'cloud/chave'), 'utf8').trim()).toBe(KEY)
  expect(readFileSync(join(folder('novo'), 'pki/ca.key'), 'utf8')).toBe(ca)
  expect((await restore('com-chave', { VIGIA_CHAVE: KEY })).code).toBe(0)
  expect(existsSync(join(folder('com-chave'), 'cloud/chave'))).toBe(false)
})

it('replaces the CA of a new folder without data', async () => {
  await ensureInstallationPki({ dir: folder('preparada'), brokerHosts: [] })
  expect((await restore('preparada')).code).toBe(0)
  expect(readFileSync(join(folder('preparada'), 'pki/ca.key'), 'utf8')).toBe(ca)
})

/** Prepares a folder in which the restore must write nothing. */
const obstacles: Readonly<Record<string, () => void | Promise<void>>> = {
  'outra-chave': () => {
    mkdirSync(join(folder('outra-chave'), 'cloud'), { recursive: true })
    writeFileSync(join(folder('outra-chave'), 'cloud/chave'), `${randomBytes(32).toString('base64')}\n`)
  },
  'outra-ca': async () => {
    await ensureInstallationPki({ dir: folder('outra-ca'), brokerHosts: [] })
    rmSync(join(folder('outra-ca'), 'pki/sem-dados'))
  },
  'outra-copia': () => {
    mkdirSync(join(folder('outra-copia'), 'cloud'), { recursive: true })
    writeFileSync(join(folder('outra-copia'), 'cloud/restaurando'), 'outro-id\n')
  },
  'com-imagens': () => {
    const media = join(folder('com-imagens'), 'cloud/media/eventos')
    mkdirSync(media, { recursive: true })
    writeFileSync(join(media, 'a.jpg'), 'x')
  },
  vazia: () => {},
}

it.each([
  ['outra-chave', {}, /tem a chave de outra instalação/],
  ['outra-ca', {}, /autoridade certificadora de outra instalação/],
  ['outra-copia', {}, /inacabada de outra cópia/],
  ['com-imagens', {}, /O destino das imagens não está vazio/],
  ['vazia', { VIGIA_CHAVE: Buffer.alloc(32, 9).toString('base64') }, /VIGIA_CHAVE é outra chave/],
  ['vazia', { VIGIA_COPIA_SENHA: 'outra senha comprida' }, /A senha não abre/],
] as const)('refuses %s %j', async (name, env, sentence) => {
  await obstacles[name]?.()
  const { code, output } = await restore(name, env)
  expect([code, output]).toEqual([1, expect.stringMatching(sentence)])
  expect(existsSync(join(folder(name), 'cloud/vigia.db'))).toBe(false)
  expect(existsSync(join(folder(name), 'cloud/vigia.db.restaurando'))).toBe(false)
})

it('refuses a folder that a service uses, and so does a move', async () => {
  const lock = lockFolder(join(folder('em-uso'), 'cloud'))
  writeFileSync(join(folder('em-uso'), 'cloud/vigia.db'), '')
  try {
    const { code, output } = await restore('em-uso')
    expect([code, output]).toEqual([1, expect.stringContaining('Pare o serviço antes')])
    const moved = await runVigia(['migrar'], {
      VIGIA_DATA_DIR: folder('em-uso'),
      VIGIA_BANCO: 'postgres://127.0.0.1:1/nada',
    })
    expect([moved.code, moved.output]).toEqual([1, expect.stringContaining('Pare o serviço antes')])
  } finally {
    lock?.release()
  }
})

it('keeps the service out until the restore is complete, also after a kill before its last step', async () => {
  const cloud = join(folder('cortada'), 'cloud')
  expect((await restore('cortada')).code).toBe(0)
  // The state after a kill before the database got its name, and after one before the mark was removed.
  const archive = readFileSync(file)
  const { id } = JSON.parse(archive.subarray(12, 12 + archive.readUInt32BE(8)).toString()) as { id: string }
  writeFileSync(join(cloud, 'restaurando'), `${id}\n`)
  expect((await restore('cortada')).output).toContain('já estava completa')
  writeFileSync(join(cloud, 'restaurando'), `${id}\n`)
  renameSync(join(cloud, 'vigia.db'), join(cloud, 'vigia.db.restaurando'))
  const env = { VIGIA_DATA_DIR: folder('cortada'), PORT: '0' }
  const { code, output } = await runProgram({ entry: 'apps/cloud/src/main.ts', env })
  expect([code, output]).toEqual([1, expect.stringContaining('falta ou está vazio')])
  expect((await restore('cortada')).output).toMatch(/^Restauração completa/)
  expect([existsSync(join(cloud, 'restaurando')), existsSync(join(cloud, 'vigia.db'))]).toEqual([false, true])
})
