import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@vigia/testing/free-port'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BearerProxy, startBearerProxy } from '../../../../test/clients/bearer-proxy.ts'
import { approve, authorizeAgent, newClient } from '../../../../test/clients/oauth-flow.ts'
import { startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'
import { everythingServer } from '../../../../test/stand-ins/everything-server.ts'
import { type ClientMachine, createClientMachine } from './client-machine.ts'

let app: TestApp
let username: string
let proxy: BearerProxy
let machine: ClientMachine
beforeAll(async () => {
  app = await startTestApp({}, { mcpExtras: everythingServer() })
  username = `administrador-${(await app.account('Mercado')).empresaId}`
  proxy = await startBearerProxy(app.url)
  // Authorized through the proxy: the suite uses the proxy's address, and a token is valid for one address.
  proxy.token = await authorizeAgent(proxy, username)
  machine = await createClientMachine()
})
afterAll(async () => {
  expect(await machine.outside()).toBe('')
  await machine.remove()
  await proxy.stop()
  await app.stop()
})

/** `passed`: number of passed checks per scenario; `others`: the rest, as `scenario: check STATUS`. */
interface Checks {
  readonly passed: Readonly<Record<string, number>>
  readonly others: readonly string[]
}

/** The exit code is not enough: a scenario without any executed check counts as passed. */
async function readChecks(folder: string): Promise<Checks> {
  const passed: Record<string, number> = {}
  const others: string[] = []
  for (const name of await readdir(folder)) {
    const scenario = name.replace(/^(authorization-server|server)-|-\d{4}-\d\d-\d\dT.*$/g, '')
    passed[scenario] = 0
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'))
    for (const { id, status } of checks as { id: string; status: string }[]) {
      if (status === 'SUCCESS') passed[scenario] += 1
      else if (status !== 'INFO') others.push(`${scenario}: ${id} ${status}`)
    }
  }
  return { passed, others: others.sort() }
}

async function run(revision: string): Promise<Checks> {
  const out = join(machine.home, revision)
  const args = ['server', '--url', `${proxy.url}/mcp`, '--requirements', revision, '-o', out]
  const longer = `--import=${new URL('longer-limits.ts', import.meta.url).href}`
  await machine.run('conformance', args, { NODE_OPTIONS: `${machine.env.NODE_OPTIONS} ${longer}` })
  return readChecks(out)
}

const each = (count: number, scenarios: string): Record<string, number> =>
  Object.fromEntries(scenarios.split(/\s+/).map((scenario) => [scenario, count]))

/** Scenarios of both revisions, with their number of checks. */
const inBoth = {
  ...each(
    2,
    `completion-complete dns-rebinding-protection prompts-get-embedded-resource prompts-get-simple prompts-get-with-args
     prompts-get-with-image prompts-list resources-list resources-read-binary resources-read-text
     resources-templates-read tools-call-audio tools-call-embedded-resource tools-call-error tools-call-image
     tools-call-mixed-content tools-call-simple-text tools-call-with-progress`,
  ),
  'json-schema-2020-12': 8,
}

it('passes every check of 2025-11-25 that needs no session', async () => {
  const { passed, others } = await run('2025-11-25')
  expect(passed).toEqual({
    ...inBoth,
    ...each(
      2,
      'logging-set-level ping resources-subscribe resources-unsubscribe server-initialize tools-call-with-logging',
    ),
    'tools-list': 3,
    // The first check of these is the connection; the second needs a session (below).
    ...each(1, 'elicitation-sep1034-defaults elicitation-sep1330-enums tools-call-elicitation tools-call-sampling'),
    // The suite checks these only with a session.
    ...each(0, 'server-session-lifecycle server-sse-multiple-streams server-sse-polling'),
  })
  expect(others).toEqual([
    // In these revisions a server may ask its client during a call. The answer is a separate request, which no replica
    // can match without sessions. Vigia never asks (2026-07-28 supports it without sessions: `input-required-…` below).
    'elicitation-sep1034-defaults: elicitation-sep1034-general FAILURE',
    'elicitation-sep1330-enums: elicitation-sep1330-general FAILURE',
    // No session id, which is optional in this revision.
    'server-sse-multiple-streams: server-sse-multiple-streams-session WARNING',
    'server-sse-polling: server-sse-polling-session WARNING',
    // Streams are not resumable: clients repeat an interrupted call.
    'server-sse-polling: server-sse-priming-event WARNING',
    'server-sse-polling: server-sse-retry-field WARNING',
    'tools-call-elicitation: tools-call-elicitation FAILURE',
    'tools-call-sampling: tools-call-sampling FAILURE',
  ])
})

it('passes every check of 2026-07-28', async () => {
  const { passed, others } = await run('2026-07-28')
  // The server does not declare this optional extension (SEP-2663): long work reports progress on its own stream.
  const required = ([scenario]: readonly [string, unknown]) => !scenario.startsWith('tasks-')
  expect(Object.fromEntries(Object.entries(passed).filter(required))).toEqual({
    ...inBoth,
    ...each(
      2,
      `input-required-result-capability-check input-required-result-ignore-extra-params
       input-required-result-missing-input-response input-required-result-result-type
       input-required-result-tampered-state input-required-result-unsupported-methods`,
    ),
    ...each(
      3,
      `input-required-result-basic-elicitation input-required-result-basic-list-roots
       input-required-result-basic-sampling input-required-result-multiple-input-requests
       input-required-result-non-tool-request
       input-required-result-request-state input-required-result-validate-input`,
    ),
    ...each(4, 'input-required-result-multi-round sep-2164-resource-not-found tools-list'),
    caching: 8,
    'http-custom-header-server-validation': 10,
    'http-header-validation': 14,
    'server-sse-multiple-streams': 1,
    'server-stateless': 28,
  })
  expect(others.filter((check) => required([check, null]))).toEqual([
    // Lists change with the role of the login and the version of the program. The server does not declare notifications
    // about it.
    'server-stateless: sep-2575-server-sends-prompts-list-changed-on-subscription SKIPPED',
    'server-stateless: sep-2575-server-sends-tools-list-changed-on-subscription SKIPPED',
  ])
})

it('passes every check of an authorization server', async () => {
  const port = await freePort()
  const out = join(machine.home, 'authorization')
  const client = await newClient(app, [`http://127.0.0.1:${port}/callback`])
  const args = ['--url', app.url, '--client-id', client, '--resource', `${app.url}/mcp`, '-p', String(port), '-o', out]
  const suite = spawn(process.execPath, machine.command('conformance', ['authorization', ...args]), {
    env: machine.env,
  })
  const ended = once(suite, 'close')
  let said = ''
  let approved: Promise<unknown> | undefined
  suite.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const url = /^http\S+\/oauth\/authorize\?\S+$/m.exec(said)?.[0]
    // The suite may print the address before it listens for the redirect.
    const listening = said.includes('Callback server started')
    if (url && listening && !approved) approved = approve(url, username).then((callback) => fetch(callback))
  })
  await ended
  await approved
  const { passed, others } = await readChecks(out)
  expect(passed).toEqual({ 'authorization-server-metadata-endpoint': 2, 'authorization-code-grant': 1 })
  expect(others).toEqual([])
})
