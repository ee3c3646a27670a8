import { randomBytes } from 'node:crypto'

/** State of buckets that had versions at some time. s3rver knows no versions. */
export interface BucketVersions {
  /** null: the key may not read it (GetBucketVersioning). */
  readonly status: 'Enabled' | 'Suspended' | null
  /** XML of the lifecycle rules (GetBucketLifecycleConfiguration); null: the key may not read them. */
  readonly rules: readonly string[] | null
}

type Setting = { readonly xml: string; readonly code?: undefined } | { readonly status: number; readonly code: string }

const DENIED: Setting = { status: 403, code: 'AccessDenied' }

/** The answer to a request for a setting of a bucket; null: another request. */
export function settingOf(
  { status, rules }: BucketVersions,
  { method, url }: { readonly method: string; readonly url: string },
): Setting | null {
  const asked = new URLSearchParams(url.split('?')[1] ?? '')
  if (method !== 'GET') return null
  if (asked.has('versioning'))
    return status === null
      ? DENIED
      : { xml: `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>` }
  if (!asked.has('lifecycle')) return null
  if (rules === null) return DENIED
  if (rules.length === 0) return { status: 404, code: 'NoSuchLifecycleConfiguration' }
  return { xml: `<LifecycleConfiguration>${rules.join('')}</LifecycleConfiguration>` }
}

/** Header of the answer to a write: the id of the new version, `null` while versions are suspended. */
export function versionHeader(versions: BucketVersions | null, method: string | undefined) {
  if (versions === null || method !== 'PUT') return {}
  return { 'x-amz-version-id': versions.status === 'Suspended' ? 'null' : randomBytes(16).toString('hex') }
}
