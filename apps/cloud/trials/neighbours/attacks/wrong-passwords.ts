import { randomUUID } from 'node:crypto'
import { form, send } from '../../../src/test/clients/client.ts'
import { type Attack, repeat } from '../attack.ts'

export const wrongPasswords: Attack = {
  name: '20 clients with wrong passwords',
  start: async ({ url }) =>
    repeat(20, () => send(`${url}/api/v1/auth/token`, form({ username: randomUUID(), password: 'errada-e-longa' }))),
}
