import { createMemoryLog, createTestInstallation } from '@vigia/link/testing/installation'
import { type Broker, createBroker } from '../app.ts'

/** A broker of a new installation in this process, which admits edge 7. Each start uses the same port. */
export async function startEmbeddedBroker() {
  const installation = await createTestInstallation()
  const log = createMemoryLog()
  const start = async (onPort: number): Promise<{ broker: Broker; port: number; url: string }> => {
    const broker = createBroker({ host: '127.0.0.1', port: onPort, tls: installation.broker, log })
    const { porta: port } = await broker.start()
    const url = `mqtts://127.0.0.1:${port}`
    await installation.admit(url, [7])
    return { broker, port, url }
  }
  const { port, url, ...first } = await start(0)
  let { broker } = first
  return {
    installation,
    log,
    port,
    url,
    stopBroker: () => broker.stop(),
    async startBroker() {
      ;({ broker } = await start(port))
    },
    async close() {
      await broker.stop()
      await installation.remove()
    },
  }
}
