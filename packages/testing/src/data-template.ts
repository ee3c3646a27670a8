import { rm } from 'node:fs/promises'
import { cloudEnv, DATA_TEMPLATE, prepareData } from './installation.ts'
import { startProgram } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * Global setup of the end-to-end tests. It creates a data folder with keys, certificates, a migrated database, the
 * operator and the activation code of the local edge. `startInstallation` copies it; tests of the preparation create
 * their own data (`prepareData`).
 */
export default async function setup(): Promise<() => Promise<void>> {
  const dir = temporaryFolder('vigia-template-')
  await prepareData({ VIGIA_DATA_DIR: dir })
  const cloud = await startProgram({
    entry: 'apps/cloud/src/main.ts',
    env: { ...cloudEnv, PORT: '0', VIGIA_DATA_DIR: dir, VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1' },
  })
  await cloud.stop()
  process.env[DATA_TEMPLATE] = dir
  return () => rm(dir, { recursive: true, force: true })
}
