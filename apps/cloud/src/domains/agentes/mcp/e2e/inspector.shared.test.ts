import { freePort } from '@vigia/testing/free-port'
import { afterAll, describe, expect } from 'vitest'
import { authorizeAgent } from '../../../../test/clients/oauth-flow.ts'
import { it } from '../../../../test/clouds/shared-cloud.ts'
import { type ClientMachine, createClientMachine } from './client-machine.ts'
import { type Installation, startInstallation } from './installation.ts'

// The fake browser is called by xdg-open.
describe.skipIf(process.platform !== 'linux')('the terminal of the MCP Inspector (needs Linux)', () => {
  let vigia: Installation
  let machine: ClientMachine

  it.beforeAll(async ({ app, browser }) => {
    vigia = await startInstallation({ app, browser })
    machine = await createClientMachine()
  })
  afterAll(async () => {
    await machine?.remove()
    await vigia?.stop()
  })

  /** Runs the command line of the Inspector with JSON output. */
  const inspect = (args: readonly string[]) =>
    machine.run('mcp-inspector', ['--cli', vigia.mcp.href, '--transport', 'http', '--format', 'json', ...args], {
      MCP_AUTO_OPEN_ENABLED: 'true',
      MCP_INSPECTOR_SECRET_STORE: 'file',
    })
  const succeed = async (ending: ReturnType<typeof inspect>) => {
    const { code, stdout, stderr } = await ending
    if (code !== 0) throw new Error(`mcp-inspector ended with ${code}: ${stderr}`)
    return stdout
  }
  const CALL = ['--method', 'tools/call', '--tool-name', 'listar_cameras']

  it('works with a valid token in its options, and fails with an invalid one', async () => {
    const token = await authorizeAgent(vigia.app, `usuario-${vigia.account.empresaId}`)
    const given = (authorization: string) =>
      inspect(['--stored-auth-only', '--header', `Authorization: ${authorization}`, ...CALL])
    expect(await succeed(given(`Bearer ${token}`))).toContain(vigia.camera)
    expect((await given('Bearer nada')).code).not.toBe(0)
  })

  it('opens the browser, and lists the tools after the consent', async () => {
    const opened = machine.opened().then((url) => vigia.person.authorize(url))
    const callback = `http://127.0.0.1:${await freePort()}/callback`
    const listing = succeed(inspect(['--callback-url', callback, '--method', 'tools/list']))
    const [stdout, { consent }] = await Promise.all([listing, opened])
    expect(consent).toContain('Inspector')
    const tools: { name: string }[] = JSON.parse(stdout).result.tools
    expect(tools.map(({ name }) => name)).toContain('criar_camera')
  })

  it.each([
    ['legacy', true],
    ['modern', false],
  ])('calls a tool with its stored tokens, in both protocol eras: %s', async (era, handshake) => {
    vigia.trail()
    const stdout = await succeed(inspect(['--stored-auth-only', '--protocol-era', era, ...CALL]))
    expect(stdout).toContain(vigia.camera)
    // The handshake, which 2026-07-28 lacks, ends with a notification, answered with 202.
    expect(vigia.trail().includes('POST /mcp 202')).toBe(handshake)
  })

  it('made no connection to other hosts', async () => {
    expect(await machine.outside()).toBe('')
  })
})
