import { runWithinNamespace } from './cloud-disk.ts'
import { isRightlyDropped } from './drops.ts'
import { readOptions } from './options.ts'
import { runChaos } from './run.ts'
import { isClean, isSeen, sightingsLine, summary } from './verdict.ts'

const BAR = 30

/**
 * `npm run chaos -- --rounds 10 --seed 1`: counts the delivered events while programs, lines, disk and clock fail. The
 * last line has the counts. The exit status is 0 only without lost, duplicated, misordered and unrecorded events.
 * Outside the rounds that fill the quota or a disk, at most 1 % of the events may be dropped.
 */
try {
  const options = readOptions(process.argv.slice(2))
  // PostgreSQL needs a user that the namespace does not have.
  const status = options.banco === 'postgres' ? null : runWithinNamespace()
  if (status !== null) process.exit(status)
  const { rounds, seed, broker, replicas, banco, verbose } = options
  console.log(
    `${rounds} rounds, seed ${seed}, broker ${broker}, ${replicas} on ${banco}: ` +
      `repeat with --rounds ${rounds} --seed ${seed}`,
  )
  const { verdict, drops, sightings, faults, files } = await runChaos(options, (round, names, stored) => {
    if (verbose) console.log(`round ${round}: ${names.join(', ')}; ${stored} stored`)
    else if (process.stderr.isTTY) {
      const done = Math.round((round / rounds) * BAR)
      process.stderr.write(`\r[${'#'.repeat(done)}${'.'.repeat(BAR - done)}] ${round}/${rounds}, ${stored} stored `)
    }
  })
  if (!verbose && process.stderr.isTTY) process.stderr.write('\n')
  console.log(
    [...faults]
      .sort()
      .map(([name, times]) => `${name}: ${times}`)
      .join(', '),
  )
  console.log(
    `dropped by the quota and recorded: ${verdict.droppedEvents} events, pictures of ${verdict.droppedPictures} more`,
  )
  if (files !== null) console.log(`databases and logs: ${files}`)
  if (sightings) console.log(sightingsLine(sightings))
  console.log(summary(verdict, rounds, seed, drops))
  process.exit(isClean(verdict) && isSeen(sightings) && isRightlyDropped(drops) ? 0 : 1)
} catch (error) {
  console.error(error)
  process.exit(1)
}
