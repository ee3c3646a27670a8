import { globSync, readFileSync } from 'node:fs'
import { AGE, countMatches, sourcesOf } from '@vigia/testing/age-uses'
import { expect, it } from 'vitest'

const src = `${import.meta.dirname}/`
/** Tests and measurements. */
const TRIALS = /\.test\.ts$|^(?:testing|e2e|continuous-cost)\//
const DELETION = /DELETE FROM \w+ WHERE [^'`]*</g

/** A deletion on a box, with its test; or what the time is for. */
type Use = { readonly guarded: string } | { readonly reads: string }
interface Listed {
  readonly n: number
  readonly use: Use
}
const guarded = (n: number, test: string): Listed => ({ n, use: { guarded: test } })
const reads = (n: number, why: string): Listed => ({ n, use: { reads: why } })

/** Every use of a time minus an age on a box, by file. The quotas of the outbox and of recordings do not use an age. */
const ageUses: Readonly<Record<string, Listed>> = {
  'capture/camera-decoder.ts': reads(1, 'time since the last keyframe'),
  'capture/camera-session.ts': reads(2, 'silence of a camera'),
  'capture/clip-cutter.ts': reads(1, 'length of a clip'),
  'capture/flapping.ts': reads(1, 'period of a connection'),
  'capture/live-packager.ts': reads(2, 'time of a frame'),
  'capture/load-meter.ts': reads(1, 'delay of the event loop'),
  'capture/picture-taker.ts': reads(2, 'takes a new picture in place of an old one'),
  'capture/stream-status.ts': reads(1, 'state of a camera'),
  'capture/timeline.ts': reads(1, 'time of a frame'),
  'clips/kept-clips.ts': guarded(
    1,
    'keeps most of its clips while the clock may be wrong, and lets them go after 48 hours of running',
  ),
  'clips/seen-since.ts': guarded(1, 'settles events whose capture process never answers'),
  'link/renewal.ts': reads(1, 'renews a certificate early'),
  'outbox/upload-rate.ts': reads(1, 'rate of an upload'),
  'pedidos/capture-canal.ts': reads(1, 'deadline of a command'),
  'pedidos/probe-recorder.ts': reads(1, 'deadline of a command'),
  'pedidos/request-keyframe.ts': reads(1, 'asks a device again'),
  'pedidos/scan-network.ts': reads(1, 'deadline of a command'),
  'recordings/diagnose-recorder.ts': reads(2, 'period of a question to the recorder'),
  'recordings/fetch-held.ts': reads(1, 'end of a recording'),
  'recordings/fetch-recording.ts': reads(1, 'earlier part of a recording'),
  'recordings/list-recordings.ts': reads(3, 'asks the recorder again'),
  'recordings/recorder-clock.ts': reads(2, 'asks the recorder again'),
  'status/recent-warnings.ts': reads(1, 'time of a warning'),
  'streams/part-sender.ts': reads(1, 'silence of a stream'),
  'streams/uplink-budget.ts': reads(3, 'duration of a ping'),
  'streams/uplink-limit.ts': reads(1, 'pause between two falls of the rate'),
  'supervisor/crash-record.ts': reads(1, 'counts recent crashes'),
  'supervisor/host-limit-store.ts': reads(2, 'age of what it learned of a device'),
  'supervisor/host-limits.ts': reads(3, 'forgets what it learned of a device'),
  'supervisor/host-logins.ts': reads(4, 'when a refused login is sent again'),
  'supervisor/stream-orders.ts': reads(1, 'wait for a keyframe'),
  'supervisor/worse-hosts.ts': reads(1, 'strikes of a device'),
  'supervisor/worse-streams.ts': reads(4, 'rate of a stream'),
  'telemetry/prometheus.ts': reads(1, 'a metric'),
  'time/edge-time.ts': reads(1, 'whether the clock is before the last known time'),
}
const agedDeletions: Readonly<Record<string, Listed>> = {
  'pedidos/command-store.ts': guarded(
    1,
    'refuses commands issued more than ten minutes before the newest and remembers the others',
  ),
}

const sources = sourcesOf(src, TRIALS)
const listed = (list: typeof ageUses) => Object.fromEntries(Object.entries(list).map(([file, { n }]) => [file, n]))

it('every act by age is on the list', () => {
  expect(countMatches(sources, AGE)).toEqual(listed(ageUses))
  expect(countMatches(sources, DELETION)).toEqual(listed(agedDeletions))
})

it('every deletion by age names a test that exists', () => {
  const tests = globSync('**/*.test.ts', { cwd: src })
    .map((file) => readFileSync(`${src}${file}`, 'utf8'))
    .join('\n')
  for (const { use } of [...Object.values(ageUses), ...Object.values(agedDeletions)])
    if ('guarded' in use) expect(tests).toContain(`it('${use.guarded}'`)
})
