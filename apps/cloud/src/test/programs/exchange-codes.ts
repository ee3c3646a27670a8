import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { findEmpresa } from '../../db/empresas.ts'
import { openDatabase } from '../../db/open.ts'
import { exchangeGrant } from '../../domains/agentes/oauth/exchange-grant.ts'
import { createSigningKeys } from '../../domains/agentes/oauth/signing-keys.ts'
import { roomyDisk } from '../stand-ins/roomy-disk.ts'

/**
 * A second process on the database of a test. Arguments: file, key as hex, base, client, verifier, codes as JSON. When
 * the name of Empresa 1 becomes "vai", it exchanges every code and writes all results as one JSON line.
 */
const [file = '', key = '', base = '', client_id = '', code_verifier = '', codes = '[]'] = process.argv.slice(2)
const db = await openDatabase(file)
const clock = { now: () => Date.now() }
const log = pino({ level: 'silent' })
const unlimited = { consume: async () => {} }
const deps = {
  db,
  clock,
  log,
  keys: createSigningKeys({ db, clock, log, box: createSecretBox(Buffer.from(key, 'hex')), disk: roomyDisk }),
  publicBase: async () => base,
  registrationLimit: unlimited,
  grantLimit: unlimited,
}
const exchange = async (code: string): Promise<string> => {
  const form = { grant_type: 'authorization_code', code, client_id, code_verifier, redirect_uri: 'http://127.0.0.1:1/' }
  try {
    const tokens = await exchangeGrant(deps, { form, base, from: { endereco: '127.0.0.1', pedido: 'teste' } })
    return 'recusa' in tokens ? tokens.recusa : 'tokens'
  } catch (error) {
    return String(error)
  }
}

process.send?.({ pronto: true })
await waitFor('the word to go', async () => (await findEmpresa(db, 1))?.nome === 'vai', { everyMs: 5 })
const outcomes: string[] = []
for (const code of JSON.parse(codes)) outcomes.push(await exchange(code))
console.log(JSON.stringify(outcomes))
await db.destroy()
process.disconnect?.()
