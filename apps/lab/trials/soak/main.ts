import { parseArgs } from 'node:util'
import { runSoak } from './run.ts'

/** `npm run soak -- [--minutes 10] [--seed 1]`: a camera and a link fail repeatedly; memory and files must not grow. */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed)
if (!(minutes >= 1 && minutes <= 10_000) || !Number.isSafeInteger(seed)) {
  console.error('--minutes is a number from 1 on, --seed a whole number: npm run soak -- --minutes 10 --seed 1')
  process.exit(1)
}
const lengthMs = minutes * 60_000
const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`
try {
  console.log(`${minutes} minutes, seed ${seed}`)
  const { roles, flaps } = await runSoak(lengthMs, seed, (doneMs) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${Math.round((100 * doneMs) / lengthMs)} % `)
  })
  if (process.stderr.isTTY) process.stderr.write('\n')
  console.log(`the recorder went away ${flaps.recorder} times, the line ${flaps.line} times`)
  console.log('plateau (middle third) → end (last third):')
  for (const { role, processes, memory, openFiles, threads, ok } of roles)
    console.log(
      `${ok ? 'ok   ' : 'GROWS'} ${role} (${processes} processes): ` +
        `memory ${megabytes(memory.plateau)} → ${megabytes(memory.end)}, ` +
        `open files ${openFiles.plateau} → ${openFiles.end}, threads ${threads.plateau} → ${threads.end}`,
    )
  process.exit(roles.every(({ ok }) => ok) ? 0 : 1)
} catch (error) {
  console.error(error)
  process.exit(1)
}
