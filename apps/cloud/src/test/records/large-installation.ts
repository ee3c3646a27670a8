import { join } from 'node:path'
import { fillEvents, NOW } from '../stores/million-events-store.ts'

/** A little after the newest event, epoch ms. */
export const LARGE_NOW = NOW + 60_000

/** Creates a database with so many events of a year, of 240 Empresas. */
export const fillLargeInstallation = (cloudDir: string, events: number): Promise<void> =>
  fillEvents(join(cloudDir, 'vigia.db'), events)
