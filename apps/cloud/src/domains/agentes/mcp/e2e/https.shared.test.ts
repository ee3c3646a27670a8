import { afterAll, describe, expect } from 'vitest'
import { it } from '../../../../test/clouds/shared-cloud.ts'
import { type ClientMachine, createClientMachine } from './client-machine.ts'
import { type HttpsFront, startHttpsFront } from './https-front.ts'
import { type Installation, startInstallation } from './installation.ts'
import { useThroughProxy } from './use-through-proxy.ts'

// The fake browser is called by xdg-open.
describe.skipIf(process.platform !== 'linux')('VIGIA_URL_PUBLICA behind HTTPS (needs Linux)', () => {
  let front: HttpsFront
  let vigia: Installation
  let machine: ClientMachine

  it.beforeAll(async ({ browser }) => {
    front = await startHttpsFront()
    vigia = await startInstallation({ browser, front })
    machine = await createClientMachine({ NODE_EXTRA_CA_CERTS: front.caFile })
  })
  afterAll(async () => {
    await machine?.remove()
    await vigia?.stop()
    await front?.stop()
  })

  it('authorizes and serves an agent', async () => {
    const opened = machine.opened().then((url) => vigia.person.authorize(url))
    const [{ cameras }, { consent }] = await Promise.all([useThroughProxy(machine, vigia.mcp), opened])
    expect(consent).toContain('Mercado Bom Preço')
    expect(cameras).toContain(vigia.camera)
  })

  it('names its public address also in requests to its own port', async () => {
    const answer = await fetch(`${vigia.app.url}/.well-known/oauth-protected-resource/mcp`)
    expect(await answer.json()).toMatchObject({
      resource: `${front.origin}/mcp`,
      authorization_servers: [front.origin],
    })
  })
})
