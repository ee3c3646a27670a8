/** Content that the quota of the disk dropped. */
export interface Dropped {
  readonly records: number
  readonly media: number
  readonly notes: number
  readonly clips: readonly string[]
  readonly extras: number
}

/** Counts and times of the main process. Every label has a bounded set of values. */
export interface EdgeMetrics {
  candidate(ia: string): void
  /** Time from the sending of a record to the answer of the cloud. */
  confirmed(resultado: string, ms: number): void
  dropped(dropped: Dropped): void
}

/** State that the metrics read at each scrape. */
export interface WatchedEdge {
  records(): number
  /** Time at which the oldest record was stored in epoch ms; null: none waits. */
  oldestAt(): number | null
  waitingInMemory(): number
  isConnected(): boolean
  clockOffsetMs(): number | null
  roundTripMs(): number | null
  cameras(): readonly { readonly estado: string }[]
  freeBytes(): number | null
}
