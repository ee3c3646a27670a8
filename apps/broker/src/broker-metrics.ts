/** Counts of this process. A topic is the name of a topic without its edge. */
export interface BrokerMetrics {
  message(topic: string, bytes: number): void
  dropped(topic: string): void
  refused(): void
}
