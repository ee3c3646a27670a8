import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizePage, requestOf } from '../../../test/clients/authorize-page.ts'
import { newClient } from '../../../test/clients/oauth-flow.ts'
import { ADMIN, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const pages = fixture(() => authorizePage(app))

describe('an unregistered redirect URI', () => {
  // Registered URIs and variants of an attacker.
  const web = 'https://agente.exemplo.br/volta'
  const local = 'http://127.0.0.1:7777/volta'
  const own = 'com.exemplo.agente:/volta'
  const confusions: readonly (readonly [registered: string, asked: string])[] = [
    ...[
      'https://mal.exemplo.br/volta',
      'https://agente.exemplo.br.mal.exemplo.br/volta',
      'https://mal.exemplo.br/?https://agente.exemplo.br/volta',
      'https://agente.exemplo.br@mal.exemplo.br/volta',
      'https://agente.exemplo.br:443@mal.exemplo.br/volta',
      'https://x@agente.exemplo.br/volta',
      'https://agente.exemplo.br:8443/volta',
      'https://agente.exemplo.br:443/volta',
      'http://agente.exemplo.br/volta',
      'HTTPS://agente.exemplo.br/volta',
      'https://AGENTE.exemplo.br/volta',
      'https://agente.exemplo.br./volta',
      'https://agente.exemplo.br/volta/',
      'https://agente.exemplo.br/Volta',
      'https://agente.exemplo.br/volta/../outra',
      'https://agente.exemplo.br/x/../volta',
      'https://agente.exemplo.br/x/%2e%2e/volta',
      'https://agente.exemplo.br/volt%61',
      'https://agente.exemplo.br/volta%2f..%2foutra',
      'https://agente.exemplo.br//volta',
      'https://agente.exemplo.br\\volta',
      'https:/agente.exemplo.br/volta',
      'https://agente.exemplo.br/volta;x',
      'https://agente.exemplo.br/volta?x=1',
      'https://agente.exemplo.br/volta?',
      'https://agente.exemplo.br/volta#x',
      'https://agente.exemplo.br/volta ',
      ' https://agente.exemplo.br/volta',
      'https://agente.exemplo.br/volta\n',
      'https://agente.exemplo.br/volta\0',
      'https://agente.exemplo.br%00.mal.exemplo.br/volta',
      '//agente.exemplo.br/volta',
      '/volta',
      'javascript:alert(1)//agente.exemplo.br/volta',
      'data:text/html,https://agente.exemplo.br/volta',
      '',
    ].map((asked) => [web, asked] as const),
    ...[
      'http://127.0.0.1:1@mal.exemplo.br/volta',
      'http://127.0.0.1:7777@mal.exemplo.br/volta',
      'http://127.0.0.1.mal.exemplo.br:7777/volta',
      'http://localhost.mal.exemplo.br/volta',
      'http://localhost:7777/volta',
      'http://127.0.0.2:7777/volta',
      'http://127.1:7777/volta',
      'http://2130706433:7777/volta',
      'http://0x7f.0.0.1:7777/volta',
      'http://[::1]:7777/volta',
      'http://[::ffff:127.0.0.1]:7777/volta',
      'https://127.0.0.1:7777/volta',
      'http://127.0.0.1:7777/outra',
      'http://127.0.0.1:7777/volta/x',
      'http://127.0.0.1:7777/volta?x=1',
      'http://127.0.0.1:7777/volta/../x',
      'http://127.0.0.1:99999/volta',
      'http://127.0.0.1:7777/volta#@mal.exemplo.br',
      'http://127.0.0.1:7777\\@mal.exemplo.br/volta',
    ].map((asked) => [local, asked] as const),
    ...[
      'com.exemplo.agente:/outra',
      'com.exemplo.agente://volta',
      'com.exemplo.outro:/volta',
      'com.exemplo.agente:volta',
    ].map((asked) => [own, asked] as const),
  ]
  let clients: Map<string, string>
  beforeAll(async () => {
    clients = new Map()
    for (const registered of [web, local, own]) clients.set(registered, await newClient(app, [registered]))
  })

  it('gets no redirect: neither a code nor an error, on the page or by the form', async () => {
    for (const [registered, asked] of confusions) {
      const fields = requestOf(clients.get(registered) ?? '', asked)
      const answers = [
        await pages.show(fields),
        await pages.show({ ...fields, response_type: 'x' }),
        await pages.show(fields, { cookie: `session=${app.operator.token}` }),
        await pages.post({ ...fields, ...ADMIN }),
        await pages.post({ ...fields, ...ADMIN, etapa: 'consentimento' }),
      ]
      for (const answer of answers) {
        expect([asked, answer.status]).toEqual([asked, expect.toBeOneOf([400, 422])])
        expect([asked, answer.headers.get('location')]).toEqual([asked, null])
        expect(JSON.stringify(answer.body)).not.toContain('href="http')
      }
    }
  })

  it('may differ in the port of a loopback address', async () => {
    const fields = requestOf(clients.get(local) ?? '', 'http://127.0.0.1:50123/volta')
    const answer = await pages.post({ ...fields, ...ADMIN })
    expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:50123\/volta\?code=/)
  })

  it('of another client is rejected', async () => {
    const fields = requestOf(clients.get(local) ?? '', web)
    expect((await pages.post({ ...fields, ...ADMIN })).status).toBe(400)
  })
})
