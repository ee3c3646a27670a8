import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { form, send } from '../../test/clients/client.ts'
import { authorizeAgent } from '../../test/clients/oauth-flow.ts'
import { runVigia } from '../../test/clients/run-vigia.ts'
import { turnOn } from '../../test/clients/second-factor.ts'
import { ADMIN, startTestApp } from '../../test/clouds/test-app.ts'

const app = fixture(startTestApp)

const run = (args: readonly string[], dataDir = app.dataDir) =>
  runVigia(['usuario', ...args], { VIGIA_DATA_DIR: dataDir, ...(dataDir === app.dataDir && app.banco) })
const reset = (args: readonly string[] = [], dataDir = app.dataDir) => run(['remover-segundo-fator', ...args], dataDir)

it('restores the sign-in of an operator without phone and codes, while the service runs', async () => {
  const { empresaId } = await app.account('Loja')
  expect(await reset()).toEqual({ code: 0, output: expect.stringContaining('não tem segundo fator') })
  await turnOn(app, app.operator, ADMIN.password)
  const enter = async () => (await send(`${app.url}/api/v1/auth/token`, form(ADMIN))).status
  expect(await enter()).toBe(401)
  expect(await reset([`administrador-${empresaId}`])).toMatchObject({
    code: 1,
    output: expect.stringContaining('Empresa'),
  })
  expect(await reset(['ninguem'])).toMatchObject({ code: 1 })
  expect(await reset([], `${app.dataDir}/nada`)).toMatchObject({
    code: 1,
    output: expect.stringContaining('VIGIA_DATA_DIR'),
  })
  expect(await enter()).toBe(401)

  expect(await reset([ADMIN.username.toUpperCase()])).toEqual({ code: 0, output: expect.stringContaining('desligado') })
  expect((await app.operator.send('GET', '/api/v1/me')).status).toBe(401)
  expect(await enter()).toBe(200)
  const operator = await app.signIn(ADMIN.username, ADMIN.password)
  expect(await operator.expect(200, 'GET', '/api/v1/auditoria?objeto=segundo_fator&acao=remover')).toMatchObject([
    { canal: 'sistema', username: null, objeto_nome: 'admin' },
  ])
})

it('sets a password while the service runs, and ends the sessions and the agents of the login', async () => {
  const { empresaId, admin } = await app.account('Padaria', await app.signIn(ADMIN.username, ADMIN.password))
  const username = `administrador-${empresaId}`
  await authorizeAgent(app, username)
  expect(await admin.expect(200, 'GET', '/api/v1/autorizacoes')).toHaveLength(1)
  const { code, output } = await run(['redefinir-senha', username.toUpperCase()])
  expect([code, output]).toEqual([0, expect.stringContaining(`"${username}" redefinida`)])
  const senha = /Senha nova: (\S+)/.exec(output)?.[1] ?? ''
  expect((await admin.send('GET', '/api/v1/me')).status).toBe(401)
  await expect(app.signIn(username)).rejects.toThrow('401')
  const again = await app.signIn(username, senha)
  expect(await again.expect(200, 'GET', '/api/v1/autorizacoes')).toEqual([])
  const records = await again.expect<{ depois: unknown }[]>(200, 'GET', '/api/v1/auditoria?objeto=usuario&acao=alterar')
  expect(records[0]).toMatchObject({ canal: 'sistema', objeto_nome: username, depois: { senha: expect.anything() } })
  expect(JSON.stringify(records)).not.toContain(senha)
})

it('refuses a name that no login has, and a question without a terminal', async () => {
  expect(await run(['redefinir-senha', 'ninguem'])).toEqual({ code: 1, output: 'Não há login com este nome.\n' })
  const asked = await run(['redefinir-senha', ADMIN.username, '--perguntar'])
  expect([asked.code, asked.output]).toEqual([1, expect.stringContaining('não há terminal')])
})
