import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { isClean, isSeen, sightingsLine } from '../chaos/verdict.ts'
import { checkOutFormer } from '../compat/former-checkout.ts'
import { runUpgrade } from './run.ts'

/**
 * `npm run trial:upgrade`: two replicas and an edge of the previous release on one PostgreSQL behind nginx. One after
 * the other is replaced by this release under load, so that the migrations run while the previous release serves. The
 * exit status is 0 only if no request fails and every event, alert and notification arrives once. `-- --with <commit>`
 * names another release.
 */
/** The last commit before the first migration that ran on PostgreSQL after its introduction. */
const FIRST = '34c48502'

const { values } = parseArgs({ options: { with: { type: 'string' } } })
const commit = values.with ?? newestTag() ?? FIRST
const former = await checkOutFormer(commit)
let right = false
try {
  const entries = {
    cloud: former.entry('apps/cloud/src/test/unverifying-cloud.ts'),
    edge: former.entry('apps/edge/src/testing/counting-edge.ts'),
  }
  console.log(`previous release: ${commit}`)
  const { verdict, sightings, requests, migrations } = await runUpgrade(entries, (step, seconds) =>
    console.log(`${step.padEnd(48)}${seconds.toFixed(1).padStart(7)} s`),
  )
  const failed = requests.filter((result) => !/^2\d\d$/.test(result))
  console.log(`migrations beside the previous release: ${migrations.join(', ') || 'none'}`)
  console.log(`requests: ${requests.length}, failed: ${failed.length} ${[...new Set(failed)].join(', ')}`)
  console.log(sightingsLine(sightings))
  const { produced, stored, lost, duplicated, misordered, unrecordedGaps } = verdict
  console.log(
    `produced=${produced} stored=${stored} lost=${lost} duplicated=${duplicated} misordered=${misordered} ` +
      `unrecorded_gaps=${unrecordedGaps}`,
  )
  right = isClean(verdict) && isSeen(sightings) && failed.length === 0 && requests.length > 0
} finally {
  await former.remove()
}
process.exit(right ? 0 : 1)

function newestTag(): string | null {
  const [tag] = execFileSync('git', ['tag', '--merged', 'HEAD^', '--sort=-creatordate'], { encoding: 'utf8' }).split(
    '\n',
  )
  return tag || null
}
