/** Why an act by age may use the wall clock, or how it is guarded. */
type AgeUse =
  /** It asks the time of ages (features/saude/relogio/age-clock.ts). */
  | { readonly guarded: string }
  /** It can be undone, or loses nothing: the reason. */
  | { readonly undone: string }
  /** It only reads, or decides about the present. */
  | { readonly reads: string }

interface Listed {
  /** Number of expressions `now - …` in the file. */
  readonly n: number
  readonly use: AgeUse
}

const GUARD = 'deletes no event and no clip, and reports it'
const guarded = (n: number, test = GUARD): Listed => ({ n, use: { guarded: test } })
const undone = (n: number, why: string): Listed => ({ n, use: { undone: why } })
const reads = (n: number, why: string): Listed => ({ n, use: { reads: why } })

/** Every use of a time minus an age in the cloud, by file. */
export const ageUses: Readonly<Record<string, Listed>> = {
  'adapters/media-store/file-media-store.ts': undone(1, 'unfinished files of an ended process'),
  'adapters/verifier/vlm-pauses.ts': reads(1, 'ends a pause of the external verifier'),
  'audit/audit-once.ts': reads(1, 'writes at most one record within a time'),
  'db/clipes.ts': reads(1, 'decides whether a box may hold a copy'),
  'features/alertas/shared-log.ts': undone(1, 'lines in memory, which are read again'),
  'features/cameras/camera-status.ts': reads(1, 'state of a camera'),
  'features/chaves/authenticate-chave.ts': reads(1, 'notes the use of a key'),
  'features/clipes/copias/request-copy.ts': reads(1, 'allows another try'),
  'features/clipes/gravacoes/complete-eventos.ts': reads(2, 'asks the recorder for recent events only'),
  'features/clipes/order-uploads.ts': undone(3, 'orders are repeated; a box has its own limit'),
  'features/clipes/sweep-uploads.ts': undone(1, 'the box sends a partial upload again from its first byte'),
  'features/edges/certificates-store.ts': reads(1, 'counts the certificates of a day'),
  'features/edges/edge-advice.ts': reads(1, 'advice on the page'),
  'features/edges/edge-credentials.ts': undone(1, 'deletes ended credentials; each order makes a new one'),
  'features/edges/edge-status.ts': reads(1, 'state of a box'),
  'features/edges/local-edge.ts': reads(1, 'makes a code again when the local box is lost'),
  'features/edges/renew-certificate.ts': reads(1, 'time between two renewals'),
  'features/edges/revocation-file.ts': undone(2, 'the file is made again from the rows, which stay'),
  'features/edges/store.ts': reads(1, 'time between two scans'),
  'features/eventos/delete-descartados.ts': guarded(1),
  'features/incidentes/join-incidentes.ts': reads(1, 'time between two announcements'),
  'features/ingestao/candidate-row.ts': reads(1, 'marks a late event'),
  'features/ingestao/descartado-store.ts': reads(1, 'counts the last hour'),
  'features/ingestao/intake.ts': reads(1, 'duration of a batch'),
  'features/ingestao/report-store.ts': reads(1, 'time of the last frame'),
  'features/linha-do-tempo/presence.ts': guarded(3),
  'features/notificacoes/carry.ts': reads(1, 'chooses a summary'),
  'features/notificacoes/deliver-one.ts': reads(1, 'duration of a delivery'),
  'features/notificacoes/delivery.ts': guarded(1),
  'features/oauth/authenticate-agent.ts': reads(1, 'notes the use of an agent'),
  'features/oauth/clients-store.ts': undone(2, 'a program registers again, and a person connects it again'),
  'features/oauth/exchange-grant.ts': reads(1, 'sweeps at most once an hour'),
  'features/oauth/grants-store.ts': undone(4, 'a person connects the agent again'),
  'features/portoes/may-open.ts': reads(1, 'refuses to open a gate late'),
  'features/portoes/open-gate.ts': reads(1, 'refuses to open a gate late'),
  'features/presencas/store.ts': reads(1, 'window of the list'),
  'features/presencas/view-presenca.ts': reads(1, 'marks a long stay'),
  'features/push/late-messages.ts': reads(1, 'chooses a summary'),
  'features/push/push-delivery.ts': guarded(2),
  'features/quedas/central-contact.ts': reads(1, 'records an absence of the central'),
  'features/quedas/status-monitor.ts': undone(1, 'the next report of the box makes it present'),
  'features/retencao/conciliacao/reconcile-media.ts': guarded(1),
  'features/retencao/espaco/store.ts': reads(1, 'at most one message a day'),
  'features/retencao/hold-back.ts': guarded(1, 'goes on once the boxes have agreed for 24 hours'),
  'features/retencao/sweep-empresa.ts': guarded(4),
  'features/retencao/view-retencao.ts': reads(1, 'rate of the last days'),
  'features/segundo-fator/own-factor.ts': undone(1, 'a person begins the enrolment again'),
  'features/sessoes/authenticate.ts': reads(1, 'notes the use of a session'),
  'features/transmissoes/replica-token.ts': reads(1, 'token between replicas'),
  'features/transmissoes/upload-rates.ts': reads(1, 'rate of an upload'),
  'features/verificacao/evidencia-verification.ts': reads(1, 'waits for a first verdict'),
  'features/verificacao/routes.ts': reads(2, 'waiting time'),
  'features/verificacao/verification.ts': reads(1, 'duration of a verdict'),
  'telemetry/prometheus.ts': reads(1, 'a metric'),
  'vigia/backup/archive-name.ts': undone(1, 'removes the unfinished file of an ended backup'),
}

/** Every deletion of rows before a time, or of rows whose end has passed, by file. */
export const agedDeletions: Readonly<Record<string, Listed>> = {
  'db/media-hold.ts': undone(1, 'a backup that still runs holds the files again'),
  'db/replicas.ts': undone(1, 'a replica adds its row again'),
  'features/clipes/discard-store.ts': undone(1, 'the box deletes the copy by its own limit'),
  'features/convites/store.ts': undone(1, 'a person invites again'),
  'features/edges/credential-store.ts': undone(1, 'each order makes a new credential'),
  'features/ingestao/lacunas-store.ts': reads(1, 'compares numbers, not times'),
  'features/linha-do-tempo/presence-store.ts': guarded(1),
  'features/notificacoes/avisos-store.ts': guarded(1),
  'features/notificacoes/destinations-store.ts': guarded(1),
  'features/oauth/consent-store.ts': undone(1, 'a person connects the agent again'),
  'features/oauth/grants-store.ts': undone(5, 'a person connects the agent again'),
  'features/push/store.ts': guarded(1),
  'features/quiosques/store.ts': undone(1, 'a person makes the kiosk again'),
  'features/retencao/log-store.ts': guarded(1),
  'features/sessoes/store.ts': undone(1, 'a person signs in again'),
}
