import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { findUsuario } from '../../../db/usuarios.ts'
import { authorizePage, codeOf, requestOf, ticketOf } from '../../../test/clients/authorize-page.ts'
import { askToken, codeFields, newClient, newPkce, REDIRECT } from '../../../test/clients/oauth-flow.ts'
import { operatorCaller } from '../../../test/clients/operator-caller.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'
import { askConsent, authorizeDirectly } from './consent.ts'

const app = fixture(startTestApp)
const pages = fixture(() => authorizePage(app))
const account = fixture(() => app.account('Padaria'))
let clientId: string
beforeAll(async () => {
  clientId = await newClient(app)
})

const someLogin = async (changes: Readonly<Record<string, unknown>> = {}) => {
  const fields = { username: `pessoa-${Math.random()}`, senha: SENHA, ...changes }
  const { id } = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', fields)
  return { id, username: fields.username, password: SENHA }
}

describe('the page', () => {
  const says = async (changes: Readonly<Record<string, unknown>>) => {
    const { username, password } = await someLogin(changes)
    return (await pages.post({ ...requestOf(clientId), username, password, etapa: 'consentimento' })).body
  }

  it('shows an administrador and a vigilante the included rights, and every login how to revoke access', async () => {
    const administrador = await says({ papel: 'administrador' })
    expect(administrador).toContain('os destinos dos avisos')
    expect(administrador).toContain('abra <strong>Agentes</strong> no painel')
    const vigilante = await says({ papel: 'vigilante' })
    expect(vigilante).toContain('responder incidentes e silenciar câmeras')
    expect(vigilante).not.toContain('os destinos dos avisos')
    expect(vigilante).toContain('peça a um administrador')
    const usuario = await says({ papel: 'usuario' })
    expect(usuario).toContain('peça a um administrador')
    expect(usuario).not.toContain('Agentes</strong>')
    expect(usuario).not.toContain('responder incidentes')
  })
})

describe('the place of an agent', () => {
  it('offers at most 500 Empresas on the page', async () => {
    const { db } = await openBackstage(app)
    const { id: empresa_pai_id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', {
      nome: 'R',
    })
    const row = { empresa_pai_id, fuso_horario: 'America/Sao_Paulo', limite_cameras: 0, criada_em: 0 }
    const rows = Array.from({ length: 501 }, (_, at) => ({ ...row, nome: `Loja ${at}` }))
    await db.insertInto('empresas').values(rows).execute()
    const { username, password } = ADMIN
    const page = await pages.post({ ...requestOf(clientId), username, password, etapa: 'consentimento' })
    expect(page.body.match(/<option value="\d+"/g)).toHaveLength(500)
    expect(page.body).toContain('<option value="login">')
    await db.deleteFrom('empresas').where('empresa_pai_id', '=', empresa_pai_id).execute()
  })

  it('is no Empresa out of reach: the page ends', async () => {
    const outra = await app.account('Farmácia')
    const bilhete = await pages.ticket(clientId, await someLogin({ papel: 'vigilante', alcance: 'abaixo' }))
    expect((await pages.decide({ bilhete, alcance: String(outra.empresaId) })).status).toBe(400)
  })
})

