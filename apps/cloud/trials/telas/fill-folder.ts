import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { databaseFile } from '../../src/db/place.ts'
import { fillScreens } from './fill-store.ts'

/** Fills a new data folder with one Empresa below an integrator, and events of the year until now. */
export async function fillFolder(
  folder: string,
  { events, cameras }: { readonly events: number; readonly cameras: number },
  onProgress: (text: string) => void = () => {},
): Promise<void> {
  const cloud = join(folder, 'cloud')
  await mkdir(cloud, { recursive: true, mode: 0o700 })
  await ensureInstallationPki({ dir: folder, brokerHosts: [] })
  await fillScreens(databaseFile(cloud), events, Date.now(), onProgress, { cameras, empresas: 1 })
}
