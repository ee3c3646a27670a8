import type { resultadosRegistro } from '@vigia/contracts/candidate'
import type { TipoCanal } from '@vigia/contracts/destinos'
import type { Certeza, Decisao } from '@vigia/contracts/eventos'
import type { Clock } from '../adapters/clock.ts'
import type { DiskSpace } from '../adapters/disk-space.ts'
import type { Database } from '../db/open.ts'
import type { Falha } from '../domains/operacao/verificacao/retry-policy.ts'
import type { Replica } from '../replicas/replica.ts'

/** Counts and times of this process. Every label has a bounded set of values. */
export interface Metrics {
  /** @param route path pattern; null: no route */
  request(about: { readonly method: string; readonly route: string | null; readonly status: number }, ms: number): void
  query(ms: number, failed: boolean): void
  record(resultado: (typeof resultadosRegistro)[number]): void
  /** Time from a live event to its storage. */
  arrived(ms: number): void
  /** Time from the storage of an event to its verdict. */
  verdict(decisao: Decisao, certeza: Certeza, ms: number): void
  verificationFailed(falha: Falha): void
  delivery(canal: TipoCanal | 'push', result: DeliveryResult): void
  /** Time from the queueing of a message to its delivery. */
  delivered(canal: TipoCanal | 'push', ms: number): void
}

/** `falhou`: it is tried again. `desistida`: it is not. */
type DeliveryResult = 'entregue' | 'falhou' | 'desistida'

/** State that the metrics read at each scrape. */
export interface Watched {
  readonly db: Database
  readonly clock: Clock
  readonly replica: Pick<Replica, 'leads'>
  readonly link: { readonly connected: boolean }
  readonly disk: Pick<DiskSpace, 'leastFreeBytes'>
}