describe('a ticket', () => {
  it('is valid once, also for two concurrent posts', async () => {
    const bilhete = await pages.ticket(clientId)
    const answers = await Promise.all(Array.from({ length: 6 }, () => pages.decide({ bilhete })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400, 400])
    expect((await pages.decide({ bilhete })).body).toContain('já foi respondido ou passou do tempo')
    const refused = await pages.ticket(clientId)
    expect((await pages.decide({ bilhete: refused, decisao: 'recusar' })).status).toBe(303)
    expect((await pages.decide({ bilhete: refused })).status).toBe(400)
  })

  it('is random and contains no part of the request', async () => {
    for (const bilhete of ['x', 'a'.repeat(43), "' or 1=1 --", 'a'.repeat(200)])
      expect((await pages.decide({ bilhete })).status).toBe(400)
    expect((await pages.decide({ bilhete: 'a'.repeat(201) })).status).toBe(422)
    const answer = await pages.decide({
      bilhete: await pages.ticket(clientId),
      redirect_uri: 'https://mal.exemplo.br/',
      client_id: 'x',
      state: 'z',
    })
    expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:1\/callback\?code=[\w-]{43}&state=xyz&iss=/)
  })

  it('acts for the login on its page, independent of the session of the post', async () => {
    const person = await someLogin({ papel: 'usuario' })
    const pkce = newPkce()
    const { username, password } = person
    const asked = { ...requestOf(clientId), code_challenge: pkce.challenge, username, password, etapa: 'consentimento' }
    const bilhete = ticketOf((await pages.post(asked)).body)
    const answer = await pages.decide({ bilhete }, { cookie: `session=${app.operator.token}` })
    const { body } = await askToken(app, codeFields(clientId, codeOf(answer) ?? '', pkce))
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ sub: String(person.id), papel: 'usuario', empresa_id: account.empresaId })
  })

  const changes: readonly (readonly [what: string, change: object])[] = [
    ['switched off', { ativo: false }],
    ['given another password', { senha: 'outra-senha-comprida' }],
    ['given another role', { papel: 'usuario' }],
  ]
  it.each(changes)('is invalid after its login was %s', async (_, change) => {
    const person = await someLogin({ papel: 'administrador' })
    const bilhete = await pages.ticket(clientId, person)
    await account.admin.expect(200, 'PATCH', `/api/v1/usuarios/${person.id}`, change)
    const answer = await pages.decide({ bilhete })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    // It is consumed all the same: restoring the login does not restore it.
    await account.admin.expect(200, 'PATCH', `/api/v1/usuarios/${person.id}`, {
      ativo: true,
      papel: 'administrador',
      senha: SENHA,
    })
    expect((await pages.decide({ bilhete })).status).toBe(400)
  })

  it('is deleted with its login', async () => {
    const person = await someLogin()
    const bilhete = await pages.ticket(clientId, person)
    const backstage = await openBackstage(app)
    try {
      await backstage.db.deleteFrom('usuarios').where('id', '=', person.id).execute()
    } finally {
      await backstage.close()
    }
    expect((await pages.decide({ bilhete })).status).toBe(400)
  })

  it('is stored as a hash, at most ten per login', async () => {
    const person = await someLogin()
    const tickets: string[] = []
    for (let i = 0; i < 12; i += 1) tickets.push(await pages.ticket(clientId, person))
    const backstage = await openBackstage(app)
    try {
      const rows = await backstage.db
        .selectFrom('consentimentos_oauth')
        .selectAll()
        .where('usuario_id', '=', person.id)
        .execute()
      expect(rows.length).toBe(10)
      for (const secret of [...tickets, SENHA]) expect(JSON.stringify(rows)).not.toContain(secret)
    } finally {
      await backstage.close()
    }
    expect((await pages.decide({ bilhete: tickets[0] ?? '' })).status).toBe(400)
    expect((await pages.decide({ bilhete: tickets[11] ?? '' })).status).toBe(303)
  })

  it('expires after ten minutes, and with its program', async () => {
    const app = await startTestApp()
    try {
      const pages = authorizePage(app)
      const client = await newClient(app)
      const open = await pages.ticket(client)
      app.clock.advance(9 * 60_000)
      expect((await pages.decide({ bilhete: open })).status).toBe(303)
      const late = await pages.ticket(client)
      app.clock.advance(10 * 60_000)
      expect((await pages.decide({ bilhete: late })).status).toBe(400)
      const backstage = await openBackstage(app)
      const orphan = await pages.ticket(client)
      await backstage.db.deleteFrom('clientes_oauth').where('client_id', '=', client).execute()
      await backstage.close()
      expect((await pages.decide({ bilhete: orphan })).status).toBe(400)
    } finally {
      await app.stop()
    }
  })
})

it('issues no code if the password changes during its check', async () => {
  const person = await someLogin()
  const backstage = await openBackstage(app)
  try {
    const deps = { db: backstage.db, clock: app.clock }
    const checked = await findUsuario(backstage.db, person.id)
    if (!checked) throw new Error('no login')
    await account.admin.expect(200, 'PATCH', `/api/v1/usuarios/${person.id}`, { senha: 'outra-senha-comprida' })
    const pedido = {
      clientId,
      redirectUri: REDIRECT,
      codeChallenge: newPkce().challenge,
      state: '',
      escopo: 'mcp',
      recurso: `${app.url}/mcp`,
    } as const
    const late = authorizeDirectly(deps, checked, pedido, operatorCaller.origem)
    await expect(late).rejects.toMatchObject({ code: 'nao_autenticado' })
    expect((await pages.decide({ bilhete: await askConsent(deps, checked, pedido, null) })).status).toBe(400)
  } finally {
    await backstage.close()
  }
})
