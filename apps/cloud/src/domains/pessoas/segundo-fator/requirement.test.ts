import type { Empresa } from '@vigia/contracts/empresas'
import type { Me } from '@vigia/contracts/sessoes'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { type Client, form, send } from '../../../test/clients/client.ts'
import {
  askToken,
  codeFields,
  isTaken,
  newClient,
  newCode,
  newPkce,
  REDIRECT,
} from '../../../test/clients/oauth-flow.ts'
import { turnOn } from '../../../test/clients/second-factor.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { type Account, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const above = fixture(() => app.account('Acima'))
const own = fixture(() => app.account('Dentro', above.admin))

const require = (by: Client, of: Account, exigir_segundo_fator: boolean | null) =>
  by.send<Empresa>('PATCH', `/api/v1/empresas/${of.empresaId}`, { exigir_segundo_fator })
const required = async (client: Client) => (await client.expect<Me>(200, 'GET', '/api/v1/me')).segundo_fator.exigido
const cameras = async (client: Client) => (await client.send('GET', '/api/v1/cameras')).status

describe('an Empresa that requires a second factor', () => {
  it('requires it for itself and all below, up to the next Empresa with another setting', async () => {
    const state = async () => [await required(above.usuario), await required(own.usuario)]
    expect(await state()).toEqual([false, false])
    expect((await require(above.admin, above, true)).body.exigir_segundo_fator).toBe(true)
    expect(await state()).toEqual([true, true])
    await turnOn(app, above.admin)
    expect((await require(above.admin, own, false)).status).toBe(200)
    expect(await state()).toEqual([true, false])
    expect((await require(own.admin, own, null)).status).toBe(200)
    expect(await state()).toEqual([true, true])
    await turnOn(app, own.admin)
    expect((await require(own.admin, own, false)).status).toBe(403)
    expect((await require(own.admin, own, true)).status).toBe(200)
    expect((await require(own.usuario, own, null)).status).toBe(403)
    await require(above.admin, above, null)
    expect((await require(own.admin, own, null)).body.exigir_segundo_fator).toBe(null)
    expect(await state()).toEqual([false, false])
  })

  it('restricts a login without a second factor to its enrolment, and ends its open streams', async () => {
    const account = await app.account('Exige')
    const headers = { authorization: `Bearer ${account.usuario.token}` }
    const stream = await openSse(`${app.url}/api/v1/sse/alertas`, headers)
    await require(account.admin, account, true)
    await stream.ended
    expect([await cameras(account.usuario), await cameras(account.admin)]).toEqual([403, 403])
    const again = await app.signIn(`usuario-${account.empresaId}`)
    expect(await again.send('GET', '/api/v1/cameras')).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('Minha conta') },
    })
    const open = app.routes.filter(({ semSegundoFator }) => semSegundoFator).map(({ path }) => path)
    expect(open.sort()).toEqual([
      '/api/v1/auth/logout',
      '/api/v1/auth/renovar',
      '/api/v1/me',
      '/api/v1/me/segundo-fator',
      '/logout',
    ])
    await turnOn(app, again)
    expect(await cameras(again)).toBe(200)
    expect((await again.send('POST', '/api/v1/me/segundo-fator', { acao: 'remover', senha: SENHA })).status).toBe(200)
    expect(await cameras(again)).toBe(403)
    expect((await again.send('GET', '/api/v1/auth/logout')).status).toBe(303)
  })

  it('stops the agents of such a login, and new authorizations, until it is enabled', async () => {
    const account = await app.account('Agentes')
    const username = `usuario-${account.empresaId}`
    const clientId = await newClient(app)
    const pkce = newPkce()
    const code = await newCode(app, clientId, pkce, { username })
    const { body } = await askToken(app, codeFields(clientId, code, pkce))
    expect(await isTaken(app, body.access_token)).toBe(true)

    await require(account.admin, account, true)
    expect(await isTaken(app, body.access_token)).toBe(false)
    const request = { client_id: clientId, redirect_uri: REDIRECT, code_challenge: pkce.challenge }
    const post = (fields: object) =>
      send<string>(`${app.url}/oauth/authorize`, form({ ...request, username, password: SENHA, ...fields }))
    expect((await post({})).status).toBe(403)
    expect((await post({ etapa: 'consentimento' })).body).toContain('Minha conta')
    const page = await send<string>(`${app.url}/oauth/authorize?${new URLSearchParams(request)}`, {
      headers: { cookie: `session=${account.usuario.token}` },
    })
    expect([page.status, page.body]).toEqual([403, expect.stringContaining('Minha conta')])

    await turnOn(app, account.usuario)
    expect(await isTaken(app, body.access_token)).toBe(true)
  })
})
