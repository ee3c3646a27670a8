import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../db/open.ts'
import { createPasswords } from './passwords.ts'

/** OWASP: 19 MiB, 2 passes, 1 lane. */
const PRODUCTION = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

describe('the cost of a password', () => {
  it('is the recommendation of OWASP by default', async () => {
    expect(await createPasswords().hash('uma senha comprida')).toMatch(PRODUCTION)
  })

  it('applies to new hashes; hashes of any cost can be verified', async () => {
    const stored = await createPasswords(CHEAP).hash('uma senha comprida')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
    expect(await createPasswords().verify(stored, 'uma senha comprida')).toBe(true)
    expect(await createPasswords().verify(stored, 'uma outra senha')).toBe(false)
    expect(await createPasswords().verify(null, 'no login has this password')).toBe(false)
  })

  it('is the recommendation of OWASP in the program, with any environment', async () => {
    const dir = temporaryFolder('vigia-senha-')
    await ensureInstallationPki({ dir, brokerHosts: [] })
    const cost = JSON.stringify(CHEAP)
    const env = {
      PORT: '0',
      VIGIA_DATA_DIR: dir,
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      NODE_ENV: 'test',
      VITEST: 'true',
      PASSWORD_COST: cost,
      VIGIA_PASSWORD_COST: cost,
      VIGIA_SENHA_CUSTO: cost,
    }
    const cloud = await startProgram({ entry: 'apps/cloud/src/main.ts', env })
    await cloud.stop()
    const db = await openDatabase(join(dir, 'cloud/vigia.db'))
    const stored = await db.selectFrom('usuarios').select('senha_hash').execute()
    await db.destroy()
    expect(stored).toEqual([{ senha_hash: expect.stringMatching(PRODUCTION) }])
    rmSync(dir, { recursive: true })
  })

  it('is set only in tests', async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url))
    const files = globSync('**/*.ts', { cwd: root })
    const named = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('passwordCost'))
    expect(named.filter((file) => !/^test\/|\.test\.ts$/.test(file)).sort()).toEqual(['app.ts', 'core.ts'])
  })
})
