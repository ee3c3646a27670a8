import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../http/route.ts'
import { type Asked, ask } from '../test/clients/ask.ts'
import { openBackstage } from '../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED, type OwnRecords, ownRecords } from '../test/records/own-records.ts'
import { bodyOf, fetchDocument, type JsonSchema, operationOf, resolveSchema } from '../test/walks/api-document.ts'

/** Inherited names of every object, one function and one object: a lookup by text in a plain object finds them. */
const inherited = ['constructor', '__proto__'] as const

let records: OwnRecords
let token: string

const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))
const document = fixture(() => fetchDocument(app))

beforeAll(async () => {
  const account = await app.account('Loja')
  records = ownRecords(backstage, account)
  // Each route of a camera gets one of its own.
  await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${account.empresaId}`, { limite_cameras: 128 })
  // Wrong passwords in bodies block this login, and not the one that creates the records.
  const login = { username: 'curioso', senha: SENHA, papel: 'administrador', empresa_id: account.empresaId }
  await account.admin.expect(201, 'POST', '/api/v1/usuarios', login)
  token = (await app.signIn('curioso')).token
})

/** Sets an own property, also one called `__proto__`. */
const withOwn = (value: object, name: string, by: unknown): object =>
  Object.defineProperty({ ...value }, name, { value: by, enumerable: true })

/** Field names of a body, including those of each alternative of a union. */
function fieldsOf(schema: JsonSchema): string[] {
  const {
    properties = {},
    anyOf = [],
    oneOf = [],
  } = resolveSchema(document, schema) as {
    readonly properties?: object
    readonly anyOf?: readonly JsonSchema[]
    readonly oneOf?: readonly JsonSchema[]
  }
  return [...new Set([...Object.keys(properties), ...[...anyOf, ...oneOf].flatMap(fieldsOf)])]
}

/** Copies of `value`, each with one inner text replaced by `name`, or with a field of that name in one object. */
function* spoilt(value: unknown, name: string): Generator<unknown> {
  if (typeof value === 'string') yield name
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    for (const other of spoilt(inner, name))
      yield Array.isArray(value) ? value.with(Number(key), other) : withOwn(value, key, other)
  if (!Array.isArray(value)) yield withOwn(value, name, {})
}

function* bodies(route: Route, example: unknown): Generator<unknown> {
  const body = bodyOf(document, route)
  if (!body) return
  const json = body.mediaType === 'application/json'
  for (const name of inherited) {
    yield* spoilt(example, name)
    for (const field of fieldsOf(body.schema)) {
      yield withOwn(example as object, field, name)
      if (json) yield withOwn(example as object, field, [name])
      if (json) yield withOwn(example as object, field, withOwn({}, name, {}))
    }
  }
}

function* queries(route: Route): Generator<string> {
  const names = (operationOf(document, route).parameters ?? []).filter((one) => one.in === 'query')
  for (const inheritedName of inherited) {
    for (const { name } of names) yield `?${name}=${inheritedName}`
    if (route.query) yield `?${inheritedName}=x`
  }
}

/** Every request to `route` with an inherited name in its path, its query or its body. */
async function* requests(route: Route): AsyncGenerator<readonly [path: string, body: unknown]> {
  const example = await records.example(bodyOf(document, route)?.examples[0] ?? {})
  if (route.path.includes('{')) for (const name of inherited) yield [route.path.replaceAll(/\{\w+\}/g, name), example]
  const path = route.path.includes('/docs/') ? route.path : await records.path(route.path)
  for (const query of queries(route)) yield [`${path}${query}`, example]
  for (const body of bodies(route, example)) yield [path, body]
}

const lastFailure = () =>
  app
    .logText()
    .split('\n')
    .findLast((line) => line.includes('"err"'))

describe('inherited names of objects', () => {
  it('are ordinary values in every field, parameter and path of every route', { timeout: 300_000 }, async () => {
    let sent = 0
    let refusedForRate = 0
    const failures: string[] = []
    for (const route of app.routes) {
      const body = bodyOf(document, route)
      for await (const [path, value] of requests(route)) {
        const asked: Asked = await ask(`${app.url}${path}`, route.method, token, body, value)
        sent += 1
        if (asked.status === 429) refusedForRate += 1
        if (asked.status >= 500 && asked.status !== 503)
          failures.push(`${route.method.toUpperCase()} ${path} ${JSON.stringify(value)}: ${lastFailure()}`)
      }
    }
    expect(failures).toEqual([])
    // Rate limits answer before a field is read, so they may answer only few requests.
    expect(sent).toBeGreaterThan(500)
    expect(refusedForRate / sent).toBeLessThan(0.1)
  })

  it('are no path of the service', async () => {
    for (const name of inherited)
      for (const path of [`/${name}`, `/api/v1/${name}`, `/oauth/${name}`, `/assets/${name}`])
        expect([path, (await ask(`${app.url}${path}`, 'get', null)).status]).toEqual([path, 404])
  })
})
