import { AsyncLocalStorage } from 'node:async_hooks'

/** The request, work item or message that the current code runs for. */
export interface Activity {
  /** Fields of every log line: ids only. */
  readonly fields: Readonly<Record<string, string | number>>
  /** W3C Trace Context of the span that the code belongs to; null or absent: none. */
  readonly traceparent?: string | null
}

const storage = new AsyncLocalStorage<Activity>()

/** Runs `run`, and the asynchronous work that it starts, within an activity. An inner one adds its fields. */
export const runActivity = <T>(activity: Activity, run: () => T): T =>
  storage.run({ ...activity, fields: { ...storage.getStore()?.fields, ...activity.fields } }, run)

/** Fields of the current activity; option `mixin` of pino. */
export const activityFields = (): object => ({ ...storage.getStore()?.fields })

/** Trace Context of the current activity; null: none. */
export const currentTraceparent = (): string | null => storage.getStore()?.traceparent ?? null
