import { clientOf } from '../../../src/test/clients/client.ts'
import { type Attack, repeat } from '../attack.ts'

export const deepPages: Attack = {
  name: '20 readers at offset 9,999',
  start: async ({ url, token }) =>
    repeat(20, () => clientOf(url, token).send('GET', '/api/v1/events?limit=200&offset=9999')),
}
