import { fixture } from '@vigia/testing/fixture'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))

const path = '/api/v1/usuarios'
interface Usuario {
  id: number
  username: string
  papel: string
  ativo: boolean
  empresa_id: number | null
}
let made = 0
let target: Usuario
let session: Client
beforeEach(async () => {
  made += 1
  const username = `alvo-${made}`
  target = await own.admin.expect<Usuario>(201, 'POST', path, { username, senha: SENHA })
  session = await app.signIn(username)
})
const patch = (by: Client, body: object, id = target.id) => by.send<Usuario>('PATCH', `${path}/${id}`, body)
const remove = (by: Client, id = target.id) => by.send('DELETE', `${path}/${id}`)
const alive = async (client = session) => (await client.send('GET', '/api/v1/me')).status === 200
const enters = (senha = SENHA) =>
  app.signIn(target.username, senha).then(
    () => true,
    (error: Error) => {
      expect(error.message).toContain('401')
      return false
    },
  )
const idOf = async (username: string) => {
  const all = await app.operator.expect<Usuario[]>(200, 'GET', path)
  return all.find((usuario) => usuario.username === username)?.id ?? 0
}

describe('a change', () => {
  it('of the password ends the sessions of the login at once, and only the new password works', async () => {
    const answer = await patch(own.admin, { senha: 'outra-senha-boa' })
    expect([answer.status, answer.body]).toEqual([200, target])
    expect(JSON.stringify(answer.body)).not.toMatch(/senha|hash|argon2/)
    expect([await alive(), await enters(), await enters('outra-senha-boa')]).toEqual([false, false, true])
  })

  it('of the role ends the sessions of the login, and a new session has the new rights', async () => {
    expect((await patch(own.admin, { papel: 'administrador' })).body.papel).toBe('administrador')
    expect(await alive()).toBe(false)
    const admin = await app.signIn(target.username)
    expect((await admin.send('POST', path, { username: `x-${made}`, senha: SENHA })).status).toBe(201)
  })

  it('that deactivates a login blocks it until it is activated again', async () => {
    expect((await patch(own.admin, { ativo: false })).body.ativo).toBe(false)
    expect([await alive(), await enters()]).toEqual([false, false])
    expect((await patch(own.admin, { ativo: true })).body.ativo).toBe(true)
    expect([await alive(), await enters()]).toEqual([false, true])
  })

  it('without a difference ends no sessions', async () => {
    for (const body of [{}, { papel: 'usuario' }, { ativo: true }, { senha: null, papel: null, ativo: null }])
      expect((await patch(own.admin, body)).body).toEqual(target)
    expect(await alive()).toBe(true)
  })

  it('ends the open alerta stream of the login at once, not at the next session check', async () => {
    const { token } = await app.signIn(target.username)
    // The session check never runs.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    try {
      const stream = await openSse(`${app.url}/api/v1/sse/alertas?token=${token}`)
      expect(stream.response.status).toBe(200)
      await patch(own.admin, { ativo: false })
      await stream.ended
    } finally {
      vi.useRealTimers()
    }
  })

  it('prevents a session from a concurrent sign-in with the old password', async () => {
    const [, ...answers] = await Promise.all([
      patch(own.admin, { senha: 'outra-senha-boa' }),
      ...Array.from({ length: 8 }, () => app.signIn(target.username).catch(() => null)),
    ])
    for (const client of answers) if (client) expect(await alive(client)).toBe(false)
  })

  it('gives a 404 out of scope, and is forbidden to a usuario, even for the own login', async () => {
    for (const body of [{ senha: 'outra-senha-boa' }, { papel: 'administrador' }, { ativo: false }]) {
      expect((await patch(foreign.admin, body)).status).toBe(404)
      expect((await patch(own.usuario, body)).status).toBe(403)
      expect((await patch(session, body)).status).toBe(403)
      expect((await patch(own.admin, body, await idOf(ADMIN.username))).status).toBe(404)
      expect((await patch(app.operator, body, 999_999)).status).toBe(404)
    }
    expect([await alive(), await enters()]).toEqual([true, true])
  })

  it('rejects other fields and weak passwords', async () => {
    for (const body of [
      { empresa_id: null },
      { username: 'x' },
      { senha: 'curta' },
      { papel: 'operador' },
      { ativo: 1 },
    ])
      expect([body, (await patch(app.operator, body)).status]).toEqual([body, 422])
    expect((await app.operator.send('PATCH', `${path}/x`, {})).status).toBe(422)
    expect(await alive()).toBe(true)
  })

  it('is possible for logins of the Empresas below, and not above', async () => {
    const child = await app.account(`Filial ${made}`, own.admin)
    const below = await idOf(`usuario-${child.empresaId}`)
    expect((await patch(own.admin, { ativo: false }, below)).status).toBe(200)
    expect((await patch(child.admin, { ativo: false })).status).toBe(404)
  })
})

describe('the removal of a login', () => {
  it('ends its sessions and frees its name', async () => {
    expect((await remove(own.admin)).status).toBe(204)
    expect([await alive(), await enters()]).toEqual([false, false])
    expect((await remove(own.admin)).status).toBe(404)
    await own.admin.expect(201, 'POST', path, { username: target.username, senha: SENHA })
    expect(await alive()).toBe(false)
  })

  it('is refused for the own login, a 404 out of scope, and forbidden to a usuario', async () => {
    const { id } = await own.admin.expect<Usuario>(200, 'GET', '/api/v1/me')
    expect((await remove(own.admin, id)).status).toBe(409)
    expect((await remove(foreign.admin)).status).toBe(404)
    expect((await remove(own.usuario)).status).toBe(403)
    expect((await remove(own.admin, await idOf(ADMIN.username))).status).toBe(404)
    expect(await alive()).toBe(true)
  })
})

describe('the last operator', () => {
  it('can be neither demoted nor deactivated, also by two operators at the same time', async () => {
    const other = await startTestApp()
    try {
      const { id } = await other.operator.expect<Usuario>(200, 'GET', '/api/v1/me')
      for (const body of [{ papel: 'usuario' }, { ativo: false }])
        expect((await patch(other.operator, body, id)).status).toBe(409)
      expect((await remove(other.operator, id)).status).toBe(409)
      const second = { username: 'segundo', senha: SENHA, papel: 'administrador' }
      const { id: secondId } = await other.operator.expect<Usuario>(201, 'POST', path, second)
      const colleague = await other.signIn('segundo')
      const answers = await Promise.all([
        patch(colleague, { ativo: false }, id),
        patch(other.operator, { papel: 'usuario' }, secondId),
      ])
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses[0]).toBe(200)
      // The second request is either unauthenticated or would leave no operator.
      expect([401, 409]).toContain(statuses[1])
      const left = [await alive(other.operator), await alive(colleague)]
      expect(left.filter(Boolean)).toHaveLength(1)
    } finally {
      await other.stop()
    }
  })

  it('may change its own password', async () => {
    const other = await startTestApp()
    try {
      const { id } = await other.operator.expect<Usuario>(200, 'GET', '/api/v1/me')
      expect((await patch(other.operator, { senha: 'outra-senha-boa' }, id)).status).toBe(200)
      expect(await alive(other.operator)).toBe(false)
      await other.signIn(ADMIN.username, 'outra-senha-boa')
    } finally {
      await other.stop()
    }
  })
})
