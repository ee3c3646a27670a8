import { afterAll, describe, expect } from 'vitest'
import { it } from '../../../test/shared-cloud.ts'
import { type ClientPlace, createClientPlace } from './client-place.ts'
import { type Installation, startInstallation } from './installation.ts'
import { useThroughProxy } from './use-through-proxy.ts'

// The browser's stand-in is called by xdg-open.
describe.skipIf(process.platform !== 'linux')('mcp-remote', () => {
  let vigia: Installation
  let place: ClientPlace

  it.beforeAll(async ({ browser }) => {
    vigia = await startInstallation({ browser })
    place = await createClientPlace()
  })
  afterAll(async () => {
    await place?.remove()
    await vigia?.stop()
  })

  /** With somebody who sits there and allows what the program opens in the browser. */
  async function useAndAllow() {
    const opened = place.opened().then((url) => vigia.person.authorize(url))
    const [used, { consent }] = await Promise.all([useThroughProxy(place, vigia.mcp), opened])
    return { ...used, consent }
  }

  it('opens the browser, and works once the person has allowed it', async () => {
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
  ])('works at once the next time, by the protocol of either era: %s', async (protocol, handshake) => {
    vigia.trail()
    const { cameras } = await useThroughProxy(place, vigia.mcp, ['--protocol', protocol])
    expect(cameras).toContain(vigia.camera)
    const trail = vigia.trail()
    expect(trail.filter((line) => line.includes('/oauth/'))).toEqual([])
    // The end of the handshake, which 2026-07-28 has none of, is a notification, answered with 202.
    expect(trail.includes('POST /mcp 202')).toBe(handshake)
  })

  it('registers anew and asks the person again when it was away for so long that it is not known any more', async () => {
    vigia.app.clock.advance(200 * 86_400_000)
    vigia.trail()
    expect((await useAndAllow()).cameras).toContain(vigia.camera)
    expect(vigia.trail()).toContain('POST /oauth/register 201')
  })

  it('asked nothing of the world outside', async () => {
    expect(await place.outside()).toBe('')
  })
})
