/** Why an act by age may use the wall clock, or how it is guarded. */
type AgeUse =
  /** It asks the time of ages (domains/operacao/saude/relogio/age-clock.ts). */
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
const HELD = 'waits without a shorter rule, and goes on once it is confirmed'
const guarded = (n: number, test = GUARD): Listed => ({ n, use: { guarded: test } })
const undone = (n: number, why: string): Listed => ({ n, use: { undone: why } })
const reads = (n: number, why: string): Listed => ({ n, use: { reads: why } })

/** Every use of a time minus an age in the cloud, by file. */
export const ageUses: Readonly<Record<string, Listed>> = {
  'adapters/media-store/file-media-store.ts': undone(1, 'unfinished files of an ended process'),
  'adapters/verifier/hung-candidates.ts': undone(1, 'ends a pause of an Empresa in memory'),
  'adapters/verifier/vlm-pauses.ts': reads(1, 'ends a pause of the external verifier'),
  'audit/audit-once.ts': reads(1, 'writes at most one record within a time'),
  'db/clipes.ts': reads(2, 'decides whether a box may hold a copy, or announces clips'),
  'db/janelas-prova.ts': reads(1, 'finds the walk test of a record'),
  'domains/eventos/alertas/shared-log.ts': undone(1, 'lines in memory, which are read again'),
  'domains/operacao/calibracao/simulate-calibracao.ts': reads(2, 'period of a simulation'),
  'domains/operacao/calibracao/store.ts': reads(1, 'period of a simulation'),
  'domains/locais/cameras/camera-status.ts': reads(1, 'state of a camera'),
  'domains/pessoas/chaves/authenticate-chave.ts': reads(1, 'notes the use of a key'),
  'domains/video/clipes/copias/request-copy.ts': reads(1, 'allows another try'),
  'domains/video/clipes/gravacoes/complete-eventos.ts': reads(4, 'asks the recorder for recent events only'),
  'domains/video/clipes/gravacoes/list-gravacao.ts': reads(1, 'period of a list'),
  'domains/video/clipes/order-uploads.ts': undone(3, 'orders are repeated; a box has its own limit'),
  'domains/video/clipes/sweep-uploads.ts': undone(1, 'the box sends a partial upload again from its first byte'),
  'domains/locais/edges/certificates-store.ts': reads(1, 'counts the certificates of a day'),
  'domains/locais/edges/edge-advice.ts': reads(1, 'advice on the page'),
  'domains/locais/edges/edge-credentials.ts': undone(1, 'deletes ended credentials; each order makes a new one'),
  'domains/locais/edges/edge-status.ts': reads(1, 'state of a box'),
  'domains/locais/edges/local-edge.ts': reads(1, 'makes a code again when the local box is lost'),
  'domains/locais/edges/renew-certificate.ts': reads(1, 'time between two renewals'),
  'domains/locais/edges/revocation-file.ts': undone(2, 'the file is made again from the rows, which stay'),
  'domains/locais/edges/store.ts': undone(3, 'a person makes another code'),
  'domains/eventos/busca/sentence-period.ts': reads(6, 'days that a sentence of a search names'),
  'domains/eventos/incidentes/join-incidentes.ts': reads(1, 'time between two announcements'),
  'domains/operacao/ingestao/candidate-row.ts': reads(1, 'marks a late event'),
  'domains/operacao/ingestao/descartado-store.ts': reads(1, 'counts the last hour'),
  'domains/operacao/ingestao/intake.ts': reads(1, 'duration of a batch'),
  'domains/operacao/ingestao/report-store.ts': reads(1, 'time of the last frame'),
  'domains/operacao/linha-do-tempo/presence.ts': reads(2, 'joins two streams, and sweeps once a day'),
  'domains/operacao/linha-do-tempo/store.ts': reads(1, 'period of a list'),
  'domains/mensagens/delivery/attempt-delivery.ts': reads(1, 'duration of a delivery'),
  'domains/mensagens/delivery/late-messages.ts': reads(1, 'chooses a summary'),
  'domains/mensagens/recolhimentos/take-back-kind.ts': undone(1, 'a person empties the topic, as after seven days'),
  'domains/mensagens/notificacoes/notificacao-kind.ts': undone(1, 'the next attempt notes a slow destination again'),
  'domains/mensagens/notificacoes/digest-time.ts': reads(3, 'time of the next digest'),
  'domains/agentes/oauth/authenticate-agent.ts': reads(1, 'notes the use of an agent'),
  'domains/agentes/oauth/client-documents.ts': reads(1, 'reads a document again'),
  'domains/agentes/oauth/clients-store.ts': undone(2, 'a program registers again, and a person connects it again'),
  'domains/agentes/oauth/exchange-grant.ts': undone(2, 'a person connects the agent again'),
  'domains/agentes/oauth/grants-store.ts': undone(4, 'a person connects the agent again'),
  'domains/agentes/oauth/key-schedule.ts': undone(1, 'a program asks for a new token'),
  'domains/pessoas/convites/store.ts': undone(2, 'a person invites again'),
  'domains/mensagens/portoes/may-open.ts': reads(1, 'refuses to open a gate late'),
  'domains/mensagens/portoes/gate-kind.ts': reads(1, 'refuses to open a gate late'),
  'domains/placas/presencas/store.ts': reads(3, 'window of the list, read in parts'),
  'domains/placas/presencas/view-presenca.ts': reads(1, 'marks a long stay'),
  'domains/operacao/quedas/central-contact.ts': reads(1, 'records an absence of the central'),
  'domains/operacao/quedas/status-monitor.ts': undone(1, 'the next report of the box makes it present'),
  'domains/operacao/retencao/conciliacao/reconcile-media.ts': guarded(
    1,
    'files without a record: the screen and a message report that most of them would go',
  ),
  'domains/operacao/retencao/espaco/store.ts': reads(1, 'at most one message a day'),
  'db/hold-back/hold-back.ts': guarded(3, HELD),
  'domains/operacao/retencao/sweep-empresa.ts': guarded(4),
  'domains/operacao/retencao/view-retencao.ts': reads(2, 'rate of the last days, and the days since the first event'),
  'domains/operacao/saude/relogio/age-clock.ts': reads(1, 'boxes that reported lately'),
  'domains/pessoas/segundo-fator/own-factor.ts': undone(1, 'a person begins the enrolment again'),
  'domains/pessoas/sessoes/authenticate.ts': reads(1, 'notes the use of a session'),
  'domains/video/transmissoes/replica-token.ts': reads(1, 'token between replicas'),
  'domains/video/transmissoes/upload-rates.ts': reads(1, 'rate of an upload'),
  'domains/operacao/verificacao/evidencia-verification.ts': reads(1, 'waits for a first verdict'),
  'domains/operacao/verificacao/routes.ts': reads(2, 'waiting time'),
  'domains/operacao/verificacao/verification.ts': reads(1, 'duration of a verdict'),
  'telemetry/prometheus.ts': reads(1, 'a metric'),
  'vigia/backup/archive-name.ts': undone(1, 'removes the unfinished file of an ended backup'),
}

