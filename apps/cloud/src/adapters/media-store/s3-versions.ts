import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  type LifecycleRule,
} from '@aws-sdk/client-s3'
import type { MediaWarning } from './interface.ts'
import type { S3Place } from './s3-media-store.ts'

const KEPT = 'imagens e clipes apagados continuam lá.'
const REMEDY =
  'Desligue o versionamento e apague as versões que ficaram, ou crie no bucket uma regra que apague versões antigas ' +
  'e marcas de exclusão depois de um dia.'

/**
 * Whether a bucket whose writes have a version keeps deleted objects; null: it does not, or a rule ends old versions.
 * A key may lack the right to read the settings, and other servers give each write an id without keeping it.
 */
export async function findVersions(place: Pick<S3Place, 'client' | 'bucket' | 'prefix'>): Promise<MediaWarning | null> {
  const { client, bucket, prefix } = place
  const status = await client.send(new GetBucketVersioningCommand({ Bucket: bucket })).then(
    (answer) => answer.Status ?? 'Suspended',
    () => null,
  )
  if (status === 'Suspended') return null
  if (status === null)
    return {
      keepsVersions: false,
      aviso:
        `O bucket ${bucket} talvez guarde versões: a chave não pôde ler o estado do versionamento ` +
        `(s3:GetBucketVersioning). Se estiver ligado, ${KEPT} ${REMEDY}`,
    }
  const rules = await readRules(place)
  if (rules?.some((rule) => endsVersions(rule, prefix))) return null
  const unread =
    rules === null
      ? ' A chave não pôde ler as regras do bucket (s3:GetLifecycleConfiguration): se a regra já existe, nada falta.'
      : ''
  return { keepsVersions: true, aviso: `O bucket ${bucket} guarda versões: ${KEPT} ${REMEDY}${unread}` }
}

/** null: they cannot be read. */
const readRules = ({ client, bucket }: Pick<S3Place, 'client' | 'bucket'>): Promise<readonly LifecycleRule[] | null> =>
  client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket })).then(
    ({ Rules }) => Rules ?? [],
    (error: unknown) => (error instanceof Error && error.name === 'NoSuchLifecycleConfiguration' ? [] : null),
  )

/** Whether a rule ends old versions of all objects below `prefix`. */
function endsVersions({ Status, Filter, Prefix, NoncurrentVersionExpiration }: LifecycleRule, prefix: string): boolean {
  if (Status !== 'Enabled' || NoncurrentVersionExpiration?.NoncurrentDays === undefined) return false
  const { Prefix: filtered, ...others } = Filter ?? {}
  const narrows = Object.values(others).some((value) => value !== undefined)
  return !narrows && prefix.startsWith(filtered ?? Prefix ?? '')
}
