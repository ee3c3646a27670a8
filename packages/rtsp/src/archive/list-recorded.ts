import { type Contact, type Failed, type ProbeOptions, withContact } from '../contact.ts'
import type { LoginGate } from '../login-gate.ts'
import { type PlaybackTarget, playbackTarget, type RecorderClock, type Span } from '../playback-urls.ts'
import { readRtspUrl } from '../rtsp-url.ts'
import { createDeviceHttp } from './device-http.ts'
import { listDahua } from './list-dahua.ts'
import { listHikvision } from './list-hikvision.ts'
import type { ListFailure } from './listed-files.ts'
import { mergeSpans } from './merge-spans.ts'

/** Why there is no list. */
export type ListFalha = Failed['falha'] | 'sem_arquivo' | 'sem_lista' | 'sem_permissao'

export type Recorded =
  | {
      readonly ok: true
      /** In order, without overlaps. */
      readonly spans: readonly Span[]
      readonly isComplete: boolean
      /** Port that answered. */
      readonly porta: number
    }
  | { readonly ok: false; readonly falha: ListFalha }

export interface ListOptions extends ProbeOptions {
  readonly clock: RecorderClock
  /** Limits the failed logins of this recorder, also over several lists. */
  readonly gate: LoginGate
  /** HTTP ports to try, in order. The camera's address has only that of RTSP. */
  readonly ports: readonly number[]
  readonly maxSpans: number
}

/** The usual HTTP ports of recorders. */
export const HTTP_PORTS = [80, 8080]
/** Longest wait for one answer: a recorder reads its disk. */
const ANSWER_MS = 10_000

const makers = { dahua: listDahua, hikvision: listHikvision }

/**
 * Lists what the recorder of a camera holds inside `span`, by the HTTP interface of its maker. Nothing on the recorder
 * changes. Throws RangeError for a text that is no RTSP URL.
 */
export async function listRecorded(liveUrl: string, span: Span, options: ListOptions): Promise<Recorded> {
  const target = playbackTarget(liveUrl)
  if (!target) return { ok: false, falha: 'sem_arquivo' }
  const { host, credentials } = readRtspUrl(liveUrl)
  const recorded = await withContact<Recorded>(host, options, (contact) =>
    listFrom(contact, { target, credentials, span }, options),
  )
  return recorded
}

interface Asked {
  readonly target: PlaybackTarget
  readonly credentials: ReturnType<typeof readRtspUrl>['credentials']
  readonly span: Span
}

async function listFrom(
  contact: Contact,
  { target, credentials, span }: Asked,
  { clock, gate, ports, maxSpans }: ListOptions,
): Promise<Recorded> {
  const timeoutMs = Math.min(ANSWER_MS, contact.prazoMs / 2)
  let last: ListFailure['failure'] = 'unreachable'
  for (const porta of ports) {
    const http = createDeviceHttp({ contact, porta, credentials, gate, timeoutMs })
    const listed = await makers[target.form](http, target, span, clock)
    if (!('failure' in listed)) {
      const { files, isComplete } = listed
      return { ok: true, spans: mergeSpans(files, span, maxSpans), isComplete, porta }
    }
    // A port that answered at all says more than a closed one.
    if (last === 'unreachable' || listed.failure !== 'unreachable') last = listed.failure
    if (last === 'denied' || last === 'forbidden' || last === 'aborted') break
  }
  return { ok: false, falha: falhas[last] }
}

const falhas: Record<ListFailure['failure'], ListFalha> = {
  denied: 'senha_recusada',
  forbidden: 'sem_permissao',
  absent: 'sem_lista',
  foreign: 'sem_lista',
  unreachable: 'sem_lista',
  silent: 'inalcancavel',
  full: 'sem_conexao_livre',
  aborted: 'prazo_esgotado',
}
