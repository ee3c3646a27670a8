import { afterAll, describe, expect } from 'vitest'
import { it } from '../../../../test/clouds/shared-cloud.ts'
import { type ClientMachine, createClientMachine } from './client-machine.ts'
import { type Installation, startInstallation } from './installation.ts'
import { useThroughProxy } from './use-through-proxy.ts'

// The fake browser is called by xdg-open.
describe.skipIf(process.platform !== 'linux')('mcp-remote (needs Linux)', () => {
  let vigia: Installation
  let machine: ClientMachine

  it.beforeAll(async ({ browser }) => {
    vigia = await startInstallation({ browser })
    machine = await createClientMachine()
  })
  afterAll(async () => {
    await machine?.remove()
    await vigia?.stop()
  })

  /** Starts the proxy, with a person who consents in the browser. */
  async function useAndAllow() {
    const opened = machine.opened().then((url) => vigia.person.authorize(url))
    const [used, { consent }] = await Promise.all([useThroughProxy(machine, vigia.mcp), opened])
    return { ...used, consent }
  }

  it('opens the browser, and works after the consent', async () => {
    vigia.trail()
    const { tools, cameras, consent } = await useAndAllow()
    expect(consent).toContain('este computador')
    expect(tools).toContain('criar_camera')
    expect(cameras).toContain(vigia.camera)
    expect(vigia.trail()).toEqual(expect.arrayContaining(['POST /oauth/register 201', 'POST /oauth/token 200']))
  })

  it.each([
    ['legacy', true],
    ['auto', false],
  ])('works with its stored tokens, in both protocol eras: %s', async (protocol, handshake) => {
    vigia.trail()
    const { cameras } = await useThroughProxy(machine, vigia.mcp, ['--protocol', protocol])
    expect(cameras).toContain(vigia.camera)
    const trail = vigia.trail()
    expect(trail.filter((line) => line.includes('/oauth/'))).toEqual([])
    // The handshake, which 2026-07-28 lacks, ends with a notification, answered with 202.
    expect(trail.includes('POST /mcp 202')).toBe(handshake)
  })

  it('registers and asks for consent again after its registration has expired', async () => {
    vigia.app.clock.advance(200 * 86_400_000)
    vigia.trail()
    expect((await useAndAllow()).cameras).toContain(vigia.camera)
    expect(vigia.trail()).toContain('POST /oauth/register 201')
  })

  it('made no connection to other hosts', async () => {
    expect(await machine.outside()).toBe('')
  })
})
