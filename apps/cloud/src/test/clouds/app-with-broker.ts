import { freePort } from '@vigia/testing/free-port'
import { startProgram } from '@vigia/testing/program'
import { startTestApp, type TestApp } from './test-app.ts'

/** A cloud with a broker that runs as a process; `stop` stops both. */
export async function startAppWithBroker(
  cloudEnv: Readonly<Record<string, string>> = {},
  given: Parameters<typeof startTestApp>[1] = {},
): Promise<TestApp> {
  const mqttPort = String(await freePort())
  const app = await startTestApp({ VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`, ...cloudEnv }, given)
  const env = { VIGIA_DATA_DIR: app.dataDir, VIGIA_MQTT_PORT: mqttPort, VIGIA_LOG_LEVEL: 'warn' }
  const broker = await startProgram({ entry: 'apps/broker/src/main.ts', env })
  const stop = async () => {
    await app.stop()
    await broker.stop()
  }
  return { ...app, stop }
}
