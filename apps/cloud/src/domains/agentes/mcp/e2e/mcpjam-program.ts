/**
 * The suites of `@mcpjam/sdk`, in a separate process without access to other hosts, because the SDK contains a
 * telemetry client. Arguments: address of /mcp, a token, user name, password. Prints one JSON object: the steps of each
 * suite by status.
 */
import { MCPConformanceTest, OAuthConformanceTest } from '@mcpjam/sdk'
import { approve } from '../../../../test/clients/oauth-flow.ts'

const [serverUrl = '', accessToken = '', username = '', password = ''] = process.argv.slice(2)

const auth = {
  mode: 'interactive',
  openUrl: async (url: string) => {
    const callback = await approve(url, username, password)
    await (await fetch(callback)).body?.cancel()
  },
} as const

const byStatus = (steps: readonly { name: string; status: string }[]) =>
  Object.fromEntries(
    ['passed', 'skipped', 'failed'].map((wanted) => [
      wanted,
      steps.filter(({ status }) => status === wanted).map(({ name }) => name),
    ]),
  )

async function flow(protocolVersion: '2025-03-26' | '2025-06-18' | '2025-11-25', attacks: boolean) {
  const { steps } = await new OAuthConformanceTest({
    serverUrl,
    protocolVersion,
    registrationStrategy: 'dcr',
    auth,
    ...(attacks
      ? { oauthConformanceChecks: true }
      : { verification: { listTools: true, callTool: { name: 'listar_cameras', params: {} } } }),
  }).run()
  return byStatus(steps.map(({ step, status }) => ({ name: step, status })))
}

const { checks } = await new MCPConformanceTest({ serverUrl, accessToken }).run()
const results = {
  protocol: byStatus(checks.map(({ id, status }) => ({ name: id, status }))),
  '2025-03-26': await flow('2025-03-26', false),
  '2025-06-18': await flow('2025-06-18', false),
  '2025-11-25': await flow('2025-11-25', false),
  // These checks run separately, because they use a code twice, which revokes its authorization.
  attacks: await flow('2025-11-25', true),
}
// Exits explicitly, because the telemetry client keeps the process alive.
process.stdout.write(JSON.stringify(results), () => process.exit(0))
