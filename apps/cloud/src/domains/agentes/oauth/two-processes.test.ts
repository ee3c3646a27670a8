import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { newPkce } from '../../../test/clients/oauth-flow.ts'
import { operatorCaller } from '../../../test/clients/operator-caller.ts'
import { openTestDatabase, testPlace } from '../../../test/clouds/template.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { insertUsuario } from '../../pessoas/usuarios/store.ts'
import { insertClient } from './clients-store.ts'
import { issueCode } from './issue-code.ts'

const BASE = 'http://127.0.0.1'

let dir: string
let db: Database
beforeEach(async () => {
  dir = temporaryFolder('vigia-codigos-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

it('only one of two processes exchanges a code, despite concurrent writes of the other', async () => {
  await seedCamera(db)
  const login = { username: 'admin', username_chave: 'admin', senha_hash: 'x', papel: 'administrador' as const }
  await insertUsuario(db, { ...login, empresa_id: null, criado_em: 1 })
  const now = Date.now()
  const client = { client_id: 'c', nome: null, redirect_uris_json: '[]', criado_em: now, usado_em: now }
  await insertClient(db, client)
  const { challenge: codeChallenge, verifier } = newPkce()
  const request = { clientId: 'c', redirectUri: `${BASE}:1/`, codeChallenge, state: '', recurso: `${BASE}/mcp` }
  const clock = { now: () => now }
  const issue = async (tx: Database) => {
    await lockRow(tx, 'usuarios', operatorCaller.usuarioId)
    return await issueCode({ tx, clock }, operatorCaller, { ...request, escopo: 'mcp' })
  }
  const codes: string[] = []
  for (let n = 0; n < 60; n += 1) codes.push(await transact(db, issue))
  const place = await testPlace(join(dir, 'vigia.db'))
  const args = [place, randomBytes(32).toString('hex'), BASE, 'c', verifier, JSON.stringify(codes)]
  const entry = new URL('../../../test/programs/exchange-codes.ts', import.meta.url).href
  const programs = await Promise.all([1, 2].map(() => startProgram({ entry, args })))
  await db.updateTable('empresas').set({ nome: 'vai' }).where('id', '=', 1).execute()
  for (const { exited } of programs) expect(await exited).toMatchObject({ code: 0 })
  const outcomes = programs.map((program) => JSON.parse(program.output()) as string[])
  const pairs = codes.map((_, n) => outcomes.map((of) => of[n]).toSorted())
  expect(pairs).toEqual(codes.map(() => ['invalid_grant', 'tokens']))
})
