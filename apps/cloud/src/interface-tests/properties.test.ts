import { erroInternoSchema, erroSchema, erroValidacaoSchema } from '@vigia/contracts/error-bodies'
import { erroOauthSchema } from '@vigia/contracts/oauth'
import { fixture } from '@vigia/testing/fixture'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../http/route.ts'
import type { Client } from '../test/clients/client.ts'
import { openBackstage } from '../test/clouds/backstage.ts'
import { ADMIN, startTestApp } from '../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED, type OwnRecords, ownRecords } from '../test/records/own-records.ts'
import { bodyOf, contentOf, fetchDocument } from '../test/walks/api-document.ts'
import { changedTables, fingerprint } from '../test/walks/fingerprint.ts'
import { listWork, untilQuiet, workRan } from '../test/walks/quiet.ts'
import { type GeneratedRequest, requestsTo } from '../test/walks/request-arbitrary.ts'

/** Set VIGIA_TEST_SEED to repeat the requests of an earlier run. */
const seed = Number(process.env.VIGIA_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

let records: OwnRecords
let admin: Client

const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))
const document = fixture(() => fetchDocument(app))

beforeAll(async () => {
  const conta = await app.account('Loja')
  records = ownRecords(backstage, conta)
  admin = conta.admin
})

interface Sent extends GeneratedRequest {
  readonly asOperator: boolean
}

async function requests(route: Route, path: string): Promise<fc.Arbitrary<Sent>> {
  const generated = await requestsTo(route, path, { document, records })
  return fc.tuple(generated, fc.boolean()).map(([request, asOperator]) => ({ ...request, asOperator }))
}

async function send(method: string, { path, body, contentType, lastEventId }: Sent, bearer: string) {
  const response = await fetch(`${app.url}${path}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${bearer}`,
      'last-event-id': lastEventId,
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    ...(body !== undefined && { body }),
  })
  const { status } = response
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  if (status < 400) {
    await response.body?.cancel()
    return { status, type, text: '' }
  }
  return { status, type, text: await response.text() }
}

/** Untranslated messages of zod. */
const english = /invalid|expected|required|must|should|unrecognized|too (small|big)/i

function requireWellFormed({ path, oauth }: Route, status: number, text: string): void {
  // An HTML page.
  if (/^\/(oauth\/authorize|login)/.test(path) && text.startsWith('<!doctype html>')) return
  // JSON-RPC 2.0 errors for agents; authentication errors have the common form.
  if (path === '/mcp') {
    expect(JSON.parse(text), text).toHaveProperty(
      status < 500 && 'jsonrpc' in JSON.parse(text) ? 'error.code' : 'detail',
    )
    return
  }
  if (oauth) {
    const refusal = erroOauthSchema.strict().parse(JSON.parse(text))
    expect(status !== 422 || Array.isArray(refusal.detail), text).toBe(true)
    return
  }
  if (status !== 422) {
    ;(status === 500 ? erroInternoSchema : erroSchema).strict().parse(JSON.parse(text))
    return
  }
  const { detail } = erroValidacaoSchema.strict().parse(JSON.parse(text))
  expect(detail.length).toBeGreaterThan(0)
  const slots = detail.map(({ loc }) => JSON.stringify(loc))
  expect(new Set(slots).size, `two items for one field: ${text}`).toBe(slots.length)
  for (const { msg } of detail) expect(msg).not.toMatch(english)
}

/** A refused exchange of a code stores one change: the code becomes invalid. */
const burnsCodes = ({ path }: Route) => path === '/oauth/token'
/** A refused decision uses up its ticket, also one that no longer stands. */
const burned = ({ path }: Route) => (path === '/oauth/authorize/decisao' ? ['consentimentos_oauth'] : [])

/** Ends the session or the token of the request, so that each request needs a new session. */
const leaves = ({ path }: Route) => /\/(logout|auth\/renovar)$/.test(path)
const passwordAgain = ['mudarSenha', 'removerEmpresa', 'mudarSegundoFator']
const checksPassword = (route: Route) =>
  bodyOf(document, route)?.mediaType === 'application/x-www-form-urlencoded' || passwordAgain.includes(route.operacao)

/** Each run of the tests has another seed. `npm run lab -- fuzz` sends as many requests as wanted. */
function runsOf(route: Route): number {
  // A password hash is expensive, and the limits soon refuse further requests.
  if (leaves(route) || checksPassword(route)) return 10
  if (route.json) return 20
  return route.query ? 10 : route.params ? 5 : 3
}

describe(`any request (VIGIA_TEST_SEED=${seed})`, () => {
  it('never causes a failure of the service; a refusal is well formed and stores nothing', {
    timeout: 600_000,
  }, async () => {
    let refused = 0
    let taken = 0
    // The sign-ins come last, because every other sign-in fails after their limits are reached.
    const order = [...app.routes].sort((a, b) => Number(checksPassword(a)) - Number(checksPassword(b)))
    // The records are created first, because the requests may exhaust the limits of the account.
    const plans: { route: Route; arbitrary: fc.Arbitrary<Sent> }[] = []
    for (const route of order) {
      const path = route.path.includes('/docs/') ? route.path : await records.path(route.path)
      plans.push({ route, arbitrary: await requests(route, path) })
    }
    for (const { route, arbitrary } of plans) {
      let before = await quietState()
      const property = fc.asyncProperty(arbitrary, async (sent) => {
        const bearer = leaves(route) ? (await app.signIn(ADMIN.username, ADMIN.password)).token : tokenOf(sent)
        const { status, type, text } = await send(route.method, sent, bearer)
        const failure = status >= 500 && status !== 503
        expect(failure, `${status} ${text} ${failure ? lastFailure() : ''}`).toBe(false)
        if (status < 400) {
          taken += 1
          before = await quietState()
        } else {
          refused += 1
          const after = await state()
          requireWellFormed(route, status, text)
          const documented = Object.keys(contentOf(document, route, status))
          expect(documented.includes(type) || documented.includes('*/*'), `${status} as ${type}`).toBe(true)
          // A retry of an earlier request's work may become due at any time.
          if (!burnsCodes(route) && !workRan(before.work, after.work)) {
            const changed = changedTables(before.tables, after.tables).filter((name) => !burned(route).includes(name))
            expect(changed, `tables changed at ${status} ${text}`).toEqual([])
          }
          before = after
        }
      })
      await fc.assert(property, { numRuns: runsOf(route), seed, endOnFailure: true }).catch((error: Error) => {
        const why = error.cause instanceof Error ? error.cause.message : ''
        throw new Error(`${route.method.toUpperCase()} ${route.path}: ${why}\n${error.message.slice(0, 4000)}`)
      })
    }
    // The generators must produce accepted and refused requests.
    expect(refused).toBeGreaterThan(300)
    expect(taken).toBeGreaterThan(200)
  })
})

const state = async () => ({ tables: await fingerprint(backstage), work: await listWork(backstage) })

/** The state after the work of earlier requests, which would otherwise count as a change of the next one. */
async function quietState() {
  await untilQuiet(backstage)
  return state()
}

const tokenOf = ({ asOperator }: Sent) => (asOperator ? app.operator : admin).token

const lastFailure = () =>
  app
    .logText()
    .split('\n')
    .findLast((line) => line.includes('"err"'))
