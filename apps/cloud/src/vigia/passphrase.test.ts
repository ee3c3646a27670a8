import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, expect, it } from 'vitest'
import { newPassphrase, readPassphrase } from './passphrase.ts'

const dir = temporaryFolder('vigia-senha-')
afterAll(() => rmSync(dir, { recursive: true }))

/** A terminal with these answers. */
const terminal =
  (...answers: string[]) =>
  async () =>
    answers.shift() ?? ''

it('takes the passphrase from a file first, then from the environment, then from the terminal', async () => {
  const file = join(dir, 'senha')
  writeFileSync(file, 'a primeira linha vale\r\noutra')
  const env = { VIGIA_COPIA_SENHA_ARQUIVO: file, VIGIA_COPIA_SENHA: 'da variável, comprida' }
  expect(await readPassphrase({ env, ask: terminal() })).toBe('a primeira linha vale')
  expect(await newPassphrase({ env: { ...env, VIGIA_COPIA_SENHA_ARQUIVO: '' }, ask: terminal() })).toBe(
    'da variável, comprida',
  )
  expect(await readPassphrase({ env: {}, ask: terminal('curta') })).toBe('curta')
  expect(await newPassphrase({ env: {}, ask: terminal('digitada e comprida', 'digitada e comprida') })).toBe(
    'digitada e comprida',
  )
})

it('refuses a new one that is short, or typed differently', async () => {
  await expect(newPassphrase({ env: {}, ask: terminal('curta', 'curta') })).rejects.toThrow(/curta/)
  await expect(newPassphrase({ env: {}, ask: terminal('digitada e comprida', 'outra') })).rejects.toThrow(/diferentes/)
  writeFileSync(join(dir, 'vazia'), '\n')
  await expect(
    newPassphrase({ env: { VIGIA_COPIA_SENHA_ARQUIVO: join(dir, 'vazia') }, ask: terminal() }),
  ).rejects.toThrow(/vazia/)
})
