import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Database } from '../../../db/open.ts'
import type { Intake } from '../../../http/receive-messages.ts'
import type { EdgeCredential, RequestInfo } from '../../../http/route.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { type LiveStreams, tooManyUploads, uploadEnded } from './live-streams.ts'
import { socketAddress } from './read-owner.ts'
import { RELAY_HEADER, relayUpload, unreachable } from './relay-upload.ts'
import { isReplicaToken, type ReplicaGrant, sealReplicaToken } from './replica-token.ts'
import { findAccount, findOwner, type StreamKey } from './store.ts'
import { streamTarget, uploadPath } from './stream-state.ts'
import type { UploadRates } from './upload-rates.ts'

export interface ReceiveDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  readonly replica: Pick<Replica, 'name' | 'others'>
  readonly streams: LiveStreams
  readonly rates: UploadRates
}

/**
 * Receives an upload, or passes it on to the replica that owns the stream. An upload that was passed on already is only
 * received.
 * @throws VigiaError `nao_autenticado`: the credential, the mark or the epoch is wrong; `indisponivel`: see
 * relayUpload; `muitas_requisicoes`: rates are exceeded
 */
export async function receiveUpload(
  { db, clock, box, replica, streams, rates }: ReceiveDeps,
  credential: EdgeCredential,
  key: StreamKey,
  epoca: number,
  request: Pick<RequestInfo, 'header' | 'signal'>,
): Promise<Intake> {
  const grantFor = (para: string): ReplicaGrant => ({
    ...({ uso: 'repassar', camera: key.cameraId, fluxo: key.fluxo } as const),
    epoca,
    para,
  })
  const mark = request.header(RELAY_HEADER)
  if (mark !== undefined && !isReplicaToken(box, mark, grantFor(streams.replica), clock.now()))
    throw new VigiaError('nao_autenticado', { detalhe: 'Este repasse não vem de um servidor desta instalação.' })
  const isOrdered = credential.finalidade === 'transmissao' && credential.alvo === streamTarget(key, epoca)
  const mayPassOn = replica.name !== undefined && mark === undefined && isOrdered && !streams.owns(key, epoca)
  const owner = mayPassOn ? await findOwner(db, key) : undefined
  const isOthers = owner?.epoca === epoca && owner.replica !== streams.replica && owner.vence_em > clock.now()
  if (!owner || !isOthers) return streams.receive(credential, key, epoca)
  const url = replica.others().find(({ id }) => id === owner.replica)?.url
  // The list of replicas may be some seconds old.
  if (!url) throw unreachable()
  const account = await findAccount(db, key.cameraId)
  if (account === null) throw uploadEnded()
  const meter = rates.meter(account)
  if (!meter.connect()) throw tooManyUploads()
  const headers = {
    authorization: request.header('authorization') ?? '',
    [RELAY_HEADER]: sealReplicaToken(box, grantFor(owner.replica), clock.now()),
  }
  return relayUpload(socketAddress(url, uploadPath(key, epoca)), headers, { meter, gone: request.signal })
}
