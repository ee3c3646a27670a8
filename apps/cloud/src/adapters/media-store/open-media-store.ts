import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { createFileMediaStore } from './file-media-store.ts'
import type { MediaStore, MediaWarning } from './interface.ts'

type MediaConfig = Pick<Config, 'cloudDir' | 'midia' | 'banco'>

/** Other replicas may write into the folder. None writes one file for as long as this. */
const SHARED_ABANDONED_MS = 3_600_000

const localFolder = (cloudDir: string): string => join(cloudDir, 'media')

/** Folder of the media on this machine; null: they are in an object store. */
export const mediaFolder = ({ cloudDir, midia }: Pick<MediaConfig, 'cloudDir' | 'midia'>): string | null =>
  midia === null ? localFolder(cloudDir) : null

/**
 * Opens the media store of the configuration. The S3 client is loaded only where one is configured.
 * @param warn is called if the object store keeps, or may keep, deleted files
 * @throws ConfigError if the object store refuses these settings or does not answer
 */
export async function openMediaStore(
  { cloudDir, midia, banco }: MediaConfig,
  warn: (warning: MediaWarning) => void = () => {},
): Promise<MediaStore> {
  if (midia === null)
    return createFileMediaStore({ dir: localFolder(cloudDir), abandonedMs: banco === null ? 0 : SHARED_ABANDONED_MS })
  const { openS3MediaStore } = await import('./open-s3-media-store.ts')
  return openS3MediaStore(midia, warn)
}