/**
 * Every deletion or change of rows before a time, or of rows whose end has passed, by file. Deletions by age are not
 * among them: they take a `Due`, which only the guard makes.
 */
export const agedChanges: Readonly<Record<string, Listed>> = {
  'db/clipes.ts': reads(1, 'compares levels, not times'),
  'db/janelas-prova.ts': undone(1, 'a person begins the walk test again'),
  'db/media-hold.ts': undone(1, 'a backup that still runs holds the files again'),
  'db/replicas.ts': undone(2, 'a replica adds its row again, and publishes again'),
  'db/work-queue/claims.ts': undone(1, 'waiting work is claimed, and an unfinished one again'),
  'domains/locais/cameras/prova-store.ts': reads(1, 'compares ids, not times'),
  'domains/video/clipes/discard-store.ts': undone(1, 'the box deletes the copy by its own limit'),
  'domains/pessoas/convites/store.ts': undone(1, 'a person invites again'),
  'domains/locais/edges/credential-store.ts': undone(1, 'each order makes a new credential'),
  'domains/locais/edges/store.ts': undone(2, 'compares versions, and begins a scan'),
  'domains/operacao/ingestao/lacunas-store.ts': reads(1, 'compares numbers, not times'),
  'domains/operacao/linha-do-tempo/presence-store.ts': reads(2, 'an end only grows'),
  'domains/mensagens/notificacoes/destinations-store.ts': undone(1, 'the next attempt notes a slow destination again'),
  'domains/agentes/oauth/consent-store.ts': undone(1, 'a person connects the agent again'),
  'domains/agentes/oauth/grants-store.ts': undone(5, 'a person connects the agent again'),
  'domains/operacao/quedas/store.ts': undone(1, 'the next report of the box makes it present'),
  'domains/pessoas/quiosques/store.ts': undone(1, 'a person makes the kiosk again'),
  'domains/operacao/saude/relogio/store.ts': guarded(1, 'counts by the stamps once a person says that it was right'),
  'domains/pessoas/sessoes/store.ts': undone(2, 'a person signs in again'),
  'domains/operacao/verificador-externo/store.ts': reads(1, 'compares a count'),
}
