import { type CloudLinkOptions, createCloudLink } from '@vigia/link/cloud-link'
import { loadAuthority } from '@vigia/link/pki/authority'
import { issueEdgeCertificate } from '@vigia/link/pki/edge-certificate'
import { openSources } from './adapters/camera-sources.ts'
import type { Clock } from './adapters/clock.ts'
import { readLinkTls } from './adapters/link-tls.ts'
import type { SecretBox } from './adapters/secret-box.ts'
import type { Config } from './config.ts'
import { createNotices } from './db/notices.ts'
import type { Database } from './db/open.ts'
import type { SignRequest } from './domains/locais/edges/edge-certificate.ts'
import { createEdgeLineages } from './domains/locais/edges/edge-lineages.ts'
import { createAllowedPublisher } from './domains/locais/edges/publish-allowed.ts'
import { createDesiredPublisher } from './domains/locais/edges/publish-desired.ts'
import { connectRenewal } from './domains/locais/edges/renew-certificate.ts'
import { createRevocationFile } from './domains/locais/edges/revocation-file.ts'
import { createIngestTurns } from './domains/operacao/ingestao/ingest-turns.ts'
import { createAgeClock } from './domains/operacao/saude/relogio/age-clock.ts'
import type { Logger } from './http/request-log.ts'
import { createReplica, newReplicaName, onlyReplica, type Replica } from './replicas/replica.ts'

interface LinkDeps {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly monotonic: () => number
  readonly box: SecretBox
  readonly log: Logger
  readonly link: Pick<CloudLinkOptions, 'backoff' | 'keepaliveS'> | undefined
}

/** Creates the link to the edges, this process as a replica of the cloud, and what keeps the broker up to date. */
export function createLinkServices({ config, db, clock, monotonic, box, log, ...given }: LinkDeps) {
  const name = config.banco === null ? undefined : newReplicaName()
  const tls = readLinkTls(config.cloudDir)
  const lineages = createEdgeLineages({ db, log })
  const lineageOf = lineages.of
  const turns = createIngestTurns({ limits: config.ritmo, lineageOf, monotonic })
  const link = createCloudLink({
    url: config.mqttUrl,
    tls,
    log,
    replica: name,
    lineageOf,
    inTurn: turns.run,
    ...given.link,
  })
  const replica = name === undefined ? onlyReplica : joinReplicas(name)
  const desired = createDesiredPublisher({ db, link, sources: (camera) => openSources(box, camera), replica, log })
  const ages = createAgeClock({ db, clock, monotonic, log })
  const revocations = createRevocationFile({ db, clock, dataDir: config.dataDir, replica, log })
  const allowed = createAllowedPublisher({ db, link, clock, revocations, replica, log })
  const sign: SignRequest = async (edgeId, csrPem) => {
    const ca = await loadAuthority(config.dataDir)
    return { certificado: await issueEdgeCertificate({ ca, edgeId, csrPem }), ca: ca.certificatePem }
  }
  connectRenewal({ db, clock, link, sign, allowed, log })

  function joinReplicas(id: string): Replica {
    const url = (config.bancoEscuta ?? config.banco)?.reveal() ?? ''
    const notices = createNotices({ url, replica: id, log })
    return createReplica({ db, name: id, url: config.replicaUrl, notices, link, log, monotonic })
  }
  return { link, lineages, replica, desired, revocations, allowed, sign, ages }
}

export type LinkServices = ReturnType<typeof createLinkServices>
