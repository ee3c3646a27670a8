import { runProgram } from '@vigia/testing/program'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { form, send } from './test/client.ts'
import { turnOn } from './test/second-factor.ts'
import { ADMIN, startTestApp, type TestApp } from './test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const reset = (args: readonly string[] = [], dataDir = app.dataDir) =>
  runProgram({
    entry: 'apps/cloud/src/reset-second-factor.ts',
    args,
    env: { VIGIA_DATA_DIR: dataDir, ...(dataDir === app.dataDir && app.banco) },
  })

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
